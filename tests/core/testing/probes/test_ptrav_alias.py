"""The probe ptrav_alias, driven against the range's places over a real port."""

import pytest
from tests.core.testing.driving import drive, record
from tests.core.testing.probes.at_range import AtRange

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probes.ptrav_alias import PROBE
from gatecrash.core.testing.verdict import Outcome


class TestProbe(AtRange):
    name = "ptrav_alias"
    probe = PROBE


def aliased(request: Request) -> Response:
    """`location /assets { alias /srv/assets/; }`, without listings."""
    if not request.path.startswith(b"/assets"):
        return Response(404)
    rest = request.path.removeprefix(b"/assets")
    return Response(200, (), b"logo") if rest in (b"/img/logo.svg", b"./img/logo.svg") else Response(_status(rest))


def _status(rest: bytes) -> int:
    return 403 if rest in (b"/", b"../", b"/img/") else 404


def test_the_first_folder_of_an_address_is_left_too_and_nothing_is_read_there():
    request = Request("GET", b"/assets/img/logo.svg?v=3")
    (check,) = plan(record(aliased, request), DEFAULT, (), (PROBE,))
    run = drive(check, aliased)
    assert run.verdict.outcome is Outcome.VULNERABLE
    assert run.verdict.proof.test.request.target == b"/assets../"
    beside = [asked.request.target for asked in run.sent if asked.request.target.startswith(b"/assets../")]
    assert all(target.endswith(b"/") for target in beside)


def test_a_folder_that_cannot_be_told_from_nothing_is_no_finding():
    def hiding(request: Request) -> Response:
        response = aliased(request)
        return Response(404) if response.status == 403 else response

    (check,) = plan(record(hiding, Request("GET", b"/assets/img/logo.svg")), DEFAULT, (), (PROBE,))
    assert drive(check, hiding).verdict.outcome is Outcome.SAFE


@pytest.mark.parametrize(
    ("method", "target", "status"),
    [
        ("POST", b"/assets/logo.svg", 200),
        ("GET", b"/assets/logo.svg", 404),
        ("GET", b"/assets/logo", 200),
        ("GET", b"/logo.svg", 200),
        ("GET", b"/assets/.well-known/", 200),
    ],
)
def test_only_files_in_folders_are_asked_for(method: str, target: bytes, status: int):
    baseline = record(lambda _: Response(status, (), b"logo"), Request(method, target))
    assert plan(baseline, DEFAULT, (), (PROBE,)) == []


def test_one_file_stands_for_its_folder():
    one, two, other = (Request("GET", each) for each in (b"/a/b.css", b"/a/c.css", b"/d/b.css"))
    assert PROBE.collected(one) == PROBE.collected(two) != PROBE.collected(other)
    assert PROBE.collected(Request("GET", b"/a/b")) is None
