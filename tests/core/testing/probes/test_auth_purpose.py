"""The probe auth_purpose, driven against the range's logins over a real port."""

import pytest
from tests.cases.case import Case
from tests.core.testing.driving import Run, drive, record
from tests.core.testing.probes.at_range import cases, run_case
from tests.range.handing import login
from tests.range.place import respond

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.policy import DEFAULT, PUBLIC_AUTH
from gatecrash.core.testing.probes.auth_purpose import PROBE
from gatecrash.core.testing.profiles.planning import limited
from gatecrash.core.testing.surroundings.pages import Pages


def told(runs: list[Run]) -> str:
    if not runs:
        return "not asked"
    verdict = runs[0].verdict
    more = verdict.title or (verdict.reason.value.replace("_", " ") if verdict.reason else "")
    return f"{verdict.outcome.value}: {more}" if more else verdict.outcome.value


@pytest.mark.parametrize("case", cases("auth_purpose"), ids=str)
def test_case(case: Case):
    assert case.expected == (told(run_case(case.request, PROBE)),)


def test_a_recorded_request_with_a_token_in_its_header_is_asked_with_the_others():
    """Where tokens stand is known from the record, under whatever header; the tokens themselves are not kept."""

    def respond_(request: Request) -> Response:
        if request.method == "POST":
            return Response(200, (), b'{"token": "first-0123456789abcdef", "refresh_token": "later-0123456789abcdef"}')
        sent = request.first(b"X-Access-Token") or b""
        known = sent in (b"Bearer first-0123456789abcdef", b"Bearer later-0123456789abcdef")
        return Response(200, (), b'{"owner": "ann", "box": 7}') if known else Response(401, (), b"{}")

    pages = Pages()
    asked = Request("GET", b"/box", ((b"X-Access-Token", b"Bearer somebody-0123456789"),))
    pages.add(Exchange(asked, Response(200, (), b'{"owner": "ann", "box": 7}')))
    baseline = Baseline("bl_1", Exchange(login(""), respond_(login(""))))
    (check,) = plan(baseline, DEFAULT, (), (PROBE,), pages=pages.beside(baseline.request))
    run = drive(check, respond_)
    assert run.verdict.detail == "refresh_token at GET /box"
    assert run.verdict.proof.test.request.first(b"X-Access-Token") == b"Bearer later-0123456789abcdef"


def test_it_looks_at_answers_of_requests_that_are_for_everybody():
    """A profile's credentials are put on a login as well; what it hands out is looked at all the same."""
    public = limited(DEFAULT, (), public=True)
    assert PUBLIC_AUTH in public.types
    baseline = record(respond, login("/handing/refresh-lets-in"))
    assert [check.probe.name for check in plan(baseline, public, (), (PROBE,))] == ["purpose"]


def test_pages_that_everybody_is_shown_with_a_token_sent_along_are_no_end_of_it():
    tokens = (b"Bearer first-0123456789abcdef", b"Bearer later-0123456789abcdef")

    def respond_(request: Request) -> Response:
        if request.method == "POST":
            return Response(200, (), b'{"token": "first-0123456789abcdef", "refresh_token": "later-0123456789abcdef"}')
        if request.path.startswith(b"/open"):
            return Response(200, (), b'{"open": "9 to 17"}')
        known = request.path == b"/box" and request.first(b"Authorization") in tokens
        return Response(200, (), b'{"owner": "ann", "box": 7}') if known else Response(401, (), b"{}")

    pages = Pages()
    for path in (*(b"/open/%d" % number for number in range(5)), b"/box"):
        asked = Request("GET", path, ((b"Authorization", b"Bearer somebody-0123456789"),))
        pages.add(Exchange(asked, respond_(Request("GET", path, ((b"Authorization", tokens[0]),)))))
    baseline = Baseline("bl_1", Exchange(login(""), respond_(login(""))))
    (check,) = plan(baseline, DEFAULT, (), (PROBE,), pages=pages.beside(baseline.request))
    assert drive(check, respond_).verdict.detail == "refresh_token at GET /box"


@pytest.mark.parametrize("base", [b"", b"/api/v1"])
@pytest.mark.parametrize(("lax", "told_"), [(b"/shop/", "refresh_token at GET {}/shop/orders"), (b"/none/", "")])
def test_each_service_behind_a_gateway_is_asked(base: bytes, lax: bytes, told_: str):
    access, refresh = (b"Bearer first-0123456789abcdef", b"Bearer later-0123456789abcdef")

    def respond_(request: Request) -> Response:
        if request.method == "POST":
            return Response(200, (), b'{"token": "first-0123456789abcdef", "refresh_token": "later-0123456789abcdef"}')
        sent = request.first(b"Authorization")
        known = sent == access or (lax in request.path and sent == refresh)
        return Response(200, (), b'{"owner": "ann", "box": 7}') if known else Response(401, (), b"{}")

    pages = Pages()
    paths = (b"/account/me", *(b"/account/%d" % number for number in range(9)), b"/shop/orders")
    for path in paths:
        asked = Request("GET", base + path, ((b"Authorization", b"Bearer somebody-0123456789"),))
        pages.add(Exchange(asked, respond_(Request("GET", base + path, ((b"Authorization", access),)))))
    baseline = Baseline("bl_1", Exchange(login(""), respond_(login(""))))
    (check,) = plan(baseline, DEFAULT, (), (PROBE,), pages=pages.beside(baseline.request))
    assert drive(check, respond_).verdict.detail == (told_.format(base.decode()) or "only the access token is taken")
