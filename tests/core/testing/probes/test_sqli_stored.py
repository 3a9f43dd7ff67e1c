"""The probe sqli_stored: what one request keeps, and a page of the run reads back into a statement."""

import itertools
import json
import sqlite3
from random import Random

import pytest
from tests.cases.case import Case
from tests.core.testing.driving import drive, record
from tests.core.testing.probes.at_range import cases, run_case, told_all
from tests.range.place import respond
from tests.range.second_order import KEPT
from tests.range.store import rows

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.policy import DEFAULT, THOROUGH
from gatecrash.core.testing.probes.sqli_stored import PROBE
from gatecrash.core.testing.surroundings.pages import Pages
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


@pytest.mark.parametrize("last", ["own", "bound", "others", "first"])
def test_a_list_that_goes_on_complaining_of_what_was_kept_before(last: str):
    """Each entry is looked up by its own name. Twins: bound; others' errors; the first one's error beside all that is newer."""
    kept: list[str] = []
    database = sqlite3.connect(":memory:")

    def looked_up(name: str) -> str:
        if last == "others":
            return 'near "tea": syntax error'
        if last == "first" and kept.index(name) != 1:
            return "1 found"
        try:
            joined = "select 1 where 'x'=?" if last == "bound" else f"select 1 where 'x'='{name}'"
            database.execute(joined, (name,) if last == "bound" else ())
        except sqlite3.Error as error:
            return f"sqlite3.OperationalError: {error}"
        return "none found"

    def application(request: Request) -> Response:
        if request.method == "POST":
            kept.append(json.loads(request.body)["nick"])
            return Response(200, JSON, b'{"saved": true}')
        return Response(200, (), "\n".join(f"{name}: {looked_up(name)}" for name in kept).encode())

    (check,) = checks(b"/save", b"/page", application)
    verdict = drive(check, application).verdict
    assert verdict.outcome is (Outcome.VULNERABLE if last == "own" else Outcome.SAFE)
    if last == "own":
        assert "that quotes it" in verdict.proof.verified_by


def test_what_breaks_at_random_because_others_write_there_too_is_no_finding():
    for seed in range(200):
        random = Random(seed)

        def application(request: Request, random: Random = random) -> Response:
            broken = request.method == "GET" and random.random() < 0.5
            return Response(500, (), b'near "x": syntax error') if broken else Response(200, JSON, b'{"saved": true}')

        for check in checks(b"/save", b"/page", lambda request: Response(200, JSON, b'{"saved": true}')):
            assert drive(check, application, seed).verdict.outcome is not Outcome.VULNERABLE


def test_what_a_page_says_at_random_each_time_is_no_finding():
    for seed in range(60):
        random = Random(seed)

        def application(request: Request, random: Random = random) -> Response:
            return Response(200, JSON, json.dumps({"days": [random.randrange(9) for _ in range(7)]}).encode())

        for check in checks(b"/save", b"/page", application):
            assert drive(check, application, seed).verdict.outcome is not Outcome.VULNERABLE


def test_nothing_is_sent_where_no_page_is_known():
    request = Request("POST", b"/second-order/friends-save", JSON, b'{"nick": "tea"}')
    assert plan(record(respond, request), THOROUGH, (), (PROBE,)) == []


def test_a_sound_point_costs_what_was_forecast():
    (check,) = checks(b"/second-order/friends-bound-save", b"/second-order/friends")
    assert len(drive(check, respond).sent) == check.forecast == 2


def test_a_page_that_only_says_otherwise_costs_four_comparisons_more():
    (check,) = checks(b"/second-order/friends-bound-save", b"/second-order/friends-bound")
    run = drive(check, respond)
    assert (run.verdict.outcome, len(run.sent)) == (Outcome.SAFE, 2 + 4 * 2)


def test_the_page_that_the_answer_leads_to_is_compared_however_many_others_changed():
    count = itertools.count()

    def application(request: Request) -> Response:
        moving = request.path.startswith(b"/second-order/news")
        return Response(200, (), b"<p>%d</p>" % next(count)) if moving else respond(request)

    pages = Pages()
    for number in range(9):
        pages.add(record(application, Request("GET", b"/second-order/news/%d" % number)).exchange)
    form = ((b"Content-Type", b"application/x-www-form-urlencoded"),)
    request = Request("POST", b"/second-order/choose", form, b"nick=3")
    (check,) = plan(record(application, request), THOROUGH, (), (PROBE,), pages=pages.beside(request))
    assert drive(check, application).verdict.outcome is Outcome.VULNERABLE


