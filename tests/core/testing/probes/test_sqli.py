"""The probe sqli, driven by hand against a shop on a real SQLite."""

import json
import re
import sqlite3
from contextlib import closing
from urllib.parse import parse_qs, urlsplit

import pytest
from tests.cases.case import Case, cases_of
from tests.core.testing.driving import drive, record, runs
from tests.core.testing.probes.at_tables import at_tables, sent_json
from tests.core.testing.probes.tracker import Tracker
from tests.core.testing.shop import ITEMS, Shop
from tests.range import tables

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.payloads.sqli import (
    CHANGING_BROKEN_NUMBERS,
    CHANGING_TEXTS,
    ERROR_PAIRS_FOR_NUMBERS,
    ERROR_PAIRS_FOR_TEXTS,
    READING_NUMBERS,
    READING_TEXTS,
    SCREEN,
)
from gatecrash.core.testing.payloads.sqli_waits import WAITS, fill_wait
from gatecrash.core.testing.policy import DEFAULT, THOROUGH
from gatecrash.core.testing.probes.sqli import PROBE
from gatecrash.core.testing.verdict import Inconclusive, Outcome

CASES = [case for case in cases_of("probes") if case.file == "sqli"]


def told(run) -> str:
    words = [
        run.verdict.outcome.value,
        *([run.verdict.reason.value] if run.verdict.reason else []),
        str(run.check.point),
    ]
    return " ".join(words)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: Case, seed: int):
    assert case.expected == tuple(told(run) for run in runs(Shop(), case.request, (PROBE,), seed=seed))


@pytest.mark.parametrize("seed", range(40))
def test_a_page_whose_parts_come_and_go_is_no_finding(seed):
    for run in runs(Shop(), Request("GET", b"/sound/flickering?q=lamp"), (PROBE,), seed=seed):
        assert run.verdict.outcome is not Outcome.VULNERABLE


@pytest.mark.parametrize("case", [case for case in CASES if case.kind == "Not found"], ids=str)
def test_a_sound_point_costs_at_most_twenty_one_requests(case):
    for run in runs(Shop(), case.request, (PROBE,)):
        assert len(run.sent) <= 21


def test_the_forecast_is_what_a_sound_point_costs():
    (run,) = runs(Shop(), Request("GET", b"/sound/search?q=lamp"), (PROBE,))
    assert run.check.forecast == len(run.sent)


def test_what_refuses_a_whole_number_as_it_refuses_a_broken_one_is_asked_no_more_of_numbers_and_no_waits():
    (run,) = runs(Shop(), Request("GET", b"/sound/items/2"), (PROBE,))
    sent = [asked.request.target for asked in run.sent]
    assert b"/sound/items/2-0" in sent
    # Neither waits nor what stands without quotes: the bare number and the comment.
    assert len(sent) == run.check.forecast - 4
    assert not any(b"sleep" in target.lower() or b"/CASE" in target for target in sent)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_nothing_is_changed_or_deleted_beyond_what_the_baseline_changes(case):
    shop = Shop()
    runs(shop, case.request, (PROBE,))
    assert shop.rows("SELECT * FROM items") == ITEMS
    assert shop.rows("SELECT * FROM users") == [("ann", "sesame")]


def test_no_payload_widens_or_adds_a_statement():
    patterns = [
        SCREEN,
        *(context.pattern for context in READING_NUMBERS + READING_TEXTS + CHANGING_BROKEN_NUMBERS + CHANGING_TEXTS),
    ]
    patterns += [
        part
        for pairs in ERROR_PAIRS_FOR_NUMBERS + ERROR_PAIRS_FOR_TEXTS
        for pair in pairs
        for part in (pair.broken, pair.whole)
    ]
    for pattern in patterns:
        assert not re.search(r";|\bOR\b|--|/\*(?!.*\*/)|\bUNION\b", pattern)


def test_a_finding_shows_its_proof():
    (run,) = runs(Shop(), Request("GET", b"/search?q=lamp"), (PROBE,))
    verdict = run.verdict
    assert (verdict.type, verdict.cwe, verdict.point) == ("sqli", (89,), ("get", "q"))
    assert 1 <= verdict.threat <= 100
    assert verdict.proof.test.response.body != verdict.proof.control.response.body
    assert "random numbers" in verdict.proof.verified_by


