"""The counters alone: what starts is taken from what waits, and what opens again keeps its finding.

The equation that they keep under every sequence of events is held by `test_run.py`.
"""

from tests.core.testing.test_run import after, recording

from gatecrash.core.testing import run_counters as counters
from gatecrash.core.testing.run import Run, State, advance
from gatecrash.core.testing.run_events import (
    Check,
    Checked,
    Claimed,
    Command,
    Drained,
    Found,
    Interrupt,
    Progress,
    PutOff,
    Reopened,
    SessionsOver,
    Status,
    StopRecording,
    Stored,
    Surveyed,
    UsersKnown,
)


def test_what_is_claimed_is_taken_from_what_waits_with_its_cost() -> None:
    run = counters.claimed(Run(state=State.RUNNING, waiting=3, waiting_found=1, planned_waiting=30), Claimed(2, 1, 20))
    assert (run.waiting, run.running, run.waiting_found, run.running_found) == (1, 2, 0, 1)
    assert (run.planned_waiting, run.planned_running, run.forecast_running) == (10, 20, 20)
    assert counters.returned(run) == Run(state=State.RUNNING, waiting=3, waiting_found=1, planned_waiting=30)


def test_a_part_that_is_put_off_waits_at_its_own_cost_with_what_was_found() -> None:
    at_work = Run(state=State.RUNNING, running=1, running_found=1, planned_running=3, forecast_running=20)
    check = Check(Status.IN_PROGRESS, found=True, forecast=20, remaining=3)
    run = counters.put_off(at_work, PutOff(check, 7))
    assert run == Run(state=State.RUNNING, waiting=1, waiting_found=1, planned_waiting=7)
    assert counters.put_off(run, PutOff(Check(Status.WAITING, found=True, forecast=7), 7)) == run
    assert counters.put_off(run, PutOff(Check(Status.PASSED), 7)) == run, "what is over is not opened"


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


def before_its_users() -> Run:
    """Three baselines with credentials of several kinds, one clean, one with a finding, one in flight; recording is over."""
    run = after(recording(), Stored(3, planned=30, users=True), Claimed(3, forecast=30))
    run = after(run, Checked(Check(Status.IN_PROGRESS, forecast=10, remaining=10), Status.PASSED))
    found = Check(Status.IN_PROGRESS, found=True, forecast=10, remaining=10)
    run = after(run, Found(Check(Status.IN_PROGRESS)), Checked(found, Status.PASSED))
    return after(run, Progress(sent=21), StopRecording())


def test_a_run_whose_record_may_show_users_does_not_end_before_somebody_looked() -> None:
    one = after(recording(), Stored(1, users=True), Claimed(1), Checked(Check(Status.IN_PROGRESS), Status.PASSED))
    drained, commands = advance(after(one, StopRecording()), Drained(), 101.0)
    assert commands == (Command.RELEASE_RECORD, Command.SURVEY_RECORD)
    assert (drained.state, drained.users_due) == (State.RUNNING, True)
    assert after(drained, Surveyed()).state is State.PASSED
    assert after(drained, Surveyed(), Surveyed()).passed == 1


def test_one_user_alone_is_not_waited_for() -> None:
    run = after(recording(), Stored(1), Claimed(1), Checked(Check(Status.IN_PROGRESS), Status.PASSED), StopRecording())
    ended, commands = advance(run, Drained(), 101.0)
    assert (ended.state, commands) == (State.PASSED, (Command.RELEASE_RECORD,))


def test_what_was_over_before_the_users_were_known_is_tested_as_them_and_counted_once() -> None:
    known, commands = advance(after(before_its_users(), Drained()), UsersKnown(), 102.0)
    assert Command.RETURN_RUNNING_TO_WAITING in commands, "what is in flight begins again, signed in as them"
    assert (known.generation, known.sent, known.waiting, known.running) == (2, 21, 1, 0)
    run = after(known, Reopened(passed=1, failed=1, planned=4), Surveyed())
    assert (run.passed, run.failed, run.waiting, run.waiting_found, run.planned) == (0, 0, 3, 1, 14)
    assert run.baseline_count == known.baseline_count == 3
    run = after(run, Claimed(3, found=1, forecast=14))
    for check in (Check(Status.IN_PROGRESS, forecast=10), Check(Status.IN_PROGRESS, forecast=2)):
        run = after(run, Checked(check, Status.PASSED))
    run = after(run, Checked(Check(Status.IN_PROGRESS, found=True, forecast=2), Status.PASSED))
    assert (run.state, run.passed, run.failed, run.terminated) == (State.FAILED, 2, 1, 3)


def test_what_waits_for_its_users_is_interrupted_with_its_run() -> None:
    run = after(before_its_users(), Drained(), UsersKnown(), Reopened(passed=1, failed=1), Interrupt())
    assert (run.interrupted, run.failed, run.users_due) == (2, 1, False)
    assert after(run, Reopened(passed=1)) == run


def test_a_run_does_not_end_before_somebody_looked_how_those_sign_in_whose_sessions_are_over() -> None:
    run = after(recording(), Stored(1), Claimed(1), StopRecording(), Drained())
    run, commands = advance(run, SessionsOver(), 101.0)
    assert commands == (Command.SURVEY_RECORD,)
    run = after(run, Checked(Check(Status.IN_PROGRESS), Status.ERROR))
    assert (run.state, run.technical) == (State.RUNNING, 1)
    assert after(run, Surveyed()).state is State.PASSED
    assert after(run, Reopened(0, technical=1), Surveyed()).waiting == 1


def test_while_a_record_grows_nobody_looks_at_it_for_sessions_that_are_over() -> None:
    run, commands = advance(after(recording(), Stored(1)), SessionsOver(), 101.0)
    assert (run.users_due, commands) == (True, ())
    assert Command.SURVEY_RECORD in advance(after(run, StopRecording()), Drained(), 102.0)[1]
    ended = after(run, Interrupt())
    assert after(ended, SessionsOver()) == ended


def test_users_that_come_after_the_record_was_released_hold_nothing() -> None:
    """Nobody would be asked to look for them any more."""
    run = after(recording(), Stored(1), StopRecording(), Drained(), Stored(1, users=True))
    assert not run.users_due
