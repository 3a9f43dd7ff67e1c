"""The probe ptrav_layout, driven against the range's places over a real port."""

import pytest
from tests.core.testing.driving import drive, record
from tests.core.testing.probes.at_range import AtRange

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.derive import Check, plan
from gatecrash.core.testing.payloads.ptrav import LEVELS
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probes.ptrav_layout import PROBE
from gatecrash.core.testing.verdict import Outcome

HTML = ((b"Content-Type", b"text/html; charset=utf-8"),)


class TestProbe(AtRange):
    name = "ptrav_layout"
    probe = PROBE

    @property
    def check(self) -> Check:
        """The check of a page, which a text is not."""
        return plan(record(lambda _: Response(200, HTML, b"<p>tea</p>"), self.found), DEFAULT, (), (PROBE,))[0]


def test_a_sound_page_costs_one_request():
    def sound(_request: Request) -> Response:
        return Response(200, HTML, b"<p>Ann</p>")

    (check,) = plan(record(sound, Request("GET", b"/card?name=Ann")), DEFAULT, (), (PROBE,))
    run = drive(check, sound)
    assert run.verdict.outcome is Outcome.SAFE
    assert [sent.request.target for sent in run.sent] == [
        b"/card?name=Ann&layout=" + b"../" * LEVELS + b"etc/resolv.conf"
    ]


def test_a_page_that_shows_a_resolver_itself_is_sound():
    def help_page(_request: Request) -> Response:
        return Response(200, HTML, b"<pre>nameserver 10.0.0.2</pre>")

    (check,) = plan(record(help_page, Request("GET", b"/help?topic=dns")), DEFAULT, (), (PROBE,))
    assert drive(check, help_page).verdict.outcome is Outcome.SAFE


@pytest.mark.parametrize(
    ("method", "target", "response"),
    [
        ("GET", b"/card", Response(200, HTML, b"<p>")),
        ("GET", b"/card?layout=wide", Response(200, HTML, b"<p>")),
        ("POST", b"/card?name=Ann", Response(200, HTML, b"<p>")),
        ("GET", b"/card?name=Ann", Response(404, HTML, b"<p>")),
        ("GET", b"/card?name=Ann", Response(200, ((b"Content-Type", b"application/json"),), b"{}")),
    ],
)
def test_only_pages_with_a_query_that_names_no_layout_are_asked_for(method: str, target: bytes, response: Response):
    assert plan(record(lambda _: response, Request(method, target)), DEFAULT, (), (PROBE,)) == []