def test_an_error_names_the_engine():
    (run,) = runs(Shop(), Request("GET", b"/loud/item?id=5"), (PROBE,))
    assert "SQLite" in run.verdict.detail
    assert run.verdict.proof.test.response.status == 500
    assert run.verdict.proof.control.response.status == 200


def against(application, request: Request = Request("GET", b"/search?q=lamp")):  # noqa: B008 -- frozen
    (check,) = plan(record(Shop(), request), DEFAULT, (), (PROBE,))
    return drive(check, application)


def test_a_limiter_makes_it_inconclusive_at_once():
    run = against(lambda _: Response(429))
    assert (run.verdict.reason, len(run.sent)) == (Inconclusive.RATE_LIMITED, 1)


def test_a_limiter_in_the_middle_of_a_confirmation_makes_it_inconclusive():
    shop = Shop()
    count = 0

    def application(request: Request) -> Response:
        nonlocal count
        count += 1
        return Response(429) if count > 6 else shop(request)

    assert against(application).verdict.reason is Inconclusive.RATE_LIMITED


def test_no_answer_makes_it_inconclusive():
    def application(request: Request) -> Response:
        raise ConnectionError

    assert against(application).verdict.reason is Inconclusive.CONNECTION


def test_a_gateways_error_says_nothing_of_the_application():
    assert against(lambda _: Response(502)).verdict.reason is Inconclusive.UNSTABLE


def test_a_dead_session_is_no_clean_bill():
    assert against(lambda _: Response(401)).verdict.reason is Inconclusive.SESSION


def test_a_session_that_dies_on_the_way_is_no_clean_bill():
    shop = Shop()
    count = 0

    def application(request: Request) -> Response:
        nonlocal count
        count += 1
        return Response(401) if count > 3 else shop(request)

    run = against(application, Request("GET", b"/sound/search?q=lamp"))
    assert run.verdict.reason is Inconclusive.SESSION


def test_a_target_that_breaks_for_good_is_no_clean_bill():
    shop = Shop()
    count = 0

    def application(request: Request) -> Response:
        nonlocal count
        count += 1
        return Response(500) if count > 1 else shop(request)

    assert against(application, Request("GET", b"/sound/search?q=lamp")).verdict.reason is Inconclusive.UNSTABLE


def test_without_any_answer_recorded_a_changing_request_cannot_be_judged():
    request = Request("POST", b"/notes", ((b"Content-Type", b"application/x-www-form-urlencoded"),), b"text=a")
    (check,) = plan(Baseline("bl_1", Exchange(request)), DEFAULT, (), (PROBE,))
    run = drive(check, Shop())
    assert (run.verdict.reason, run.sent) == (Inconclusive.NO_CONTROL, [])


def test_a_changing_request_is_never_repeated_as_it_was():
    request = Request("POST", b"/sound/notes", ((b"Content-Type", b"application/x-www-form-urlencoded"),), b"text=a")
    (run,) = runs(Shop(), request, (PROBE,))
    assert request not in [question.request for question in run.sent]
    assert {question.purpose for question in run.sent} == {"test"}


def test_words_in_the_middle_of_a_path_are_names_of_places():
    points = [run.check.point for run in runs(Shop(), Request("GET", b"/shop/7/items/lamp"), (PROBE,))]
    assert points == [("path", "1"), ("path", "3")]


def test_lookalikes_are_what_clears_a_filter_that_works_out_comparisons():
    """Without its controls the probe would take the filter for a database: it gets as far as asking them."""
    (run,) = runs(Shop(), Request("GET", b"/sound/tautology?id=5"), (PROBE,))
    assert [question.purpose for question in run.sent].count("control") > 2
    assert run.verdict.outcome is Outcome.SAFE


# Waits: against statements that show nothing, on a clock of their own

FORM = ((b"Content-Type", b"application/x-www-form-urlencoded"),)
TEXT, NUMBER = Request("GET", b"/text?ref=news"), Request("GET", b"/number?ref=5")
INSERT = Request("POST", b"/insert", FORM, b"ref=news")


def judged(tracker: Tracker, request: Request, seed: int = 1):
    with closing(tracker.database):
        (run,) = runs(tracker, request, (PROBE,), seed=seed)
    return run


