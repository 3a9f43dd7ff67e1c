"""The probe ptrav_extension, driven against the range's places over a real port."""

import pytest
from tests.core.testing.driving import drive, record
from tests.core.testing.probes.at_range import AtRange

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probes.ptrav_extension import PROBE
from gatecrash.core.testing.verdict import Outcome

SERVERS = b"nameserver 192.0.2.53\n"


class TestProbe(AtRange):
    name = "ptrav_extension"
    probe = PROBE


def outcome(application, target: bytes = b"/look/site.css") -> tuple[Outcome, int]:
    (check,) = plan(record(application, Request("GET", target)), DEFAULT, (), (PROBE,))
    run = drive(check, application)
    return run.verdict.outcome, len(run.sent)


@pytest.mark.parametrize("up", [b"/../", b"%2e%2e%2f"])
def test_steps_up_are_followed_as_they_are_or_decoded(up: bytes):
    def application(request: Request) -> Response:
        there = up in request.target and request.target.endswith((b"../etc/resolv.conf", b"%2fetc%2fresolv.conf"))
        if there:
            return Response(200, (), SERVERS)
        return Response(200, (), b"body {}") if request.target == b"/look/site.css" else Response(404)

    assert outcome(application)[0] is Outcome.VULNERABLE


def test_who_answers_any_name_so_shows_nothing():
    def application(request: Request) -> Response:
        return Response(200, (), SERVERS if b"resolv.conf" in request.target else b"body {}")

    assert outcome(application)[0] is Outcome.SAFE


def test_a_sound_file_costs_four_requests_and_a_page_none():
    assert outcome(lambda _: Response(200, (), b"body {}")) == (Outcome.SAFE, 4)
    assert not plan(record(lambda _: Response(200, (), b"page"), Request("GET", b"/look")), DEFAULT, (), (PROBE,))
