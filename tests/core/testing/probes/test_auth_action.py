"""The probe auth_action, driven against services whose guards read the action, the message, or either now and then."""

from random import Random

import msgspec
import pytest
from tests.cases.case import Case, cases_of
from tests.core.testing.driving import answered, credentials_of, drive, record

from gatecrash.core.inventory.protocols.soap import first_element
from gatecrash.core.message import Request, Response
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.memory import Memory
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probes.auth_action import PROBE

CASES = [case for case in cases_of("probes") if case.file == "auth_action"]
FAULT = "<s:Fault><faultcode>s:Client</faultcode><faultstring>who calls?</faultstring></s:Fault>"


class Service:
    """Its guard looks at what its path says."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self, request: Request) -> Response:
        self.asked += 1
        said = (request.first(b"SOAPAction") or request.first(b"Content-Type") or b"").strip(b'"')
        action = said.rpartition(b"#")[2].strip(b'"')
        message = b"GetLedger" if b"GetLedger" in request.body else b"ListPorts"
        guarded = {
            b"/by-action": action == b"GetLedger",
            b"/by-list": action != b"ListPorts",
            b"/by-either": b"GetLedger" in (action, message),
            b"/by-agreement": action != message or message == b"GetLedger",
            b"/at-times": self.asked % 2 == 1,
            b"/other-answer": action == b"GetLedger",
            b"/to-nobody": action == b"GetLedger",
            b"/to-nobody-by-either": b"GetLedger" in (action, message),
            b"/to-nobody-echoed": action == b"GetLedger",
            b"/to-nobody-by-action": action == b"GetLedger",
            b"/to-nobody-at-times": self.asked % 2 == 1,
            b"/no-such-year": action == b"GetLedger",
        }.get(request.path, False)
        if request.path.startswith((b"/to-nobody", b"/no-such")):
            return self._to_nobody(request, action.decode(), guarded=guarded)
        if guarded and request.first(b"Authorization") is None:
            return self._told(FAULT, 500)
        is_other = request.path == b"/other-answer" and action != b"GetLedger"
        return self._told("<Faultless/>" if is_other else "<Entry><name>Hull</name><sum>4711</sum></Entry>", 200)

    def _to_nobody(self, request: Request, action: str, *, guarded: bool) -> Response:
        """What is refused to everybody, but under another action perhaps."""
        if guarded:
            told = "no such year" if request.path == b"/no-such-year" else "Administrators only"
            return self._told(FAULT.replace("who calls?", told), 500)
        called = action if request.path.endswith(b"-by-action") else first_element(request.body) or ""
        if called != "GetLedger" and not request.path.endswith((b"-echoed", b"-by-action")):
            return self._told(FAULT, 500)
        return self._told(f"<{called}Response><sum>4711</sum></{called}Response>", 200)

    def _told(self, inner: str, status: int) -> Response:
        body = f'<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>{inner}</s:Body></s:Envelope>'
        return Response(status, ((b"Content-Type", b"text/xml"),), body.encode())


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: Case) -> None:
    service = Service()
    checks = plan(record(service, case.request), DEFAULT, credentials_of(case.request), (PROBE,))
    if case.expected == ("nothing is asked",):
        assert checks == []
        return
    run = drive(checks[0], service)
    assert case.expected == (run.verdict.outcome.value,)
    assert case.expected != ("safe",) or len(run.sent) <= checks[0].forecast


def test_what_lets_in_is_another_action_without_credentials() -> None:
    (case,) = [case for case in CASES if case.request.path == b"/by-action" and case.expected == ("vulnerable",)][:1]
    service = Service()
    (check,) = plan(record(service, case.request), DEFAULT, credentials_of(case.request), (PROBE,))
    verdict = drive(check, service).verdict
    assert (verdict.threat, verdict.cwe) == (75, (288, 290))
    assert verdict.proof is not None
    test = verdict.proof.test.request
    assert test.first(b"Authorization") is None
    assert b"GetLedger" in test.body
    assert b"GetLedger" not in (test.first(b"SOAPAction") or b"")


@pytest.mark.parametrize("known", [True, False])
def test_a_function_that_was_answered_without_credentials_is_named(*, known: bool) -> None:
    (case,) = [case for case in CASES if case.request.path == b"/by-list"]
    service = Service()
    (check,) = plan(record(service, case.request), DEFAULT, credentials_of(case.request), (PROBE,))
    for_everybody = msgspec.structs.replace(
        case.request,
        body=case.request.body.replace(b"GetLedger", b"ListPorts"),
        headers=tuple((name, value.replace(b"GetLedger", b"ListPorts")) for name, value in case.request.headers),
    )
    if known:
        (other,) = plan(record(service, for_everybody), DEFAULT, credentials_of(for_everybody), (PROBE,))
        situation = other.situation(Random(1))
        answered(PROBE.run(situation), service)
        told = situation.memory.told
    else:
        told = set()
    situation = msgspec.structs.replace(check.situation(Random(1)), memory=Memory(told=told))
    verdict = answered(PROBE.run(situation), service)
    assert (verdict.outcome.value == "vulnerable") is known
