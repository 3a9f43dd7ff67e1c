"""Runs as lines of a list: the very numbers that the API gives of each."""

from collections.abc import Callable

import pytest
from tests.control.calling import Api
from tests.control.ui.conftest import Estate

from gatecrash.control import wall
from gatecrash.control.testruns.models import TestRun
from gatecrash.control.ui.reads.runs import lines, record_names, run_names

pytestmark = [pytest.mark.database, pytest.mark.django_db]


def test_a_line_agrees_with_the_api(client_id: str, api: Api, estate: Callable[[str], Estate]) -> None:
    own = estate(client_id)
    with wall.client(client_id):
        [line] = lines(TestRun.objects.all())
    run = api.get(f"/v1/test_run/{own.test_run_id}")[1]
    same = {name for name in line if name in run}
    assert {"id", "name", "state", "policy_id", "start_time", "baseline_count"} <= same
    assert {name: line[name] for name in same} == {name: run[name] for name in same}
    assert line["vulnerabilities"] == len(run["vulns"])
    assert line["sent"] == run["sended_requests_count"]
    assert sum(segment["count"] for segment in line["progress"]) == run["baseline_count"]


def test_what_is_never_checked_is_not_missing_from_a_run_that_is_done(
    client_id: str, estate: Callable[[str], Estate]
) -> None:
    estate(client_id)
    with wall.client(client_id):
        row = TestRun.objects.get()
        before = lines([row])[0]["to_check"]
        row.skipped += 28  # duplicates
        [line] = lines([row])
    assert line["to_check"] == before
    assert line["baseline_count"] == before + 28


def test_what_was_interrupted_is_not_done(client_id: str, estate: Callable[[str], Estate]) -> None:
    estate(client_id)
    with wall.client(client_id):
        row = TestRun.objects.get()
        row.passed, row.interrupted = 2, 3
        [line] = lines([row])
    assert (line["done"], line["baseline_check_all_terminated_count"]) == (2, 5)


def test_runs_and_records_are_named_within_their_client(
    client_id: str, other_id: str, estate: Callable[[str], Estate]
) -> None:
    own, foreign = estate(client_id), estate(other_id)
    with wall.client(client_id):
        named = run_names([own.test_run_id, foreign.test_run_id, "tr_none"])
        records = record_names([own.test_record_id, foreign.test_record_id, "rec_none"])
    assert named == {own.test_run_id: "the run of the estate"}
    assert list(records) == [own.test_record_id]
