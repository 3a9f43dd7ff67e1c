"""Where everything is refused alike, a value is tried further only where it is looked at before its caller is."""

import sqlite3
from contextlib import closing
from random import Random
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from tests.core.testing.driving import Application, answered, record

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.derive import Check, plan
from gatecrash.core.testing.dialogues.behind_guard import REFUSED, UNREAD, behind_guard
from gatecrash.core.testing.out_of_band import Listening, OutOfBand
from gatecrash.core.testing.policy import DEFAULT, THOROUGH
from gatecrash.core.testing.verdict import Outcome, Verdict

ADDRESSES = (b"/orders/1?q=tea", b"/bills/1?q=tea", b"/notes/1?q=tea")

HEARING = OutOfBand(listening=Listening(host="127.0.0.1", port=9), key=b"k", test=())


def closed(_request: Request) -> Response:
    return Response(401, ((b"Content-Type", b"application/json"),), b'{"error": "sign in"}')


def found(sql: str, value: str) -> list[object]:
    with closing(sqlite3.connect(":memory:")) as database:
        database.executescript("CREATE TABLE orders (id INTEGER); INSERT INTO orders VALUES (1), (2)")
        return database.execute(sql.format(value)).fetchall()


def looks_it_up_first(request: Request) -> Response:
    """The order is looked for before anybody asks who wants it; an error is hidden."""
    try:
        rows = found(
            "SELECT id FROM orders WHERE id = {}", unquote(urlsplit(request.target.decode()).path).split("/")[-1]
        )
    except sqlite3.Error:
        rows = []
    return closed(request) if rows else Response(404, (), b"no such order")


def notes_it_first(request: Request) -> Response:
    """What is looked for is noted before, by a statement that may break."""
    try:
        found("INSERT INTO orders VALUES ('{}')", parse_qs(urlsplit(request.target.decode()).query).get("q", [""])[0])
    except sqlite3.Error:
        return Response(500, (), b"failed")
    return closed(request)


def last_plan(application: Application) -> list[Check]:
    """The checks of the last of several addresses that are all refused."""
    told: set[tuple[str, ...]] = set()
    checks: list[Check] = []
    for address in ADDRESSES:
        baseline = Baseline(address.decode(), record(application, Request("GET", address)).exchange)
        checks = plan(baseline, DEFAULT, told=told)
    return checks


def verdicts(application: Application) -> tuple[dict[tuple[str, str], Verdict], list[Request]]:
    """By type and point, those of the last address; and what was sent for them."""
    sent: list[Request] = []

    def noting(request: Request) -> Response:
        sent.append(request)
        return application(request)

    made: dict[tuple[str, str], Verdict] = {}
    for check in last_plan(application):
        situation = check.situation(Random(1))
        verdict = answered(behind_guard(check.probe.type, check.probe.run(situation), situation), noting)
        made[check.probe.type, check.point[-1] if check.point else ""] = verdict
    return made, sent


def test_a_value_that_nothing_looks_at_is_asked_about_twice() -> None:
    made, sent = verdicts(closed)
    assert {one.detail for (type_, point), one in made.items() if point and type_ != "auth"} == {REFUSED}
    assert sum(each.target.startswith(b"/notes/1?q=") and not each.target.endswith(b"=tea") for each in sent) == 2
    assert ("auth", "") in made, "the ways round the refusal are asked as ever"


@pytest.mark.parametrize(("application", "point"), [(looks_it_up_first, "1"), (notes_it_first, "q")])
def test_a_value_that_is_looked_at_before_its_caller_is_tried_as_ever(application: Application, point: str) -> None:
    made, _ = verdicts(application)
    vulnerable = {
        place for (type_, place), one in made.items() if type_ == "sqli" and one.outcome is Outcome.VULNERABLE
    }
    assert vulnerable == {point}


def test_what_is_fetched_shows_at_a_listener_whoever_is_refused() -> None:
    check = next(each for each in last_plan(closed) if each.point)
    deaf, hearing = check.situation(Random(1)), check.situation(Random(1), HEARING)
    for type_, situation, spared in (
        ("ssrf", deaf, True),
        ("ssrf", hearing, False),
        ("sqli", hearing, True),
        ("idor", deaf, False),
    ):
        dialogue = check.probe.run(situation)
        assert (behind_guard(type_, dialogue, situation) is not dialogue) is spared


LAST = ((b"Cookie", b"order=tea"),)


def page(request: Request) -> Response:
    return Response(200, ((b"Content-Type", b"text/html"),), b"<p>All at " + request.path)