@pytest.mark.parametrize("request_", [TEXT, NUMBER, INSERT], ids=["text", "number", "insert"])
# SQLite really works while it waits, for seconds; once is enough.
@pytest.mark.parametrize(("functions", "seed"), [((), 0), (("pg_sleep",), 0), (("pg_sleep",), 1)], ids=str)
def test_a_statement_that_shows_nothing_is_found_by_its_waits(functions, request_, seed):
    run = judged(Tracker(*functions, seed=seed, jitter=0.1 if functions else 0.03), request_, seed)
    assert run.verdict.outcome is Outcome.VULNERABLE
    assert run.verdict.detail == f"waits as {'PostgreSQL' if functions else 'SQLite'} does"
    assert "randomisation test" in run.verdict.proof.verified_by


def test_the_name_of_a_column_to_sort_by_waits_without_quotes_and_costs_what_is_forecast():
    run = judged(Tracker("pg_sleep"), Request("GET", b"/order?sort=ref"))
    assert run.verdict.detail == "waits as PostgreSQL does"
    sound = judged(Tracker("pg_sleep"), Request("GET", b"/bound?sort=ref"))
    assert sound.verdict.outcome is Outcome.SAFE
    assert len(sound.sent) <= sound.check.forecast


@pytest.mark.parametrize("request_", [TEXT, NUMBER, INSERT], ids=["text", "number", "insert"])
def test_mysql_waits_wherever_the_value_stands(request_):
    assert judged(Tracker("SLEEP"), request_).verdict.detail == "waits as MySQL does"


def test_a_page_that_is_always_slow_is_found_all_the_same():
    assert judged(Tracker("pg_sleep", slow=4.0), TEXT).verdict.outcome is Outcome.VULNERABLE


@pytest.mark.parametrize("path", [b"/bound", b"/odd-is-slow"])
@pytest.mark.parametrize(("jitter", "slow"), [(0.1, 0.0), (1.5, 0.0), (0.5, 5.0)], ids=["quick", "jittery", "slow"])
def test_sound_pages_are_no_finding_over_many_seeds(path, jitter, slow):
    for seed in range(25):
        run = judged(
            Tracker("pg_sleep", "SLEEP", seed=seed, jitter=jitter, slow=slow), Request("GET", path + b"?ref=news")
        )
        assert run.verdict.outcome is Outcome.SAFE


@pytest.mark.parametrize(("header", "value"), [("X-TRACE", b"abc-def"), ("COOKIE", b"seen=5")])
def test_a_header_that_nobody_reads_costs_what_is_forecast(header, value):
    asked = Request("GET", b"/bound?ref=news", ((header.encode(), value),))
    made = runs(Tracker(jitter=0.005), asked, (PROBE,), THOROUGH)
    headers = [run for run in made if run.check.point[:2] == ("header", header) and run.check.point[-1] != "name"]
    (run,) = headers
    # One more where a baseline has credentials, whose session is looked after.
    assert run.check.forecast - 1 <= len(run.sent) <= run.check.forecast


def test_a_sound_point_costs_one_request_for_each_engine_as_forecast():
    run = judged(Tracker("pg_sleep", "SLEEP"), Request("GET", b"/bound?ref=news"))
    assert [b"pg_sleep" in each.request.target or b"SLEEP" in each.request.target for each in run.sent].count(True) == 2
    assert len(run.sent) <= run.check.forecast


@pytest.mark.parametrize("request_", [TEXT, NUMBER], ids=["text", "number"])
def test_a_wait_is_evaluated_once_and_not_once_a_row(request_):
    tracker = Tracker("pg_sleep")
    with closing(tracker.database):
        for number, path in ((False, "/text"), (True, "/number")):
            value = "5" if number else "news"
            payload = fill_wait(WAITS[0], value, 3, "xqz", number=number)
            tracker.elapsed = 0.0
            tracker.database.execute(
                {"/text": "SELECT * FROM visits WHERE ref = '{}'", "/number": "SELECT * FROM visits WHERE id + 0 = {}"}[
                    path
                ].format(payload)
            ).fetchall()
            assert tracker.elapsed < 3.5


def computed(request: Request) -> Response:
    """As an expression of Python, in which texts that stand side by side are one; its errors are told in a good answer."""
    expression = parse_qs(urlsplit(request.target.decode()).query)["expr"][0]
    try:
        told = str(eval(expression, {"__builtins__": {}}, {}))
    except SyntaxError:
        told = "this is no expression"
    except (NameError, TypeError) as error:
        told = f"error: {error}"
    return Response(200, ((b"Content-Type", b"text/plain"),), told.encode())


