"""The probe for lists that a page shows without escaping them, driven against the range's places over a real port."""

from urllib.parse import unquote_to_bytes

import pytest
from tests.core.testing.driving import drive, record
from tests.core.testing.probes.at_range import WITHOUT_NAMES, AtRange
from tests.range.place import respond

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.derive import Check, plan
from gatecrash.core.testing.policy import DEFAULT, QUICK, Policy
from gatecrash.core.testing.probes.xss_listed import PROBE
from gatecrash.core.testing.verdict import Outcome

HTML = (b"Content-Type", b"text/html")
NODE = (b"X-Powered-By", b"Express")
SEARCH = Request("GET", b"/search?q=tea")


def checks(request: Request, *headers: tuple[bytes, bytes], policy: Policy = DEFAULT, status: int = 200) -> list[Check]:
    page = Response(status, headers, b"<p>tea</p>")
    return plan(record(lambda _: page, request), policy, (), (PROBE,))


class TestProbe(AtRange):
    name = "xss_listed"
    probe = PROBE

    @property
    def check(self) -> Check:
        return checks(self.found, HTML, NODE)[0]


def test_pages_of_node_are_asked_by_default_and_all_others_thoroughly():
    assert len(checks(SEARCH, HTML, NODE)) == 1
    assert checks(SEARCH, HTML) == []
    assert len(checks(SEARCH, HTML, policy=WITHOUT_NAMES)) == 1
    assert checks(SEARCH, HTML, NODE, policy=QUICK) == []


@pytest.mark.parametrize(
    ("request_", "headers", "status"),
    [
        (SEARCH, ((b"Content-Type", b"application/json"), NODE), 200),
        (SEARCH, (HTML, NODE), 404),
        (Request("GET", b"/search/tea"), (HTML, NODE), 200),
        (Request("GET", b"/search?q%5B%5D=tea"), (HTML, NODE), 200),
        (Request("POST", b"/search", ((b"Content-Type", b"application/json"),), b'{"q": ["tea"]}'), (HTML, NODE), 200),
    ],
    ids=["no page", "an error", "no place for a list", "a list already", "within a list already"],
)
def test_where_nothing_is_asked(request_: Request, headers: tuple[tuple[bytes, bytes], ...], status: int):
    assert checks(request_, *headers, status=status) == []


def test_a_page_that_does_not_show_its_value_costs_one_request():
    page = Response(200, (HTML, NODE), b"<p>Thank you.</p>")
    (check,) = plan(record(lambda _: page, SEARCH), DEFAULT, (), (PROBE,))
    assert len(drive(check, lambda _: page).sent) == check.forecast == 1


def test_what_runs_as_a_text_is_no_matter_of_lists():
    def shows_all(request: Request) -> Response:
        return Response(
            200, (HTML, NODE), b"<p>" + request.target.replace(b"%3C", b"<").replace(b"%3E", b">") + b"</p>"
        )

    (check,) = plan(record(shows_all, SEARCH), DEFAULT, (), (PROBE,))
    assert drive(check, shows_all).verdict.outcome is Outcome.SAFE


def test_both_of_a_list_are_sent_and_the_proof_shows_the_text_alone():
    (check,) = plan(record(respond, Request("GET", b"/pages-listed/escapes-texts?q=tea")), DEFAULT, (), (PROBE,))
    verdict = drive(check, respond).verdict
    assert verdict.proof is not None
    assert verdict.proof.test.request.target.endswith(b"&q=")
    assert b"&" not in verdict.proof.control.request.target


def test_what_shows_no_text_but_reckons_with_lists_is_no_page_that_escapes_texts():
    def reckons(request: Request) -> Response:
        listed = request.target.count(b"q=") > 1
        shown = unquote_to_bytes(request.target) if listed else b"We could not do this."
        return Response(200, (HTML, NODE), b"<p>" + shown + b"</p>")

    (check,) = plan(record(reckons, SEARCH), DEFAULT, (), (PROBE,))
    assert drive(check, reckons).verdict.outcome is Outcome.SAFE
