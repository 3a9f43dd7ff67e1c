"""Calls that wait, in one language after the other."""

from tests.core.testing.driving import answered, inquiry_into, record

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.dialogues.waiting_code import WaitedCode, waits_as_code
from gatecrash.core.testing.payloads.rce_code import WAITING
from gatecrash.core.testing.probes.rce import PROBE


class Waiting:
    """Answers after the seconds that a call of this name was asked for. asked: how many requests came."""

    def __init__(self, call: bytes) -> None:
        self.call, self.asked, self.elapsed = call, 0, 0.05

    def __call__(self, request: Request) -> Response:
        self.asked += 1
        _, found, rest = request.target.partition(self.call)
        self.elapsed = 0.05 + float(rest.partition(b"%")[0].partition(b")")[0]) if found else 0.05
        return Response(200, (), b"kept")


def found_by(application: Waiting) -> WaitedCode | None:
    inquiry = inquiry_into("rule", record(application, Request("GET", b"/?rule=a")), PROBE)
    return answered(waits_as_code(inquiry), application)


def test_the_language_whose_call_waits_is_told():
    found = found_by(Waiting(b"__import__%28%27time%27%29.sleep%28"))
    assert found is not None
    assert found.language == "Python"


def test_what_waits_for_none_costs_a_request_for_each_language():
    application = Waiting(b"nothing")
    assert found_by(application) is None
    assert application.asked == 1 + len(WAITING)
