"""The probe ssti_options, driven against the range's places over a real port."""

import pytest
from tests.core.testing.driving import drive, record
from tests.core.testing.probes.at_range import AtRange

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.derive import Check, plan
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probes.ssti_options import PROBE
from gatecrash.core.testing.verdict import Outcome

HTML = ((b"Content-Type", b"text/html; charset=utf-8"),)


class TestProbe(AtRange):
    name = "ssti_options"
    probe = PROBE

    @property
    def check(self) -> Check:
        """The check of a page, which a text is not."""
        return plan(record(lambda _: Response(200, HTML, b"<p>tea</p>"), self.found), DEFAULT, (), (PROBE,))[0]


def test_neither_framework_nor_engine_is_let_keep_what_was_sent():
    def sound(_request: Request) -> Response:
        return Response(200, HTML, b"<p>Ann</p>")

    (check,) = plan(record(sound, Request("GET", b"/card?name=Ann")), DEFAULT, (), (PROBE,))
    run = drive(check, sound)
    assert run.verdict.outcome is Outcome.SAFE
    (asked,) = run.sent
    assert asked.request.target.startswith(b"/card?name=Ann&cache=&settings%5Bview%20options%5D%5Bcache%5D=&")


@pytest.mark.parametrize(
    ("kind", "body", "begins"),
    [
        (
            b"application/x-www-form-urlencoded",
            b"name=Ann",
            b"name=Ann&cache=&settings%5Bview%20options%5D%5Bcache%5D=&",
        ),
        (b"application/json", b' {"name":"Ann"}', b' {"cache":"","settings":{"view options":{"cache":"",'),
    ],
)
def test_what_a_body_holds_stays_beside_the_options(kind: bytes, body: bytes, begins: bytes):
    def sound(_request: Request) -> Response:
        return Response(200, HTML, b"<p>Ann</p>")

    recorded = Request("POST", b"/card", headers=((b"Content-Type", kind),), body=body)
    (check,) = plan(record(sound, recorded), DEFAULT, (), (PROBE,))
    (asked,) = drive(check, sound).sent
    assert asked.request.body.startswith(begins)
    assert body.strip(b" {}") in asked.request.body
    assert asked.request.target == b"/card"


@pytest.mark.parametrize("body", [b"", b"{}", b"[]", b'"Ann"'])
def test_an_object_without_members_has_nothing_beside_it(body: bytes):
    recorded = Request("POST", b"/card", headers=((b"Content-Type", b"application/json"),), body=body)
    assert plan(record(lambda _: Response(200, HTML, b"<p>"), recorded), DEFAULT, (), (PROBE,)) == []


@pytest.mark.parametrize(
    ("method", "target", "response"),
    [
        ("GET", b"/card", Response(200, HTML, b"<p>")),
        ("POST", b"/card?name=Ann", Response(200, HTML, b"<p>")),  # it sends no body
        ("GET", b"/card?name=Ann", Response(404, HTML, b"<p>")),
        ("GET", b"/card?name=Ann", Response(200, ((b"Content-Type", b"application/json"),), b"{}")),
    ],
)
def test_only_pages_with_a_query_are_asked_for(method: str, target: bytes, response: Response):
    assert plan(record(lambda _: response, Request(method, target)), DEFAULT, (), (PROBE,)) == []
