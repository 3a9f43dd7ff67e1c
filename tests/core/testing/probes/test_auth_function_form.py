"""The probe auth_function_form, driven as a manager and a member at a small site whose forms all answer with a redirect."""

import html
import itertools
from urllib.parse import parse_qs, urlencode

import pytest
from tests.cases.case import Case, cases_of
from tests.core.testing.driving import Run, credentials_of, record
from tests.core.testing.probes.as_tenants import drive_as, told
from tests.range.tenants_store import OPAQUE

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.known.page import Page
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probes import auth_function_form
from gatecrash.core.testing.verdict import Outcome

MANAGER, MEMBER = OPAQUE["ida"].encode(), OPAQUE["ann"].encode()
CASES = [case for case in cases_of("probes") if case.file == "auth_function_form"]
KNOWN = (Identity("ida", 9), Identity("ann", 1))
FORM = (b"Content-Type", b"application/x-www-form-urlencoded")
PAGE = (b"Content-Type", b"text/html; charset=utf-8")


class Site:
    """News, settings and members that managers keep; the first word of an address says what became of the check."""

    def __init__(self, disturbed: int = -1) -> None:
        """disturbed: at which reading of a page another test has changed what it shows, for once."""
        self.disturbed = disturbed
        self.news = ["summer is here"]
        self.log: list[str] = []
        self.flash: dict[bytes, str] = {}
        self.named, self.locked, self.role, self.lit = "the old mill", False, "reader", False
        self.read = itertools.count()

    def __call__(self, request: Request) -> Response:
        _, kind, *more = request.path.decode().split("/")
        who = request.first(b"Authorization") or b""
        if who not in (MANAGER, MEMBER) and kind != "anybody":
            return led_to("/login")
        place = "/".join(more)
        if request.method == "GET" and kind == "form-page" and place == "desk/news/new" and who == MEMBER:
            return Response(403)
        if request.method == "GET":
            is_read = who == MANAGER or kind in ("everybodys", "anybody", "form-page")
            return self._page(kind, place, who) if is_read else led_to("/home")
        form = {name: values[0] for name, values in parse_qs(request.body.decode()).items()}
        if who == MANAGER or kind in ("open", "anybody", "everybodys", "form-page", "sent-away"):
            self._do(place, form)
            self.flash[who] = "done"
        else:
            self.flash[who] = "You are not allowed to do this."
            self.log.append(f"{who[-4:].decode()}: {place} {urlencode(form)}")
            if kind == "table-of-refusals":
                self.log.append("\0".join((place, *form.values())))
        away = kind in ("to-login", "sent-away") and who != MANAGER
        return led_to("/login" if away else f"/{kind}/desk/{more[1]}")

    def _do(self, place: str, form: dict[str, str]) -> None:
        if place == "desk/news/add":
            self.news.append(form["headline"])
        elif place == "desk/settings":
            self.named = form["site_name"]
        elif place == "desk/members/7/lock":
            self.locked = True
        elif place == "desk/members/7/unlock":
            self.locked = False
        elif place == "desk/members/7/role":
            self.role = form["role"]
        elif place == "desk/lamp/toggle":
            self.lit = not self.lit

    def _page(self, kind: str, place: str, who: bytes) -> Response:
        turn = next(self.read)
        flash = self.flash.pop(who, "")
        said = [f"<p class=flash>{flash}</p>" if flash else ""]
        if place.startswith("desk/news"):
            said += ["<ul>", *(f"<li>{html.escape(each)}</li>" for each in self.news), "</ul>"]
            cells = (each.split("\0") for each in self.log)
            said += ["<table>", *(f"<tr><td>{'</td><td>'.join(map(html.escape, row))}</td></tr>" for row in cells)]
        elif place.startswith("desk/settings"):
            said.append(f"<form method=post><input name=site_name value='{html.escape(self.named)}'></form>")
        elif place.startswith("desk/members"):
            flips = self.locked is (turn != self.disturbed) if kind != "moves-by-itself" else turn % 3 == 0
            word, state = ("unlock", "locked") if flips else ("lock", "free")
            said.append(f"<table><tr><td>Bea</td><td>{state}</td><td>{self.role}</td></tr></table>")
            said.append(f"<form method=post action='/{kind}/desk/members/7/{word}'><button>{word}</button></form>")
            options = "".join(
                f"<option value={each}{' selected' if each == self.role else ''}>{each}</option>"
                for each in ("reader", "editor", "admin")
            )
            said.append(
                f"<form method=post action='/{kind}/desk/members/7/role'><select name=role>{options}</select></form>"
            )
        elif place.startswith("desk/lamp"):
            said.append(f"<p>The lamp is {'on' if self.lit else 'off'}</p>")
        said.append(f"<footer>page {turn}, refused: {len(self.log)}</footer>")
        return Response(200, (PAGE,), "\n".join(said).encode())


def led_to(target: str) -> Response:
    return Response(302, ((b"Location", target.encode()),))


