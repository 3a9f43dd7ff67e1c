"""Schedules from the command line."""

from collections.abc import Callable
from typing import Any

import pytest
from tests.cli.conftest import Invoke

from gatecrash.cli.schedule import due

Document = Callable[..., Any]


@pytest.fixture
def ended(invoke: Invoke, document: Document) -> str:
    """A run that is over."""
    run = document("run", "create", "--no-wait", "to repeat")["id"]
    assert invoke("run", "interrupt", run).exit_code == 0
    return str(run)


def test_a_schedule_is_added_paused_and_removed(invoke: Invoke, document: Document, ended: str) -> None:
    added = invoke("schedule", "add", "nightly", ended, "--daily")
    schedule = added.stdout.strip()
    assert "daily at 03:00 UTC" in added.stderr
    assert invoke("schedule", "pause", schedule).exit_code == 0
    line = next(line for line in invoke("schedule", "list").stdout.splitlines() if schedule in line)
    assert ("nightly" in line, "paused" in line) == (True, True)
    assert invoke("schedule", "resume", schedule).exit_code == 0
    (listed,) = [one for one in document("schedule", "list")["objects"] if one["id"] == schedule]
    assert (listed["enabled"], listed["source_run_id"], listed["hour"]) == (True, ended, 3)
    assert invoke("schedule", "remove", schedule).exit_code == 0
    assert schedule not in invoke("schedule", "list").stdout


@pytest.mark.parametrize(
    ("when", "words"),
    [
        (("--weekly", "saturday", "--hour", "0"), "saturdays at 00:00 UTC"),
        (("--every", "6"), "every 6 h"),
        (("--daily", "--hour", "23"), "daily at 23:00 UTC"),
    ],
)
def test_each_rhythm_is_told_in_words(
    invoke: Invoke, document: Document, ended: str, when: tuple[str, ...], words: str
) -> None:
    made = document("schedule", "add", "often", ended, *when)
    assert due(made) == words
    assert invoke("schedule", "remove", made["id"]).exit_code == 0


@pytest.mark.parametrize(
    "when",
    [(), ("--daily", "--every", "6"), ("--every", "6", "--hour", "3"), ("--every", "169"), ("--weekly", "never")],
)
def test_a_time_that_cannot_be_meant_is_wrong_usage(invoke: Invoke, when: tuple[str, ...]) -> None:
    assert invoke("schedule", "add", "odd", "tr_1", *when).exit_code == 2


def test_what_is_named_of_a_schedule_changes_and_all_else_stays(invoke: Invoke, document: Document, ended: str) -> None:
    schedule = document("schedule", "add", "nightly", ended, "--daily", "--hour", "5")["id"]
    renamed = document("schedule", "change", schedule, "--name", "by night")
    assert (renamed["name"], due(renamed)) == ("by night", "daily at 05:00 UTC")
    assert due(document("schedule", "change", schedule, "--weekly", "sunday")) == "sundays at 05:00 UTC"
    assert due(document("schedule", "change", schedule, "--hour", "6")) == "sundays at 06:00 UTC"
    told = invoke("schedule", "change", schedule, "--every", "8")
    assert (told.exit_code, "by night, due every 8 h" in told.stderr) == (0, True)
    for wrong in ((), ("--hour", "3"), ("--daily", "--every", "6"), ("--every", "6", "--hour", "3")):
        assert invoke("schedule", "change", schedule, *wrong).exit_code == 2
    assert document("schedule", "change", schedule, "--run", ended)["source_run_id"] == ended
    refused = invoke("schedule", "change", schedule, "--run", "tr_unknown")
    assert (refused.exit_code, "test_run_id" in refused.stderr) == (4, True)
    assert invoke("schedule", "change", "sch_unknown", "--name", "x").exit_code == 4
    assert invoke("schedule", "remove", schedule).exit_code == 0


def test_a_run_that_is_not_over_is_refused(invoke: Invoke, document: Document) -> None:
    run = document("run", "create", "--no-wait", "at work")["id"]
    refused = invoke("schedule", "add", "early", run, "--daily")
    assert (refused.exit_code, "test_run_id" in refused.stderr) == (4, True)
    assert invoke("run", "interrupt", run).exit_code == 0
    assert invoke("schedule", "pause", "sch_unknown").exit_code == 4
