"""A run's baselines as its page shows them: the bar, the filter by status, and one opened without its credentials."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from tests.control.calling import Api
from tests.control.ui.conftest import Estate

from gatecrash.control import bulk_sql, wall
from gatecrash.control.testruns.models import TestRun
from gatecrash.control.ui.reads import baselines
from gatecrash.core.testing.run_events import Status

pytestmark = [pytest.mark.database, pytest.mark.django_db]


def counters(**given: int) -> dict[str, int]:
    return {name: given.get(name, 0) for name, _, _ in baselines.SEGMENTS}


def test_the_bar_is_filled_without_gaps_to_its_end() -> None:
    segments = baselines.progress(counters(baseline_check_passed_count=1, baseline_check_fail_count=2))
    assert [one["count"] for one in segments][:2] == [1, 2]
    for one, following in pairwise(segments):
        assert one["start"] + one["width"] == pytest.approx(following["start"], abs=0.02)
    assert segments[-1]["start"] + segments[-1]["width"] == pytest.approx(1000, abs=0.02)


def test_a_bar_of_nothing_is_empty() -> None:
    assert {one["width"] for one in baselines.progress(counters())} == {0.0}


@pytest.fixture
def row(client_id: str, estate: Callable[[str], Estate]) -> TestRun:
    own = estate(client_id)
    with wall.client(client_id):
        found: TestRun = TestRun.objects.get(id=own.test_run_id)
    return found


def ids(client_id: str, row: TestRun, status: str | None) -> tuple[list[str], int]:
    with wall.client(client_id):
        lines, total = baselines.page(row, status, 50, 0)
    return [line["id"] for line in lines], total


def test_a_page_without_a_filter_is_the_apis(client_id: str, api: Api, row: TestRun) -> None:
    with wall.client(client_id):
        lines, total = baselines.page(row, None, 50, 0)
    listed = api.get(f"/v1/test_run/{row.id}/baselines")[1]
    assert (lines, total) == (listed["objects"], listed["total"])


def test_each_status_finds_what_has_it(client_id: str, row: TestRun) -> None:
    with wall.client(client_id):
        [(name, stored)] = bulk_sql.select(
            "SELECT baseline_id, status FROM testruns_check WHERE client_id = %s AND run_id = %s", [client_id, row.id]
        )
    for status in Status:
        assert ids(client_id, row, status.value) == (([name], 1) if status.value == stored else ([], 0)), status


def test_what_was_open_when_the_run_ended_is_failed_or_interrupted(client_id: str, row: TestRun) -> None:
    with wall.client(client_id):
        TestRun.objects.filter(id=row.id).update(state="interrupted", end_time=row.start_time + 5)
        ended = TestRun.objects.get(id=row.id)
        marks: dict[bool, Any] = {}
        for found in (True, False):
            bulk_sql.execute(
                "UPDATE testruns_check SET found = %s, status = 'waiting' WHERE client_id = %s AND run_id = %s",
                [found, client_id, row.id],
            )
            marks[found] = {status.value: ids(client_id, ended, status.value)[1] for status in Status}
    assert {name for name, total in marks[True].items() if total} == {"failed"}
    assert {name for name, total in marks[False].items() if total} == {"interrupted"}


def test_one_baseline_is_opened_with_its_findings_and_without_its_credentials(client_id: str, row: TestRun) -> None:
    with wall.client(client_id):
        [name] = ids(client_id, row, None)[0]
        one = baselines.one(row, name)
        assert baselines.one(row, "bl_none") is None
    assert one is not None
    assert [found["type"] for found in one["vulns"]] == ["sqli"]
    assert "GET /items?q=1" in one["request"]
    assert "a-token-of-sixteen" not in one["request"]
    assert "found q=1" in one["response"]
