"""The test run as a state machine: an event in, the next run and commands out.

    run, commands = advance(run, event, now)

The run is a value of counters, times and a lease; the database row is its memory, the node its hands. A single baseline's
check is a row of its own: events name what happened to it, and the machine keeps the sums, so that

    baseline_count = terminated + running + waiting + skipped
    terminated     = passed + failed + technical + interrupted

hold after every event. When a run ends, all that waits or runs becomes interrupted (failed where something was found)
in one step: rows are read through `effective_status`, so no transaction has to touch them all.
"""

from enum import StrEnum

import msgspec

from gatecrash.core.errors import UserError
from gatecrash.core.testing import run_counters as counters
from gatecrash.core.testing.run_events import (
    OPEN,
    Checked,
    Claimed,
    CloneFinished,
    Command,
    Drained,
    Event,
    Found,
    Interrupt,
    Listened,
    Listens,
    LookAgain,
    Pause,
    Progress,
    PutOff,
    Reason,
    Reopened,
    Resume,
    SessionsOver,
    Status,
    StopRecording,
    Stored,
    Surveyed,
    Takeover,
    UsersKnown,
)


class State(StrEnum):
    """The states of contract 3."""

    CLONING = "cloning"
    RUNNING = "running"
    PAUSED = "paused"
    INTERRUPTED = "interrupted"
    PASSED = "passed"
    FAILED = "failed"


ACTIVE = frozenset({State.CLONING, State.RUNNING, State.PAUSED})
ACTIONS = ("stop", "pause", "resume", "interrupt")

# The arrows of contract 3 and decisions 7, to which tests hold `advance` at every event. passed → failed is ours: a finding
# that an old lease held back must not hide behind a run that calls itself passed.
TRANSITIONS: dict[State, frozenset[State]] = {
    State.CLONING: frozenset({State.RUNNING, State.INTERRUPTED, State.PASSED}),
    State.RUNNING: frozenset({State.PAUSED, State.INTERRUPTED, State.PASSED, State.FAILED}),
    State.PAUSED: frozenset({State.RUNNING, State.INTERRUPTED, State.PASSED, State.FAILED}),
    State.INTERRUPTED: frozenset(),
    State.PASSED: frozenset({State.FAILED}),
    State.FAILED: frozenset(),
}


class ActionNotAllowed(UserError):
    """The run's state does not allow the action now."""


class Run(msgspec.Struct, frozen=True, kw_only=True):
    """One test run. Times are UNIX seconds on the control plane's clock.

    recording: the node is to take baselines. draining: recording is over, the node's last baselines are still awaited.
    generation: the lease; it rises whenever another start of the node takes over.
    *_found: open baselines that have a finding already. planned_*: test requests still to send; `forecast_running` is
    what the running ones were forecast at, and cost again when they return to waiting.
    sent_before: sent under earlier leases. sent_reported: the node's own total under this lease. sent_checked: the sum
    over this lease's results. The greater of the two is the truth: each may be ahead of the other, neither is too high.
    listening_until: until then the node's listener may hear of payloads that were sent; the run does not end before.
    users_due: the record may show users that nobody has looked for yet; the run does not end before.
    """

    state: State
    generation: int = 1
    recording: bool = False
    draining: bool = False
    stop_on_first_fail: bool = False
    waiting: int = 0
    running: int = 0
    skipped: int = 0
    passed: int = 0
    failed: int = 0
    technical: int = 0
    interrupted: int = 0
    waiting_found: int = 0
    running_found: int = 0
    vulnerabilities: int = 0
    planned_waiting: int = 0
    planned_running: int = 0
    forecast_running: int = 0
    sent_before: int = 0
    sent_reported: int = 0
    sent_checked: int = 0
    start_time: float = 0.0
    end_time: float | None = None
    paused_at: float | None = None
    paused_seconds: float = 0.0
    interrupt_reason: str | None = None
    listening_until: float = 0.0
    users_due: bool = False

    @property
    def terminated(self) -> int:
        """Baselines whose checks are over, however they ended."""
        return self.passed + self.failed + self.technical + self.interrupted

    @property
    def baseline_count(self) -> int:
        """Every baseline of the run."""
        return self.terminated + self.running + self.waiting + self.skipped

    @property
    def sent(self) -> int:
        """Test requests sent under all leases."""
        return self.sent_before + max(self.sent_reported, self.sent_checked)

    @property
    def planned(self) -> int:
        """Test requests still to be sent; 0 when the run is over."""
        return self.planned_waiting + self.planned_running

    @property
    def ended(self) -> bool:
        """Whether the run is over."""
        return self.state not in ACTIVE

    @property
    def simple_state(self) -> str:
        """The state of decisions 7 in which cloning is running."""
        return State.RUNNING.value if self.state is State.CLONING else self.state.value

    @property
    def allowed_actions(self) -> tuple[str, ...]:
        """What a user may do now, in the order of `ACTIONS`."""
        allowed = {
            State.CLONING: {"interrupt"},
            State.RUNNING: {"pause", "interrupt"},
            State.PAUSED: {"resume", "interrupt"},
        }.get(self.state, set())
        if self.recording:
            allowed = allowed | {"stop"}
        return tuple(action for action in ACTIONS if action in allowed)


