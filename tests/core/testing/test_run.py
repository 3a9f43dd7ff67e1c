"""The run's state machine keeps its promises, one rule at a time and under every sequence of events."""

import msgspec
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from gatecrash.core.testing.run import (
    ACTIONS,
    TRANSITIONS,
    ActionNotAllowed,
    Run,
    State,
    advance,
    copied,
    created,
)
from gatecrash.core.testing.run_events import (
    OPEN,
    Check,
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
    effective_status,
)


def after(run: Run, *events: Event, now: float = 100.0) -> Run:
    for event in events:
        run, _ = advance(run, event, now)
    return run


def recording(**options: bool) -> Run:
    return created(100.0, **options)[0]


def test_a_created_run_runs_and_records() -> None:
    run = recording()
    assert (run.state, run.recording, run.simple_state) == (State.RUNNING, True, "running")
    assert run.allowed_actions == ("stop", "pause", "interrupt")


def test_a_copy_clones_and_can_only_be_interrupted() -> None:
    run, commands = copied(100.0)
    assert commands == (Command.START_CLONE,)
    assert (run.state, run.simple_state, run.allowed_actions) == (State.CLONING, "running", ("interrupt",))


def test_a_copy_starts_when_its_cloning_is_over() -> None:
    run, _ = copied(100.0)
    run, _ = advance(run, Stored(2, planned=9), 101.0)
    run, _ = advance(run, CloneFinished(), 105.0)
    assert (run.state, run.start_time, run.waiting, run.planned) == (State.RUNNING, 105.0, 2, 9)


def test_a_stopped_run_does_not_end_before_the_last_baseline_arrived() -> None:
    run = after(recording(), StopRecording())
    assert (run.state, run.recording, run.draining) == (State.RUNNING, False, True)
    run = after(run, Stored(1))
    assert after(run, Drained()).state is State.RUNNING


def test_a_run_without_a_baseline_passes_when_it_is_drained() -> None:
    run = after(recording(), StopRecording())
    ended, commands = advance(run, Drained(), 107.0)
    assert (ended.state, ended.end_time, commands) == (State.PASSED, 107.0, (Command.RELEASE_RECORD,))
    assert ended.allowed_actions == ()


def test_one_finding_fails_the_run_after_all_others_were_tested() -> None:
    run = after(recording(), Stored(2, planned=10), StopRecording(), Drained(), Claimed(2, forecast=10))
    run = after(run, Found(Check(Status.IN_PROGRESS)), Checked(Check(Status.IN_PROGRESS, found=True), Status.PASSED))
    assert (run.state, run.failed, run.running) == (State.RUNNING, 1, 1)
    run = after(run, Checked(Check(Status.IN_PROGRESS), Status.PASSED))
    assert (run.state, run.failed, run.passed) == (State.FAILED, 1, 1)


def test_technical_failures_alone_pass() -> None:
    run = after(recording(), Stored(1), StopRecording(), Drained(), Claimed(1))
    run = after(run, Checked(Check(Status.IN_PROGRESS), Status.ERROR))
    assert (run.state, run.technical) == (State.PASSED, 1)


def test_stop_on_first_fail_ends_at_the_first_finding_and_interrupts_the_others() -> None:
    run = after(recording(stop_on_first_fail=True), Stored(3, planned=30), Claimed(2, forecast=20))
    ended, commands = advance(run, Found(Check(Status.IN_PROGRESS)), 130.0)
    assert (ended.state, ended.failed, ended.interrupted, ended.planned) == (State.FAILED, 1, 2, 0)
    assert (ended.recording, ended.draining, commands) == (False, True, (Command.CLOSE_RECORD,))


def listening(until: float) -> Run:
    """A run whose only check is over, and whose payloads may be answered until then."""
    run = after(recording(), Stored(1), StopRecording(), Drained(), Claimed(1))
    return after(run, Listens(until), Checked(Check(Status.IN_PROGRESS), Status.PASSED))


