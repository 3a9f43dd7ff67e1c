"""The probe xss, driven by hand against a board that shows things raw, escaped, or not at all."""

import html
import re
from urllib.parse import parse_qsl, unquote

import pytest
from tests.cases.case import Case, cases_of
from tests.core.testing.driving import Run, drive, record, runs
from tests.core.testing.probes.board import Board
from tests.core.testing.probes.told import told

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.policy import DEFAULT, THOROUGH
from gatecrash.core.testing.probes.xss import PROBE
from gatecrash.core.testing.surroundings.pages import Pages
from gatecrash.core.testing.verdict import Inconclusive, Outcome

CASES = [case for case in cases_of("probes") if case.file == "xss"]


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: Case, seed: int):
    assert case.expected == tuple(told(run) for run in runs(Board(), case.request, (PROBE,), seed=seed))


@pytest.mark.parametrize("case", [case for case in CASES if case.kind == "Not found"], ids=str)
def test_a_sound_point_costs_at_most_five_requests_and_eight_where_payloads_are_refused(case):
    refusing = any(word in str(case) for word in ("taken out", "let through", "is refused"))
    for run in runs(Board(), case.request, (PROBE,)):
        assert len(run.sent) <= (8 if refusing else 5)


def test_a_value_that_is_not_shown_costs_the_one_request_of_the_forecast():
    (run,) = runs(Board(), Request("GET", b"/static?q=tea"), (PROBE,))
    assert run.check.forecast == len(run.sent) == 1


def test_a_finding_shows_its_proof():
    (run,) = runs(Board(), Request("GET", b"/text?q=tea"), (PROBE,))
    verdict = run.verdict
    assert (verdict.type, verdict.cwe, verdict.threat) == ("xss", (79,), 65)
    assert b"onclick" in verdict.proof.test.response.body
    assert [each.purpose for each in run.sent] == ["test", "test", "control", "confirm"]


def test_a_policy_against_inline_scripts_lowers_the_threat_and_so_does_a_body_no_link_can_carry():
    (guarded,) = runs(Board(), Request("GET", b"/guarded?q=tea"), (PROBE,))
    assert guarded.verdict.threat == 45
    (body,) = runs(
        Board(), Request("POST", b"/text", ((b"Content-Type", b"application/json"),), b'{"q":"tea"}'), (PROBE,)
    )
    assert body.verdict.threat == 45


def test_an_echo_that_stops_on_the_way_is_no_finding():
    board, count = Board(), 0

    def application(request: Request) -> Response:
        nonlocal count
        count += 1
        return board(request) if count < 5 else Response(200)

    (check,) = plan(record(application, Request("GET", b"/text?q=tea")), DEFAULT, (), (PROBE,))
    assert drive(check, application).verdict.outcome.value == "safe"


def test_a_limiter_makes_it_inconclusive():
    (check,) = plan(record(Board(), Request("GET", b"/text?q=tea")), DEFAULT, (), (PROBE,))
    assert drive(check, lambda _: Response(429)).verdict.reason is Inconclusive.RATE_LIMITED


def test_what_one_page_escapes_another_may_lead_to():
    kept = ["https://a.example/"]

    def application(request: Request) -> Response:
        if request.method == "POST":
            kept[0] = dict(parse_qsl(request.body.decode()))["site"]
            return Response(303, ((b"Location", b"/desk"),))
        shown = html.escape(kept[0])
        body = f"<input value='{shown}'>" if request.path == b"/desk" else f"<a href='{shown}'>site</a>"
        return Response(200, ((b"Content-Type", b"text/html"),), body.encode())

    form = ((b"Content-Type", b"application/x-www-form-urlencoded"),)
    baseline = record(application, Request("POST", b"/desk", form, b"site=https%3A%2F%2Fa.example%2F"))
    pages = Pages()
    for target in (b"/desk", b"/people"):
        pages.add(record(application, Request("GET", target)).exchange)
    checks = plan(baseline, DEFAULT, (), (PROBE,), pages=pages.beside(baseline.request))
    (check,) = (each for each in checks if each.point[-1] == "site")
    verdict = drive(check, application).verdict
    assert (verdict.outcome, verdict.detail) == (
        Outcome.VULNERABLE,
        "stored, runs as the address in href of an element a",
    )