Step = tuple[Run, tuple[Command, ...]]


def created(now: float, *, stop_on_first_fail: bool = False) -> Step:
    """A new run with a new record: it runs and records."""
    return Run(state=State.RUNNING, recording=True, start_time=now, stop_on_first_fail=stop_on_first_fail), ()


def copied(now: float, *, stop_on_first_fail: bool = False) -> Step:
    """A copy of a record: its checks have to be made first."""
    run = Run(state=State.CLONING, start_time=now, stop_on_first_fail=stop_on_first_fail)
    return run, (Command.START_CLONE,)


def advance(run: Run, event: Event, now: float) -> Step:
    """The run after the event, and what follows from it.

    Raises ActionNotAllowed where the event is a user's action that `allowed_actions` does not hold.
    """
    changed, commands = _apply(run, event, now)
    settled, more = _settle(changed, now)
    return settled, commands + more


def _apply(run: Run, event: Event, now: float) -> Step:
    """The event alone, before the end rules."""
    match event:
        case Pause():
            return _pause(run, now)
        case Resume():
            return _resume(run, now), ()
        case Interrupt():
            return _interrupt(run, event.reason, now)
        case StopRecording():
            return _stop_recording(run)
        case Drained():
            return _drained(run)
        case Takeover() | UsersKnown():
            return _takeover(run)
        case SessionsOver() | LookAgain():
            return _survey_due(run)
        case Listened():
            return msgspec.structs.replace(run, listening_until=0.0) if event.early else run, ()
        case Listens():
            return msgspec.structs.replace(run, listening_until=max(run.listening_until, event.until)), ()
        case _:
            return _counted(run, event, now), ()


def _counted(
    run: Run,
    event: Stored | CloneFinished | Claimed | Checked | PutOff | Found | Progress | Reopened | Surveyed,
    now: float,
) -> Run:
    """The events from which nothing but numbers follows."""
    match event:
        case Stored():
            return _stored(run, event)
        case CloneFinished():
            return _clone_finished(run, now)
        case Claimed():
            return counters.claimed(run, event)
        case Checked():
            return _checked(run, event)
        case PutOff():
            return counters.put_off(run, event)
        case Found():
            return _found(run, event)
        case Progress():
            return counters.progress(run, event)
        case Reopened():
            return run if run.ended else counters.reopened(run, event)
        case Surveyed():
            return msgspec.structs.replace(run, users_due=False)


def _settle(run: Run, now: float) -> Step:
    """The end rules; a paused run ends when it is resumed, a cloning one when it runs."""
    if run.state is not State.RUNNING:
        return run, ()
    if run.stop_on_first_fail and run.vulnerabilities:
        return _end(run, State.FAILED, now)
    if run.recording or run.draining or run.users_due or run.waiting or run.running or now < run.listening_until:
        return run, ()
    return _end(run, State.FAILED if run.vulnerabilities else State.PASSED, now)


def _end(run: Run, state: State, now: float) -> Step:
    """The run over: what is open is interrupted, or failed where something was found; recording stops."""
    found = run.waiting_found + run.running_found
    ended = msgspec.structs.replace(
        _unpaused(run, now),
        state=state,
        end_time=now,
        users_due=False,
        failed=run.failed + found,
        interrupted=run.interrupted + run.waiting + run.running - found,
        **dict.fromkeys(("waiting", "running", "waiting_found", "running_found"), 0),
        **dict.fromkeys(("planned_waiting", "planned_running", "forecast_running"), 0),
    )
    if not run.recording:
        return ended, ()
    return msgspec.structs.replace(ended, recording=False, draining=True), (Command.CLOSE_RECORD,)


