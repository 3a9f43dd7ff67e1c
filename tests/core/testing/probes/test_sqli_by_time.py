"""The waits of sqli, against statements that show nothing, on a clock of their own."""

import re

import pytest
from tests.core.testing.driving import runs
from tests.core.testing.probes.tracker import Tracker

from gatecrash.core.message import Request
from gatecrash.core.testing.payloads.sqli import WAITS, WAITS_WHERE_NAMED, fill_wait
from gatecrash.core.testing.probes.sqli import PROBE
from gatecrash.core.testing.verdict import Outcome

FORM = ((b"Content-Type", b"application/x-www-form-urlencoded"),)
TEXT, NUMBER = Request("GET", b"/text?ref=news"), Request("GET", b"/number?ref=5")
INSERT = Request("POST", b"/insert", FORM, b"ref=news")


def judged(tracker: Tracker, request: Request, seed: int = 1):
    (run,) = runs(tracker, request, (PROBE,), seed=seed)
    return run


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("request_", [TEXT, NUMBER, INSERT], ids=["text", "number", "insert"])
@pytest.mark.parametrize("functions", [(), ("pg_sleep",)], ids=["SQLite", "PostgreSQL"])
def test_a_statement_that_shows_nothing_is_found_by_its_waits(functions, request_, seed):
    run = judged(Tracker(*functions, seed=seed, jitter=0.1 if functions else 0.03), request_, seed)
    assert run.verdict.outcome is Outcome.VULNERABLE
    assert run.verdict.detail == f"waits as {'PostgreSQL' if functions else 'SQLite'} does"
    assert "randomisation test" in run.verdict.proof.verified_by


@pytest.mark.parametrize("request_", [TEXT, NUMBER], ids=["text", "number"])
def test_mysql_waits_in_reading_requests(request_):
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


def test_a_sound_point_costs_one_request_for_each_engine_as_forecast():
    run = judged(Tracker("pg_sleep", "SLEEP"), Request("GET", b"/bound?ref=news"))
    assert [b"pg_sleep" in each.request.target or b"SLEEP" in each.request.target for each in run.sent].count(True) == 2
    assert len(run.sent) <= run.check.forecast


@pytest.mark.parametrize("wait", [*WAITS, *WAITS_WHERE_NAMED], ids=lambda wait: wait.engine)
@pytest.mark.parametrize("number", [True, False])
def test_no_wait_widens_adds_a_statement_or_lasts_over_five_seconds(wait, number):
    payload = fill_wait(wait, "5", 3, "xqz", number=number)
    assert not re.search(r";|\bOR\b|--|/\*|\b(?:DELETE|UPDATE|INSERT|DROP)\b", payload)
    assert 3 * wait.seconds <= 5
    assert fill_wait(wait, "5", 3, "xqz", number=number, decoy=True) != payload


@pytest.mark.parametrize("request_", [TEXT, NUMBER], ids=["text", "number"])
def test_a_wait_is_evaluated_once_and_not_once_a_row(request_):
    tracker = Tracker("pg_sleep")
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
