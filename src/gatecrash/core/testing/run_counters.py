"""What the events of a run do to its counters alone: checks that start, end, wait again, and what they still cost."""

from typing import TYPE_CHECKING

import msgspec

from gatecrash.core.testing.run_events import OPEN, Check, Claimed, Progress, PutOff, Reopened, Status

if TYPE_CHECKING:
    from gatecrash.core.testing.run import Run


def returned(run: "Run") -> "Run":
    """In-flight baselines waiting again, at their whole cost."""
    return msgspec.structs.replace(
        run,
        waiting=run.waiting + run.running,
        waiting_found=run.waiting_found + run.running_found,
        planned_waiting=run.planned_waiting + run.forecast_running,
        **dict.fromkeys(("running", "running_found", "planned_running", "forecast_running"), 0),
    )


def claimed(run: "Run", event: Claimed) -> "Run":
    """Waiting checks that run from now on."""
    return msgspec.structs.replace(
        run,
        waiting=run.waiting - event.count,
        running=run.running + event.count,
        waiting_found=run.waiting_found - event.found,
        running_found=run.running_found + event.found,
        planned_waiting=run.planned_waiting - event.forecast,
        planned_running=run.planned_running + event.forecast,
        forecast_running=run.forecast_running + event.forecast,
    )


def reopened(run: "Run", event: Reopened) -> "Run":
    """Closed checks open again for what they could not ask before; what was found of them stays found."""
    return msgspec.structs.replace(
        run,
        passed=run.passed - event.passed,
        failed=run.failed - event.failed,
        technical=run.technical - event.technical,
        waiting=run.waiting + event.passed + event.failed + event.technical,
        waiting_found=run.waiting_found + event.failed,
        planned_waiting=run.planned_waiting + event.planned,
    )


def put_off(run: "Run", event: PutOff) -> "Run":
    """An open check that waits again, at the cost of what is left of it."""
    if event.check.status not in OPEN:
        return run
    rest = without(run, event.check)
    return msgspec.structs.replace(
        rest,
        waiting=rest.waiting + 1,
        waiting_found=rest.waiting_found + event.check.found,
        planned_waiting=rest.planned_waiting + event.left,
    )


def progress(run: "Run", event: Progress) -> "Run":
    """Totals only grow, so a repeated or late message changes nothing; what remains is known of running checks only."""
    return msgspec.structs.replace(
        run,
        sent_reported=max(run.sent_reported, event.sent),
        sent_checked=run.sent_checked + event.checked,
        planned_running=max(0, run.planned_running + event.remaining) if run.running else 0,
    )


def without(run: "Run", check: Check) -> "Run":
    """The run without one open check."""
    if check.status is Status.WAITING:
        return msgspec.structs.replace(
            run,
            waiting=run.waiting - 1,
            waiting_found=run.waiting_found - check.found,
            planned_waiting=run.planned_waiting - check.forecast,
        )
    return msgspec.structs.replace(
        run,
        running=run.running - 1,
        running_found=run.running_found - check.found,
        planned_running=run.planned_running - check.remaining,
        forecast_running=run.forecast_running - check.forecast,
    )


_COUNTERS = {
    Status.PASSED: "passed",
    Status.FAILED: "failed",
    Status.ERROR: "technical",
    Status.INTERRUPTED: "interrupted",
    Status.SKIPPED: "skipped",
}


def count(run: "Run", status: Status, by: int) -> "Run":
    """One of the closed statuses counted up or down."""
    name = _COUNTERS[status]
    return msgspec.structs.replace(run, **{name: getattr(run, name) + by})