def _stored(run: Run, event: Stored) -> Run:
    """Baselines that come after the end are kept and never tested: they are interrupted."""
    run = msgspec.structs.replace(run, skipped=run.skipped + event.skipped)
    if event.users and (run.recording or run.draining) and not run.ended:
        run = msgspec.structs.replace(run, users_due=True)
    if run.ended:
        return msgspec.structs.replace(run, interrupted=run.interrupted + event.to_check)
    return msgspec.structs.replace(
        run, waiting=run.waiting + event.to_check, planned_waiting=run.planned_waiting + event.planned
    )


def _clone_finished(run: Run, now: float) -> Run:
    """Execution begins when the copy is complete, so the start moves there."""
    if run.state is not State.CLONING:
        return run
    return msgspec.structs.replace(run, state=State.RUNNING, start_time=now)


def _stop_recording(run: Run) -> Step:
    if not run.recording:
        raise ActionNotAllowed("Recording is over already.")
    return msgspec.structs.replace(run, recording=False, draining=True), (Command.CLOSE_RECORD,)


def _drained(run: Run) -> Step:
    if not run.draining:
        return run, ()
    survey = (Command.SURVEY_RECORD,) if run.users_due else ()
    return msgspec.structs.replace(run, draining=False), (Command.RELEASE_RECORD, *survey)


def _survey_due(run: Run) -> Step:
    """A recording that still goes on is looked at when it is over."""
    if run.ended:
        return run, ()
    survey = () if run.recording or run.draining else (Command.SURVEY_RECORD,)
    return msgspec.structs.replace(run, users_due=True), survey


def _pause(run: Run, now: float) -> Step:
    if run.state is not State.RUNNING:
        raise ActionNotAllowed(f"A run that is {run.state} cannot be paused.")
    paused = msgspec.structs.replace(counters.returned(run), state=State.PAUSED, paused_at=now)
    return paused, (Command.RETURN_RUNNING_TO_WAITING,)


def _resume(run: Run, now: float) -> Run:
    if run.state is not State.PAUSED:
        raise ActionNotAllowed(f"A run that is {run.state} cannot be resumed.")
    return msgspec.structs.replace(_unpaused(run, now), state=State.RUNNING)


def _interrupt(run: Run, reason: Reason, now: float) -> Step:
    if run.ended:
        raise ActionNotAllowed(f"A run that is {run.state} cannot be interrupted.")
    return _end(msgspec.structs.replace(run, interrupt_reason=reason.value), State.INTERRUPTED, now)


def _takeover(run: Run) -> Step:
    """The old lease's count of sent requests is closed; its baselines start again."""
    taken = msgspec.structs.replace(
        counters.returned(run), generation=run.generation + 1, sent_before=run.sent, sent_reported=0, sent_checked=0
    )
    return taken, (Command.RETURN_RUNNING_TO_WAITING,)


def _unpaused(run: Run, now: float) -> Run:
    """The pause, where there is one, added to the time that is no execution."""
    if run.paused_at is None:
        return run
    return msgspec.structs.replace(
        run, paused_at=None, paused_seconds=run.paused_seconds + max(0.0, now - run.paused_at)
    )


def _checked(run: Run, event: Checked) -> Run:
    """A check closed once: an open one takes its final status, any other stays as it is."""
    if event.check.status not in OPEN:
        return run
    final = Status.FAILED if event.check.found else event.status
    return counters.count(counters.without(run, event.check), final, 1)


def _found(run: Run, event: Found) -> Run:
    """A finding makes its baseline failed: now where the check is over, else when it ends."""
    check = event.check
    run = msgspec.structs.replace(run, vulnerabilities=run.vulnerabilities + event.vulnerabilities)
    if run.state is State.PASSED:
        run = msgspec.structs.replace(run, state=State.FAILED)
    if check.found or check.status is Status.FAILED:
        return run
    if check.status is Status.WAITING:
        return msgspec.structs.replace(run, waiting_found=run.waiting_found + 1)
    if check.status is Status.IN_PROGRESS:
        return msgspec.structs.replace(run, running_found=run.running_found + 1)
    return counters.count(counters.count(run, check.status, -1), Status.FAILED, 1)