def looks_up(request: Request) -> Response:
    """The second page alone reads the cookie, and hides what the database says."""
    if request.path != b"/shop/list":
        return page(request)
    try:
        rows = found(
            "SELECT id FROM orders WHERE 'tea' = '{}'", (request.first(b"Cookie") or b"").decode("latin-1")[6:]
        )
    except sqlite3.Error:
        return Response(500, (), b"failed")
    return Response(200, ((b"Content-Type", b"text/html"),), f"<p>{rows}".encode())


@pytest.mark.parametrize(("application", "reads"), [(page, False), (looks_up, True)])
def test_a_cookie_is_tried_at_another_page_of_its_section_where_that_reads_it(
    application: Application, *, reads: bool
) -> None:
    asked: set[tuple[str, ...]] = set()
    for path in (b"/shop/terms", b"/shop/list"):
        baseline = Baseline(path.decode(), record(application, Request("GET", path, LAST)).exchange)
        checks = [each for each in plan(baseline, THOROUGH, asked=asked) if each.point[-1:] == ("order",)]
    made = {}
    for check in checks:
        situation = check.situation(Random(1))
        dialogue = behind_guard(check.probe.type, check.probe.run(situation), situation)
        made[check.probe.type] = answered(dialogue, application)
    assert (made["sqli"].outcome is Outcome.VULNERABLE) is reads
    assert ({one.detail for one in made.values()} == {UNREAD}) is not reads


def greets(request: Request) -> Response:
    """Each page says who called it, as the browser wrote it."""
    said = unquote((request.first(b"Referer") or b"").decode("latin-1"))
    return Response(200, ((b"Content-Type", b"text/html"),), f"<p>You come from {said}</p>".encode())


@pytest.mark.parametrize(("application", "shows"), [(page, False), (greets, True)])
def test_what_browsers_say_is_tried_at_another_page_of_its_section_where_that_shows_it(
    application: Application, *, shows: bool
) -> None:
    asked: set[tuple[str, ...]] = set()
    made, sent = {}, 0
    for path in (b"/shop/terms", b"/shop/list", b"/shop/news", b"/shop/team"):
        request = Request("GET", path, ((b"Referer", b"http://a.example/tea"),))
        baseline = Baseline(path.decode(), record(application, request).exchange)
        checks = [each for each in plan(baseline, THOROUGH, asked=asked) if each.point == ("header", "REFERER")]

    def noting(request: Request) -> Response:
        nonlocal sent
        sent += request.first(b"Referer") != b"http://a.example/tea"
        return application(request)

    for check in checks:
        situation = check.situation(Random(1))
        dialogue = behind_guard(check.probe.type, check.probe.run(situation), situation)
        made[check.probe.type] = answered(dialogue, noting)
    assert (made["xss"].outcome is Outcome.VULNERABLE) is shows
    assert (sent == 2) is not shows


def test_what_is_asked_only_where_it_is_looked_at_is_forecast_by_what_that_costs() -> None:
    asked: set[tuple[str, ...]] = set()
    costs = []
    for path in (b"/shop/terms", b"/shop/list"):
        baseline = Baseline(path.decode(), record(page, Request("GET", path, LAST)).exchange)
        checks = [each for each in plan(baseline, THOROUGH, asked=asked) if each.point[-1:] == ("order",)]
        costs.append(sum(each.forecast for each in checks))
    assert costs[1] == len(checks) < costs[0] / 5


def drawing(*, looks: bool) -> Application:
    """Each page says something else each time, and what is read lists each visit; one of them says what the cookie chooses."""
    letters, visits = Random(2), 0

    def application(request: Request) -> Response:
        nonlocal visits
        visits += 1
        drawn = "".join(letters.choices("abcdefgh +/", k=20))
        order = (request.first(b"Cookie") or b"").decode("latin-1")[6:]
        chosen = "Tea is in stock" if order == "tea" or not looks else "Nothing of that name"
        rows = "".join(f"<li>visit {number}" for number in range(visits) if request.method == "GET")
        return Response(200, ((b"Content-Type", b"text/html"),), f"<p>{chosen}<p>Drawn: {drawn}{rows}".encode())

    return application


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("looks", [False, True])
def test_a_page_that_says_something_else_each_time_looks_at_nothing_by_that(method: str, *, looks: bool) -> None:
    application, asked = drawing(looks=looks), set[tuple[str, ...]]()
    for path in (b"/shop/terms", b"/shop/list"):
        baseline = Baseline(path.decode(), record(application, Request(method, path, LAST)).exchange)
        checks = [each for each in plan(baseline, THOROUGH, asked=asked) if each.point[-1:] == ("order",)]
    details = set()
    for check in checks:
        situation = check.situation(Random(1))
        dialogue = behind_guard(check.probe.type, check.probe.run(situation), situation)
        details.add(answered(dialogue, application).detail)
    assert (details == {UNREAD}) is not looks