def test_an_expression_that_joins_texts_side_by_side_is_no_statement():
    for run in runs(computed, Request("GET", b"/?expr=UPPER(%22tea%22)"), (PROBE,)):
        assert run.verdict.outcome is not Outcome.VULNERABLE


def cut_to(request: Request) -> Response:
    """A number where SQL has no expression, and what breaks is told without a word of why."""
    asked = parse_qs(urlsplit(request.target.decode()).query)["limit"][0]
    with closing(sqlite3.connect(":memory:")) as database:
        try:
            found = database.execute(f"SELECT CAST('a long title' AS VARCHAR({asked}))").fetchall()
        except sqlite3.Error:
            return Response(500, (), b"no such page")
    return Response(200, ((b"Content-Type", b"application/json"),), json.dumps(found).encode())


def without_comments(request: Request) -> Response:
    """Takes out comments of both kinds, and knows no statement."""
    asked = parse_qs(urlsplit(request.target.decode()).query)["limit"][0]
    number = re.sub(r"--.*", "", re.sub(r"/\*.*?\*/", "", asked)).strip()
    if not number.isdecimal():
        return Response(400, (), b"no such page")
    return Response(200, ((b"Content-Type", b"application/json"),), json.dumps([*range(int(number))]).encode())


@pytest.mark.parametrize("limit", ["7", "12"])
@pytest.mark.parametrize(("application", "found"), [(cut_to, True), (without_comments, False)])
def test_a_filter_that_takes_comments_out_is_no_parser_of_sql(application, found, limit):
    (run,) = (
        run
        for run in runs(application, Request("GET", f"/?limit={limit}".encode()), (PROBE,))
        if run.check.point == ("get", "limit")
    )
    assert (run.verdict.outcome is Outcome.VULNERABLE) is found
    if found:
        assert "before a comment" in run.verdict.proof.verified_by


@pytest.mark.parametrize(
    ("place", "word", "found"),
    [
        (tables.named, b"items", {"1"}),
        (tables.listed, b"items", set()),
        (tables.by_its_first_word, b"items", set()),
        (tables.a_list_beside_tables, b"everything", set()),
    ],
)
def test_a_table_is_named_by_the_last_word_of_the_path(place, word, found):
    assert set(at_tables(place, Request("GET", b"/tables/" + word, host="127.0.0.1"))) == found


@pytest.mark.parametrize(
    ("place", "found"),
    [
        (tables.console, {"sql"}),
        (tables.console_of_kept_statements, set()),
        (tables.formatter_of_statements, set()),
    ],
)
def test_a_whole_statement_is_found_by_its_rows(place, found):
    assert set(at_tables(place, sent_json(b"POST", json.dumps({"sql": tables.ASKED}).encode()))) == found


@pytest.mark.parametrize(("more", "threat"), [((), 90), (((b"Authorization", b"Bearer kd83hfk2h4kd9wlq"),), 70)])
def test_a_console_is_told_as_one_and_is_worse_where_nobody_signs_in(more, threat):
    (verdict,) = at_tables(
        tables.console, sent_json(b"POST", json.dumps({"sql": tables.ASKED}).encode(), *more)
    ).values()
    assert (verdict.title, verdict.threat) == ("Whole SQL statements of callers are run", threat)


@pytest.mark.parametrize("value", ["Select wines", "Select from our cellar"])
def test_a_text_that_begins_as_a_statement_does_is_a_text(value):
    verdicts = at_tables(tables.by_its_title, sent_json(b"POST", json.dumps({"title": value}).encode()))
    assert {point: verdict.title for point, verdict in verdicts.items()} == {"title": "SQL injection"}


@pytest.mark.parametrize(
    ("place", "found"),
    [
        (tables.columns_by_members, {"name"}),
        (tables.columns_by_known_members, set()),
        (tables.columns_without_comments, set()),
        (tables.columns_with_what_is_within, set()),
    ],
)
def test_columns_that_are_written_are_named_by_members(place, found):
    assert set(at_tables(place, sent_json(b"PATCH", b'{"kind": "drink"}'), THOROUGH)) == found
