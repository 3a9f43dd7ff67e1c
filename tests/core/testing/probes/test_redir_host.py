"""The probe redir_host, driven against the range's places over a real port."""

import msgspec
from tests.core.testing.driving import drive, record
from tests.core.testing.probes.at_range import WITHOUT_NAMES, AtRange

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.pacing.collecting import collect
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probes.redir_host import PROBE
from gatecrash.core.testing.verdict import Outcome

MOVED = Response(302, ((b"Location", b"http://shop.example/start"),))
VISIT = Request("GET", b"/", ((b"Host", b"shop.example"),), host="shop.example")


class TestProbe(AtRange):
    name = "redir_host"
    probe = PROBE

    @property
    def check(self):
        (check,) = plan(record(lambda _: MOVED, VISIT), WITHOUT_NAMES, (), (PROBE,))
        return check


def test_the_header_that_is_read_is_the_point_of_the_finding():
    def application(request: Request) -> Response:
        forwarded = (request.first(b"Forwarded") or b"host=shop.example").partition(b"=")[2]
        return Response(302, ((b"Location", b"http://" + forwarded + b"/start"),))

    (check,) = plan(record(application, VISIT), WITHOUT_NAMES, (), (PROBE,))
    run = drive(check, application)
    assert (run.verdict.outcome, run.verdict.point) == (Outcome.VULNERABLE, ("header", "FORWARDED"))
    assert all(asked.request.host == "shop.example" for asked in run.sent)


def test_one_request_tells_that_nothing_is_read():
    (check,) = plan(record(lambda _: MOVED, VISIT), WITHOUT_NAMES, (), (PROBE,))
    run = drive(check, lambda _: MOVED)
    assert (run.verdict.outcome, len(run.sent)) == (Outcome.SAFE, check.forecast)


def test_only_policies_that_look_at_headers_ask():
    assert plan(record(lambda _: MOVED, VISIT), DEFAULT, (), (PROBE,)) == []
    assert plan(record(lambda _: Response(200, (), b"shop.example"), VISIT), WITHOUT_NAMES, (), (PROBE,)) == []


def test_of_one_folders_redirects_the_first_is_tested_and_each_reset():
    seen: set[tuple[str, ...]] = set()
    for method, path, kept in (
        ("GET", b"/shop/a", 1),
        ("GET", b"/shop/b", 0),
        ("POST", b"/shop/b", 1),
        ("GET", b"/blog/a", 1),
    ):
        visit = msgspec.structs.replace(VISIT, target=path, method=method)
        assert len(collect(plan(record(lambda _: MOVED, visit), WITHOUT_NAMES, (), (PROBE,)), seen)) == kept
    for path in (b"/reset", b"/forgot"):
        asked = msgspec.structs.replace(VISIT, target=path, method="POST")
        assert len(collect(plan(record(lambda _: MOVED, asked), WITHOUT_NAMES, (), (PROBE,)), seen)) == 1