class Club:
    """Takes each name once, and passwords that are the same twice; greets by what it shows, as it was sent or escaped."""

    def __init__(self, shown: str, show=str) -> None:
        self.shown, self.show, self.names, self.last = shown, show, set(), {"name": "nobody", "town": "nowhere"}

    def __call__(self, request: Request) -> Response:
        if request.method == "POST":
            sent = dict(parse_qsl(request.body.decode()))
            if sent["name"] in self.names or sent["password"] != sent["again"]:
                return Response(200, ((b"Content-Type", b"text/html"),), b"<p>That cannot be.")
            self.names.add(sent["name"])
            self.last = sent
            return Response(302, ((b"Location", b"/home"),))
        return Response(
            200, ((b"Content-Type", b"text/html"),), f"<p>Hello {self.show(self.last[self.shown])}".encode()
        )


@pytest.mark.parametrize(
    ("club", "expected"),
    [(Club("name"), {"name"}), (Club("town"), {"town"}), (Club("town", html.escape), set())],
    ids=["the name that must be new", "a text beside it", "a text beside it, escaped"],
)
def test_what_a_new_member_says_is_shown_though_its_name_must_be_new_and_its_password_be_repeated(club, expected):
    form = ((b"Content-Type", b"application/x-www-form-urlencoded"),)
    baseline = record(club, Request("POST", b"/join", form, b"name=ann&town=Bern&password=ann&again=ann"))
    checks = plan(baseline, DEFAULT, (), (PROBE,))
    found = {check.point[-1] for check in checks if drive(check, club).verdict.outcome is Outcome.VULNERABLE}
    assert found == expected


def at_address(target: bytes, template: str, show=unquote) -> Run:
    """What is found of the address of a page that shows its own."""

    def application(request: Request) -> Response:
        own = show(request.target.decode())
        return Response(200, ((b"Content-Type", b"text/html"),), template.replace("@", own).encode())

    baseline = record(application, Request("GET", target))
    (check,) = (each for each in plan(baseline, DEFAULT, (), (PROBE,)) if tuple(each.point) == ("uri",))
    return drive(check, application)


@pytest.mark.parametrize("target", [b"/a/page.php", b"/a/page.php?x=1", b"/a/page", b"/a/page?x=1"])
@pytest.mark.parametrize("template", ["<p>You are at @</p>", '<form action="@">', "<script>var here = '@';</script>"])
def test_a_page_that_shows_its_own_address_decoded_runs_what_stands_behind_it(target: bytes, template: str):
    run = at_address(target, template)
    assert (run.verdict.outcome, run.verdict.threat) == (Outcome.VULNERABLE, 65)
    sent = [each.request.target for each in run.sent if each.purpose != "control"]
    assert all(each.startswith(target.partition(b"?")[0]) and b"<" not in each and b'"' not in each for each in sent)
    assert all(each.endswith(b"?x=1") == (target == b"/a/page.php?x=1") for each in sent)


@pytest.mark.parametrize(
    "show",
    [str, lambda target: html.escape(unquote(target)), lambda target: unquote(target).partition("?")[0][:12]],
    ids=["as browsers write it", "escaped", "its name alone"],
)
def test_an_address_that_stays_escaped_runs_nothing_and_costs_little(show):
    for target in (b"/a/page.php", b"/a/page"):
        run = at_address(target, '<form action="@">', show)
        assert run.verdict.outcome is Outcome.SAFE
        assert len(run.sent) <= 3


def test_what_is_no_page_or_shows_another_address_is_not_asked():
    def planned(body: bytes, kind: bytes) -> bool:
        baseline = record(lambda _: Response(200, ((b"Content-Type", kind),), body), Request("GET", b"/script"))
        return any(tuple(check.point) == ("uri",) for check in plan(baseline, DEFAULT, (), (PROBE,)))

    assert planned(b"<a href=/script>", b"text/html")
    assert not planned(b"<script></script><a href=/scripts>", b"text/html")
    assert not planned(b'"/script"', b"application/json")


