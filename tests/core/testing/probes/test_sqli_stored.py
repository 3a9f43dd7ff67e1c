"""The probe sqli_stored: what one request keeps, and a page of the run reads back into a statement."""

from random import Random

import pytest
from tests.cases.case import Case
from tests.core.testing.driving import drive, record
from tests.core.testing.probes.at_range import cases, run_case, told_all
from tests.range.place import respond
from tests.range.second_order import KEPT

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.pages import Pages
from gatecrash.core.testing.policy import THOROUGH
from gatecrash.core.testing.probes.sqli_stored import PROBE
from gatecrash.core.testing.verdict import Outcome

START = dict(KEPT)
JSON = ((b"Content-Type", b"application/json"),)


@pytest.fixture(autouse=True)
def nothing_kept():
    KEPT.update(START)


def checks(path: bytes, page: bytes, application=respond):
    """The probe's checks of a POST, with one page known."""
    pages = Pages()
    pages.add(record(application, Request("GET", page)).exchange)
    request = Request("POST", path, JSON, b'{"nick": "tea"}')
    return plan(record(application, request), THOROUGH, (), (PROBE,), pages=pages.beside(request))


@pytest.mark.parametrize("case", cases("sqli_stored"), ids=str)
def test_case(case: Case):
    assert case.expected == told_all(run_case(case.request, PROBE))


@pytest.mark.parametrize("seed", range(3))
def test_a_page_of_the_run_that_joins_what_was_kept_is_found(seed):
    (check,) = checks(b"/second-order/friends-save", b"/second-order/friends")
    verdict = drive(check, respond, seed).verdict
    assert (verdict.outcome, verdict.point[-1]) == (Outcome.VULNERABLE, "nick")
    assert "/second-order/friends" in verdict.proof.verified_by
    assert verdict.proof.test.request.method == "POST"


@pytest.mark.parametrize(
    ("path", "page"),
    [
        (b"/second-order/friends-bound-save", b"/second-order/friends-bound"),
        (b"/second-order/words-save", b"/second-order/words"),
    ],
    ids=["bound", "any quote, doubled or not"],
)
def test_twins_are_safe(path, page):
    (check,) = checks(path, page)
    assert drive(check, respond).verdict.outcome is Outcome.SAFE


def test_what_breaks_at_random_because_others_write_there_too_is_no_finding():
    for seed in range(200):
        random = Random(seed)

        def application(request: Request, random: Random = random) -> Response:
            broken = request.method == "GET" and random.random() < 0.5
            return Response(500, (), b'near "x": syntax error') if broken else Response(200, JSON, b'{"saved": true}')

        for check in checks(b"/save", b"/page", lambda request: Response(200, JSON, b'{"saved": true}')):
            assert drive(check, application, seed).verdict.outcome is not Outcome.VULNERABLE


def test_nothing_is_sent_where_no_page_is_known():
    request = Request("POST", b"/second-order/friends-save", JSON, b'{"nick": "tea"}')
    assert plan(record(respond, request), THOROUGH, (), (PROBE,)) == []


def test_a_sound_point_costs_what_was_forecast():
    (check,) = checks(b"/second-order/friends-bound-save", b"/second-order/friends-bound")
    assert len(drive(check, respond).sent) == check.forecast == 2