def test_a_run_that_may_still_be_called_stays_until_the_time_is_over() -> None:
    run = listening(130.0)
    assert (run.state, run.terminated) == (State.RUNNING, 1)
    assert after(run, Listened(), now=129.9).state is State.RUNNING
    assert after(run, Listens(50.0), Listened(), now=129.9).state is State.RUNNING
    assert after(run, Listened(), now=130.0).state is State.PASSED
    assert after(run, Listened(early=True), now=101.0).state is State.PASSED


def test_what_calls_within_the_time_fails_the_run_at_its_end() -> None:
    run = after(listening(130.0), Found(Check(Status.PASSED)), now=110.0)
    assert (run.state, run.passed, run.failed) == (State.RUNNING, 0, 1)
    assert after(run, Listened(), now=131.0).state is State.FAILED


def test_a_run_that_listens_can_be_interrupted() -> None:
    assert after(listening(130.0), Interrupt(), now=110.0).state is State.INTERRUPTED


def test_a_finding_during_a_pause_ends_such_a_run_when_it_is_resumed() -> None:
    run = after(recording(stop_on_first_fail=True), Stored(2), Claimed(1), Pause(), Found(Check(Status.WAITING)))
    assert run.state is State.PAUSED
    run = after(run, Resume())
    assert (run.state, run.failed, run.interrupted) == (State.FAILED, 1, 1)


def test_a_pause_returns_what_is_in_flight_at_its_whole_cost_and_freezes_time() -> None:
    run = after(recording(), Stored(2, planned=20), Claimed(1, forecast=12), Progress(sent=5, remaining=-5))
    assert run.planned == 15
    run, commands = advance(run, Pause(), 110.0)
    assert commands == (Command.RETURN_RUNNING_TO_WAITING,)
    assert (run.waiting, run.running, run.planned, run.sent) == (2, 0, 20, 5)
    assert run.allowed_actions == ("stop", "resume", "interrupt")
    run, _ = advance(run, Resume(), 140.0)
    assert (run.state, run.paused_seconds) == (State.RUNNING, 30.0)


def test_interrupting_a_paused_run_keeps_the_pause_out_of_its_time() -> None:
    run, _ = advance(recording(), Pause(), 110.0)
    run, _ = advance(run, Interrupt(Reason.NODE_LOST), 150.0)
    assert (run.end_time, run.paused_seconds, run.interrupt_reason) == (150.0, 40.0, "node_lost")


def test_interruption_fails_the_baselines_that_have_a_finding() -> None:
    run = after(recording(), Stored(3), Claimed(2), Found(Check(Status.IN_PROGRESS)), Interrupt())
    assert (run.state, run.failed, run.interrupted) == (State.INTERRUPTED, 1, 2)


def test_a_takeover_closes_the_old_count_and_begins_another() -> None:
    run = after(recording(), Stored(1, planned=8), Claimed(1, forecast=8), Progress(sent=6, remaining=-6))
    run, commands = advance(run, Takeover(), 120.0)
    assert commands == (Command.RETURN_RUNNING_TO_WAITING,)
    assert (run.generation, run.waiting, run.planned, run.sent) == (2, 1, 8, 6)
    assert after(run, Progress(sent=4)).sent == 10


def test_repeated_totals_count_once() -> None:
    run = after(recording(), Stored(1), Claimed(1), Progress(sent=6), Progress(sent=6), Progress(sent=4))
    assert run.sent == 6


def test_results_that_are_ahead_of_the_heartbeat_count_and_are_not_added_to_it() -> None:
    run = after(recording(), Stored(1), Claimed(1), Progress(sent=6), Progress(checked=9))
    assert run.sent == 9
    assert after(run, Progress(sent=10)).sent == 10


def test_baselines_after_the_end_are_kept_as_interrupted() -> None:
    run = after(recording(), Interrupt(), Stored(2, skipped=1, planned=7))
    assert (run.interrupted, run.skipped, run.planned, run.baseline_count) == (2, 1, 0, 3)


@pytest.mark.parametrize("status", [Status.PASSED, Status.INTERRUPTED, Status.ERROR])
def test_a_late_finding_turns_a_closed_baseline_into_a_failed_one(status: Status) -> None:
    run = after(recording(), Stored(1), Claimed(1), Checked(Check(Status.IN_PROGRESS), status))
    run = after(run, Found(Check(status)))
    assert (run.failed, run.terminated, run.vulnerabilities) == (1, 1, 1)


