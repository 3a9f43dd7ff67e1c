"""Speed and time left of a run, as contract 2.8 defines them.

current_rps = test requests sent in the 10 seconds before the state was read, divided by 10.
avg_rps = all test requests sent, divided by the execution time (pauses left out).
estimated_time_to_completion = test requests queued, divided by current_rps.
"""

from collections.abc import Iterable

import msgspec

from gatecrash.core.testing.run import Run, State

WARM_UP = 10.0
INTERVAL = 10


class Estimates(msgspec.Struct, frozen=True):
    """The three values; None where the contract says null."""

    current_rps: float | None = None
    avg_rps: float | None = None
    estimated_time_to_completion: float | None = None


def execution_time(run: Run, now: float) -> float:
    """Seconds of execution so far: none while cloning, frozen while paused, final once ended."""
    if run.state is State.CLONING:
        return 0.0
    until = run.end_time if run.end_time is not None else run.paused_at if run.paused_at is not None else now
    return max(0.0, until - run.start_time - run.paused_seconds)


def sent_recently(seconds: Iterable[tuple[float, int]], now: float) -> int:
    """Test requests sent in the ten whole seconds before now.

    seconds: (begin of a second on the clock of `now`, sent in it). The second that is still filling is left out, or a
    steady speed would read low by half a second's worth.
    """
    return sum(sent for begin, sent in seconds if now - INTERVAL - 1 < begin <= now - 1)


def estimate(run: Run, recent: Iterable[tuple[float, int]], now: float) -> Estimates:
    """The three estimates at `now`."""
    lasted = execution_time(run, now)
    if run.state is State.CLONING or (lasted < WARM_UP and not run.ended):
        return Estimates()
    average = run.sent / _shown_execution_time(run, now)
    if lasted < WARM_UP:
        return Estimates(avg_rps=average)
    current = sent_recently(recent, now) / INTERVAL
    return Estimates(current, average, _time_left(run, current))


def _time_left(run: Run, current: float) -> float | None:
    """Seconds left at the present speed; unknown while nothing is tested or nothing is sent."""
    if run.state is not State.RUNNING or not run.running or not current:
        return None
    return run.planned / current


def _shown_execution_time(run: Run, now: float) -> float:
    """Execution time by the whole seconds that the run object shows, so that a reader can recompute the average.

    A run that began and ended within one second lasted one: the shown times know no less.
    """
    begin = int(run.start_time)
    if run.end_time is not None:
        return max(1.0, int(run.end_time) - begin - run.paused_seconds)
    return max(1.0, (run.paused_at if run.paused_at is not None else now) - begin - run.paused_seconds)