def _river(request: Request) -> Response:
    """Two pages, and one that tells what is missing; ferries have a page of their own for what is missing."""
    path = unquote(request.target.decode("latin-1"))
    if path in ("/quay/plan", "/dock/plan", "/ferries/anna"):
        return Response(200, HTML, b"<h1>Sound</h1>")
    if path.startswith("/ferries/"):
        return Response(404, HTML, f"<p>No ferry is called {path.removeprefix('/ferries/')}</p>".encode())
    return Response(404, HTML, f"<p>There is nothing at {path}</p>".encode())


HTML = ((b"Content-Type", b"text/html"),)


def test_what_a_host_says_of_any_missing_address_is_found_once():
    found: list[tuple[str, ...]] = []
    told_of: set[tuple[str, ...]] = set()
    for target in (b"/quay/plan", b"/dock/plan"):
        for check in plan(record(_river, Request("GET", target)), DEFAULT, (), (PROBE,), told=told_of):
            run = drive(check, _river)
            found += [run.verdict.point] if run.verdict.outcome is Outcome.VULNERABLE else []
    assert len(found) == 1


def test_what_an_address_says_of_its_own_missing_names_is_found_beside_it():
    told_of: set[tuple[str, ...]] = set()
    for target in (b"/quay/plan", b"/ferries/anna"):
        checks = plan(record(_river, Request("GET", target)), DEFAULT, (), (PROBE,), told=told_of)
        verdicts = [drive(check, _river).verdict for check in checks]
        assert ("path", "1") in [each.point for each in verdicts if each.outcome is Outcome.VULNERABLE]


@pytest.mark.parametrize(("shown", "expected"), [(html.escape, Outcome.SAFE), (str, Outcome.VULNERABLE)])
def test_a_link_back_to_the_referer_is_no_script_as_browsers_write_an_address_there(shown, expected):
    def application(request: Request) -> Response:
        referer = (request.first(b"Referer") or b"").decode("latin-1")
        return Response(200, HTML, f'<a href="{shown(referer)}">back</a>'.encode())

    request = Request("GET", b"/visit", ((b"Host", b"x"), (b"Referer", b"https://x/home")), b"", "https", "x", 443)
    made = runs(application, request, (PROBE,), THOROUGH)
    assert [run.verdict.outcome for run in made if run.verdict.point == ("header", "REFERER")] == [expected]


LINK = re.compile(r"\[(\w+)\]\(([^()\s]+(?:\(\)[^()\s]*)?)\)")
LINK_UP_TO_ITS_FIRST_BRACKET = re.compile(r"\[(\w+)\]\(([^()\s]+)\)")
LINK_IN_BBCODE = re.compile(r"\[(url)=([^\]]+)\]\w+\[/url\]")


@pytest.mark.parametrize("language", [LINK, LINK_UP_TO_ITS_FIRST_BRACKET, LINK_IN_BBCODE])
@pytest.mark.parametrize(
    ("allowed", "expected"),
    [("", Outcome.VULNERABLE), ("https?:|/", Outcome.SAFE)],
)
def test_a_text_of_which_the_page_makes_links_may_hold_one_that_is_a_script(language, allowed, expected):
    def linked(found: re.Match[str]) -> str:
        kept = re.match(allowed, html.unescape(found[2]))
        return f'<a href="{found[2]}">{found[1]}</a>' if kept else found[0]

    def application(request: Request) -> Response:
        written = html.escape(parse_qsl(request.body.decode())[0][1]).replace("&amp;#", "&#")
        return Response(200, HTML, f"<p>{language.sub(linked, written)}</p>".encode())

    form = ((b"Content-Type", b"application/x-www-form-urlencoded"),)
    (run,) = runs(application, Request("POST", b"/preview", form, b"text=tea"), (PROBE,))
    assert run.verdict.outcome is expected
    assert len(run.sent) <= (9 if expected is Outcome.VULNERABLE else 5)
