"""Runs as lines of a list: counters and estimates, without what only one run's page shows."""

import time
from collections.abc import Iterable
from typing import Any

from gatecrash.control.testruns.mapping import recent_seconds, to_run
from gatecrash.control.testruns.models import TestRecord, TestRun
from gatecrash.control.ui.reads import baselines
from gatecrash.core.reports.run_object import counters
from gatecrash.core.testing.pacing.estimates import estimate
from gatecrash.core.testing.run import Run


def lines(rows: Iterable[TestRun]) -> list[dict[str, Any]]:
    """What the list shows of each run; the numbers are the API's."""
    now = time.time()
    return [_line(row, now) for row in rows]


def run_names(run_ids: Iterable[str]) -> dict[str, str]:
    """What runs are called, by identifier; those that were deleted are left out."""
    return dict(TestRun.objects.filter(id__in=set(run_ids)).values_list("id", "name"))


def record_names(record_ids: Iterable[str]) -> dict[str, str]:
    """What records are called, by identifier."""
    return dict(TestRecord.objects.filter(id__in=set(record_ids)).values_list("id", "name"))


def nothing_tested(row: TestRun, run: Run) -> bool:
    """Whether a run ended without a verdict on any request: its good result would say nothing."""
    return run.ended and run.passed + run.failed == row.baseline_untested_count


def _line(row: TestRun, now: float) -> dict[str, Any]:
    run = to_run(row)
    guessed = estimate(run, recent_seconds(row.recent), now)
    shown = counters(run)
    return {
        "id": row.id,
        "name": row.name,
        "state": row.state,
        "recording": row.recording,
        "nothing_tested": nothing_tested(row, run),
        "policy_id": row.policy_id,
        "start_time": int(row.start_time),
        "vulnerabilities": run.vulnerabilities,
        "sent": run.sent,
        "current_rps": guessed.current_rps,
        "time_left": guessed.estimated_time_to_completion,
        "progress": baselines.progress(shown),
        "to_check": run.baseline_count - run.skipped,
        "done": shown["baseline_check_all_terminated_count"] - shown["baseline_check_interrupted_count"],
        **shown,
    }