class Shelf:
    """Keeps what it is sent under a new number; a page of each number searches for it. joined: in the statement, its errors hidden."""

    def __init__(self, joined: str = "") -> None:
        self.kept: list[dict] = []
        self.joined = joined

    def __call__(self, request: Request) -> Response:
        if request.method == "POST":
            self.kept.append(json.loads(request.body))
            return Response(201, JSON, b'{"id": %d}' % len(self.kept))
        number = request.path.split(b"/")[2]
        if not number.isdigit() or not 0 < int(number) <= len(self.kept):
            return Response(404, JSON, b"{}")
        kept = self.kept[int(number) - 1]
        found = self.found(kept)
        return Response(200, JSON, json.dumps({"like": [name for (name,) in found]}).encode())

    def found(self, kept: dict) -> list:
        try:
            if self.joined:
                return rows(f"SELECT name FROM items WHERE name = '{kept[self.joined]}'")
            return rows("SELECT name FROM items WHERE name = ?", kept["tag"])
        except sqlite3.Error:
            return []


class Register(Shelf):
    """Takes each title once."""

    def __call__(self, request: Request) -> Response:
        if request.method == "POST" and json.loads(request.body)["title"] in [each["title"] for each in self.kept]:
            return Response(409, JSON, b'{"error": "there is one already"}')
        return super().__call__(request)


def at_shelf(shelf: Shelf) -> dict[str, tuple[Outcome, int]]:
    """The verdict at each point of a request that creates, and what it cost; the page of what was created is known."""
    request = Request("POST", b"/shelf", JSON, b'{"title": "tea", "tag": "tea"}')
    baseline = record(shelf, request)
    pages = Pages()
    for target in (b"/shelf/1/like", b"/shelf/1/none"):
        pages.add(record(shelf, Request("GET", target)).exchange)
    runs = [drive(each, shelf) for each in plan(baseline, DEFAULT, (), (PROBE,), pages=pages.beside(request))]
    return {run.check.point[-1]: (run.verdict.outcome, len(run.sent)) for run in runs}


def test_what_was_created_is_asked_for_by_its_new_number_and_each_value_told_apart_from_the_others():
    told = at_shelf(Shelf("tag"))
    assert {name: outcome for name, (outcome, _) in told.items()} == {
        "title": Outcome.SAFE,
        "tag": Outcome.VULNERABLE,
    }


@pytest.mark.parametrize("joined", ["tag", ""])
def test_a_value_beside_one_that_must_be_new_is_told_apart_with_that_one_new_each_time(joined):
    told = at_shelf(Register(joined))
    assert {name for name, (outcome, _) in told.items() if outcome is Outcome.VULNERABLE} == ({joined} - {""})


def test_pages_are_read_once_for_all_values_of_a_request():
    told = at_shelf(Shelf())
    assert {outcome for outcome, _ in told.values()} == {Outcome.SAFE}
    assert [sent for _, sent in told.values()][1] == 0


def test_a_session_that_the_answer_gives_is_used_to_read_on():
    """Whoever signs up is somebody else from then on."""
    names: list[str] = []

    def application(request: Request) -> Response:
        if request.method == "POST":
            names.append(json.loads(request.body)["nick"])
            cookie = b"session=%d; HttpOnly" % (len(names) - 1)
            return Response(303, ((b"Location", b"/me"), (b"Set-Cookie", cookie)))
        carried = request.first(b"Cookie") or b""
        if not carried.startswith(b"session="):
            return Response(401)
        try:
            return Response(200, JSON, json.dumps(rows(f"SELECT 1 WHERE '{names[int(carried[8:])]}' = ''")).encode())
        except sqlite3.Error as error:
            return Response(500, (), f"sqlite3.OperationalError: {error}".encode())

    (check,) = checks(b"/signup", b"/me", application)
    assert drive(check, application).verdict.outcome is Outcome.VULNERABLE


def test_a_header_that_every_request_brings_is_told_at_the_first():
    """The page of what callers said complains wherever they said it."""
    said: list[str] = [""]

    def application(request: Request) -> Response:
        if request.method == "POST":
            said[0] = (request.first(b"User-Agent") or b"").decode()
            return Response(200, JSON, b"{}")
        broken = said[0].count("'") % 2
        return (
            Response(500, (), b'sqlite3.OperationalError: near "x": syntax error')
            if broken
            else Response(200, JSON, b"{}")
        )

    pages, told = Pages(), set()
    pages.add(record(application, Request("GET", b"/callers")).exchange)
    outcomes = []
    for path in (b"/a", b"/b"):
        request = Request("POST", path, (*JSON, (b"User-Agent", b"Browser/1")), b"{}")
        baseline = record(application, request)
        (check,) = plan(baseline, THOROUGH, (), (PROBE,), pages=pages.beside(request), told=told)
        outcomes.append(drive(check, application).verdict.outcome)
    assert outcomes == [Outcome.VULNERABLE, Outcome.SAFE]