def test_a_late_finding_never_hides_behind_a_passed_run() -> None:
    run = after(recording(), Stored(1), StopRecording(), Drained(), Claimed(1))
    run = after(run, Checked(Check(Status.IN_PROGRESS), Status.PASSED))
    assert run.state is State.PASSED
    run = after(run, Found(Check(Status.PASSED)))
    assert (run.state, run.failed, run.passed) == (State.FAILED, 1, 0)


def test_a_check_is_closed_once() -> None:
    run = after(recording(), Stored(2), Claimed(2), Checked(Check(Status.IN_PROGRESS), Status.PASSED))
    assert after(run, Checked(Check(Status.PASSED), Status.ERROR)) == run


@pytest.mark.parametrize("event", [StopRecording(), Pause(), Resume(), Interrupt()])
def test_an_ended_run_allows_no_action(event: Event) -> None:
    with pytest.raises(ActionNotAllowed):
        after(after(recording(), Interrupt()), event)


class RunMachine(RuleBasedStateMachine):
    """Random events, with each baseline's row kept beside the run, as the database keeps it."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 1000.0
        self.run = created(self.now)[0]
        self.rows: list[Check] = []
        self.before = self.run
        self.vulnerable = False

    def step(self, event: Event) -> None:
        self.now += 0.5
        self.before = self.run
        self.run, commands = advance(self.run, event, self.now)
        if Command.RETURN_RUNNING_TO_WAITING in commands:
            self.rows = [
                msgspec.structs.replace(row, status=Status.WAITING, remaining=row.forecast)
                if row.status is Status.IN_PROGRESS
                else row
                for row in self.rows
            ]

    def effective(self, row: Check) -> Status:
        return effective_status(row.status, found=row.found, run_ended=self.run.ended)

    def view(self, index: int) -> Check:
        row = self.rows[index]
        return msgspec.structs.replace(row, status=self.effective(row))

    @rule(forecasts=st.lists(st.integers(0, 20), max_size=4), skipped=st.integers(0, 2), users=st.booleans())
    def store(self, forecasts: list[int], skipped: int, users: bool) -> None:
        status = Status.INTERRUPTED if self.run.ended else Status.WAITING
        self.rows += [Check(status, forecast=cost, remaining=cost) for cost in forecasts]
        self.rows += [Check(Status.SKIPPED)] * skipped
        self.step(Stored(len(forecasts), skipped, sum(forecasts), users))

    @precondition(lambda self: self.run.state is State.RUNNING and self.run.waiting)
    @rule(count=st.integers(1, 3))
    def claim(self, count: int) -> None:
        taken = [i for i, row in enumerate(self.rows) if row.status is Status.WAITING][:count]
        for i in taken:
            self.rows[i] = msgspec.structs.replace(self.rows[i], status=Status.IN_PROGRESS)
        chosen = [self.rows[i] for i in taken]
        self.step(Claimed(len(chosen), sum(row.found for row in chosen), sum(row.forecast for row in chosen)))

    @precondition(lambda self: any(row.status is not Status.SKIPPED for row in self.rows))
    @rule(data=st.data())
    def find(self, data: st.DataObject) -> None:
        """A finding may come for any baseline, open or closed, before or after the end."""
        index = data.draw(st.sampled_from([i for i, row in enumerate(self.rows) if row.status is not Status.SKIPPED]))
        check = self.view(index)
        closed = check.status not in OPEN
        self.rows[index] = msgspec.structs.replace(
            self.rows[index], found=True, status=Status.FAILED if closed else check.status
        )
        self.vulnerable = True
        self.step(Found(check))

    # Nothing is given out while a record is cloned (see `claim`), so that nothing can be closed then.
    @precondition(lambda self: self.rows and self.run.state is not State.CLONING)
    @rule(data=st.data(), status=st.sampled_from([Status.PASSED, Status.ERROR, Status.INTERRUPTED]))
    def close(self, data: st.DataObject, status: Status) -> None:
        index = data.draw(st.integers(0, len(self.rows) - 1))
        check = self.view(index)
        if check.status in OPEN:
            final = Status.FAILED if check.found else status
            self.rows[index] = msgspec.structs.replace(self.rows[index], status=final, remaining=0)
        self.step(Checked(check, status))

    @rule(sent=st.integers(0, 50), data=st.data())
    def progress(self, sent: int, data: st.DataObject) -> None:
        change = 0
        running = [i for i, row in enumerate(self.rows) if self.effective(row) is Status.IN_PROGRESS]
        if running:
            index = data.draw(st.sampled_from(running))
            remaining = data.draw(st.integers(0, 20))
            change = remaining - self.rows[index].remaining
            self.rows[index] = msgspec.structs.replace(self.rows[index], remaining=remaining)
        self.step(Progress(sent=sent, remaining=change))

    @rule(event=st.sampled_from([StopRecording(), Pause(), Resume(), Interrupt()]))
    def act(self, event: Event) -> None:
        name = {"StopRecording": "stop"}.get(type(event).__name__, type(event).__name__.lower())
        if name in self.run.allowed_actions:
            self.step(event)
        else:
            with pytest.raises(ActionNotAllowed):
                advance(self.run, event, self.now)

    @precondition(lambda self: not self.run.ended)
    @rule(data=st.data(), cost=st.integers(0, 5))
    def reopen(self, data: st.DataObject, cost: int) -> None:
        closed = [i for i, row in enumerate(self.rows) if row.status in (Status.PASSED, Status.FAILED)]
        chosen = data.draw(st.sets(st.sampled_from(closed))) if closed else set()
        failed = sum(self.rows[i].status is Status.FAILED for i in chosen)
        for i in chosen:
            self.rows[i] = Check(Status.WAITING, self.rows[i].found, cost, cost)
        self.step(Reopened(len(chosen) - failed, failed, cost * len(chosen)))

    @precondition(lambda self: not self.run.ended)
    @rule()
    def learn_users(self) -> None:
        self.step(UsersKnown())

    @rule(event=st.sampled_from([Drained(), Takeover(), CloneFinished(), Surveyed(), SessionsOver(), LookAgain()]))
    def happen(self, event: Event) -> None:
        self.step(event)

    @invariant()
    def counters_are_what_the_rows_say(self) -> None:
        run = self.run
        counted = [self.effective(row) for row in self.rows]
        assert run.baseline_count == len(self.rows)
        assert run.terminated == run.passed + run.failed + run.technical + run.interrupted
        assert run.waiting == counted.count(Status.WAITING)
        assert run.running == counted.count(Status.IN_PROGRESS)
        assert run.failed == counted.count(Status.FAILED)
        assert run.passed == counted.count(Status.PASSED)
        assert run.interrupted == counted.count(Status.INTERRUPTED)

    @invariant()
    def what_is_planned_is_what_remains(self) -> None:
        expected = sum(row.remaining for row in self.rows if self.effective(row) in OPEN)
        assert self.run.planned == expected

    @invariant()
    def the_state_moved_along_an_arrow(self) -> None:
        assert self.run.state is self.before.state or self.run.state in TRANSITIONS[self.before.state]

    @invariant()
    def an_ended_run_has_its_end_and_no_action(self) -> None:
        assert self.run.ended == (self.run.end_time is not None)
        assert set(self.run.allowed_actions) <= set(ACTIONS)
        if self.run.ended:
            assert self.run.allowed_actions == ()
            assert not self.run.recording
            assert self.run.planned == 0
            assert not self.run.users_due

    @invariant()
    def no_run_passes_with_a_vulnerability(self) -> None:
        assert not (self.vulnerable and self.run.state is State.PASSED)
        assert self.run.sent >= self.before.sent


RunMachine.TestCase.settings = settings(max_examples=150, stateful_step_count=40, deadline=None)
TestRunMachine = RunMachine.TestCase


class CopyMachine(RunMachine):
    """The same of a copy, which begins by cloning."""

    def __init__(self) -> None:
        super().__init__()
        self.run = copied(self.now)[0]
        self.before = self.run


CopyMachine.TestCase.settings = settings(max_examples=80, stateful_step_count=40, deadline=None)
TestCopyMachine = CopyMachine.TestCase