def asked(path: str, body: bytes = b"", page: str = "") -> Request:
    headers = ((b"Authorization", MANAGER), (b"Host", b"a"), FORM, (b"Referer", f"http://a{page}".encode()))
    return Request("POST", path.encode(), headers=headers, body=body, host="a")


def run_at(
    path: str, body: bytes = b"", known=KNOWN, site: Site | None = None, seed: int = 1, page: str = "", pages=()
) -> tuple[Site, list[Run]]:
    site = site or Site()
    request = asked(path, body, page)
    baseline = record(site, request)
    probes = (auth_function_form.PROBE,)
    checks = plan(baseline, DEFAULT, credentials_of(request), probes, identities=known, pages=pages)
    return site, [drive_as(check, site, seed) for check in checks]


@pytest.mark.parametrize("case", CASES, ids=str)
@pytest.mark.parametrize("seed", range(3))
def test_case(case: Case, seed: int):
    _, runs = run_at(case.request.path.decode(), case.request.body, seed=seed)
    assert case.expected == tuple(map(told, runs))


@pytest.mark.parametrize(
    ("page", "outcome"),
    [("/form-page/desk/news/new", Outcome.VULNERABLE), ("/form-page/desk/news", Outcome.SAFE)],
)
def test_a_form_is_for_whom_its_page_is_shown_to_though_everybody_reads_what_it_writes(page: str, outcome: Outcome):
    _, (run,) = run_at("/form-page/desk/news/add", b"headline=winter+is+near", page=page)
    assert run.verdict.outcome is outcome


def test_the_page_of_a_form_is_known_by_the_record_where_the_request_names_none():
    """The form of the page `new` is sent to `add`; no other page says that the function is for the higher identity."""
    path = b"/form-page/desk/news/add"
    page = Page(Request("GET", b"/form-page/desk/news/new", host="a"), rendered=True, forms=frozenset({path}))
    outcomes = [
        run_at(path.decode(), b"headline=winter+is+near", pages=pages)[1][0].verdict.outcome for pages in ((), (page,))
    ]
    assert outcomes == [Outcome.SAFE, Outcome.VULNERABLE]


def test_a_finding_is_broken_authorization_and_tells_what_was_read():
    _, (run,) = run_at("/open/desk/members/7/lock")
    assert (run.verdict.type, run.verdict.cwe, run.verdict.threat) == ("auth", (285,), 88)
    assert "by 'lock' that it governs what others may do" in run.verdict.proof.verified_by


def test_a_section_that_the_lower_identity_is_led_away_from_says_whom_it_is_for():
    _, (run,) = run_at("/open/desk/lamp/toggle")
    assert "/open/desk/lamp/toggle, asked by GET, is refused to the same identity." in run.verdict.proof.verified_by


@pytest.mark.parametrize("kind", ["open", "to-login"])
@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("desk/members/7/lock", b""),
        ("desk/members/7/role", b"role=editor"),
        ("desk/settings", b"site_name=the+new+mill"),
        ("desk/lamp/toggle", b""),
    ],
)
def test_all_is_left_as_it_was_recorded(kind: str, path: str, body: bytes):
    site = Site()
    run_at(f"/{kind}/{path}", body, site=site)
    left = (site.locked, site.role, site.named, site.lit)
    again = Site()
    again(asked(f"/{kind}/{path}", body))
    assert left == (again.locked, again.role, again.named, again.lit)


def test_what_was_taken_back_in_the_record_is_left_taken_back():
    site = Site()
    request = asked("/open/desk/members/7/lock")
    baseline = record(site, request)
    site(asked("/open/desk/members/7/unlock"))
    (check,) = plan(baseline, DEFAULT, credentials_of(request), (auth_function_form.PROBE,), identities=KNOWN)
    assert drive_as(check, site).verdict.outcome is Outcome.VULNERABLE
    assert not site.locked


def test_nobody_is_made_an_administrator_by_a_test():
    site = Site()
    _, (run,) = run_at("/open/desk/members/7/role", b"role=editor", site=site)
    assert all(b"admin" not in each.request.body for each in run.sent)


@pytest.mark.parametrize("turn", range(8, 24))
@pytest.mark.parametrize(("kind", "outcome"), [("open", Outcome.VULNERABLE), ("flash", Outcome.SAFE)])
def test_what_another_test_changes_meanwhile_spoils_nothing(turn: int, kind: str, outcome: Outcome):
    site, (run,) = run_at(f"/{kind}/desk/members/7/lock", site=Site(turn))
    assert run.verdict.outcome is outcome
    assert site.locked


def test_where_nobody_is_lower_nothing_is_asked():
    assert run_at("/open/desk/members/7/lock", known=(Identity("ida", 1), Identity("ann", 1)))[1] == []


@pytest.mark.parametrize("path", ["/open/desk/news/send", "/open/desk/payments/7/transfer", "/open/desk/news/delete"])
def test_what_goes_out_or_deletes_is_left_alone(path: str):
    assert run_at(path, b"headline=summer")[1] == []
