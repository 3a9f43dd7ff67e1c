"""The counters alone: what starts is taken from what waits, and what opens again keeps its finding.

The equation that they keep under every sequence of events is held by `test_run.py`.
"""

from gatecrash.core.testing import run_counters as counters
from gatecrash.core.testing.run import Run, State
from gatecrash.core.testing.run_events import Check, Claimed, Progress, Reopened, Status


def test_what_is_claimed_is_taken_from_what_waits_with_its_cost() -> None:
    run = counters.claimed(Run(state=State.RUNNING, waiting=3, waiting_found=1, planned_waiting=30), Claimed(2, 1, 20))
    assert (run.waiting, run.running, run.waiting_found, run.running_found) == (1, 2, 0, 1)
    assert (run.planned_waiting, run.planned_running, run.forecast_running) == (10, 20, 20)
    assert counters.returned(run) == Run(state=State.RUNNING, waiting=3, waiting_found=1, planned_waiting=30)


def test_what_opens_again_keeps_its_finding() -> None:
    run = counters.reopened(Run(state=State.RUNNING, passed=2, failed=1), Reopened(passed=1, failed=1, planned=4))
    assert (run.passed, run.failed, run.waiting, run.waiting_found, run.planned) == (1, 0, 2, 1, 4)


def test_a_check_leaves_what_it_was_counted_in() -> None:
    run = Run(state=State.RUNNING, waiting=1, planned_waiting=5)
    assert counters.without(run, Check(Status.WAITING, forecast=5, remaining=5)) == Run(state=State.RUNNING)
    assert counters.count(run, Status.ERROR, 1).technical == 1


def test_totals_only_grow() -> None:
    run = counters.progress(Run(state=State.RUNNING, sent_reported=9), Progress(sent=4, checked=2))
    assert (run.sent_reported, run.sent_checked) == (9, 2)
