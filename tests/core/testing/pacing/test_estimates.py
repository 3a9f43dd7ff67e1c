"""The estimates of contract 2.8, to the letter."""

import msgspec
import pytest

from gatecrash.core.testing.pacing.estimates import Estimates, estimate, execution_time, sent_recently
from gatecrash.core.testing.run import Run, State

RUNNING = Run(state=State.RUNNING, start_time=100.0, running=1, waiting=2, planned_waiting=200, sent_reported=300)
STEADY = [(100.0 + second, 10) for second in range(30)]


def with_(run: Run, **changes: object) -> Run:
    return msgspec.structs.replace(run, **changes)


def test_all_three_are_null_during_the_first_ten_seconds() -> None:
    assert estimate(RUNNING, STEADY, 109.9) == Estimates()


def test_after_ten_seconds_all_three_are_numbers() -> None:
    assert estimate(RUNNING, STEADY, 130.0) == Estimates(10.0, 10.0, 20.0)


def test_a_steady_speed_reads_the_same_at_any_fraction_of_a_second() -> None:
    for fraction in (0.0, 0.1, 0.5, 0.99):
        assert sent_recently([(100.3 + second, 7) for second in range(20)], 118.0 + fraction) == 70


def test_seconds_older_than_the_interval_do_not_count() -> None:
    assert sent_recently([(100.0, 1000), (111.0, 3)], 112.0) == 3


def test_nothing_sent_lately_makes_the_time_left_unknown() -> None:
    assert estimate(RUNNING, [], 130.0) == Estimates(0.0, 10.0, None)


def test_no_check_in_progress_makes_the_time_left_unknown() -> None:
    assert estimate(with_(RUNNING, running=0), STEADY, 130.0).estimated_time_to_completion is None


@pytest.mark.parametrize("state", [State.PAUSED, State.INTERRUPTED, State.PASSED, State.FAILED])
def test_only_a_running_run_has_time_left(state: State) -> None:
    run = with_(RUNNING, state=state, end_time=None if state is State.PAUSED else 130.0, paused_at=130.0)
    assert estimate(run, STEADY, 130.0).estimated_time_to_completion is None


def test_a_cloning_run_has_no_estimates() -> None:
    assert estimate(with_(RUNNING, state=State.CLONING), STEADY, 150.0) == Estimates()


def test_a_pause_freezes_the_average() -> None:
    paused = with_(RUNNING, state=State.PAUSED, paused_at=130.0)
    assert estimate(paused, [], 130.0).avg_rps == estimate(paused, [], 990.0).avg_rps == 10.0


def test_pauses_are_no_execution_time() -> None:
    run = with_(RUNNING, paused_seconds=60.0)
    assert execution_time(run, 190.0) == 30.0
    assert estimate(run, [], 190.0).avg_rps == 10.0


def test_a_run_shorter_than_ten_seconds_gets_its_average_at_its_end_and_nothing_else() -> None:
    ended = with_(RUNNING, state=State.PASSED, end_time=104.0)
    assert estimate(ended, STEADY, 150.0) == Estimates(avg_rps=75.0)


def test_a_run_within_one_second_lasted_a_second() -> None:
    ended = with_(RUNNING, state=State.PASSED, start_time=100.2, end_time=100.9)
    assert estimate(ended, [], 150.0).avg_rps == 300.0


def test_the_average_follows_from_the_whole_seconds_that_are_shown() -> None:
    ended = with_(RUNNING, state=State.PASSED, start_time=100.9, end_time=115.1)
    assert estimate(ended, [], 200.0).avg_rps == 20.0


def test_an_ended_run_keeps_its_average() -> None:
    ended = with_(RUNNING, state=State.FAILED, end_time=130.0)
    assert estimate(ended, [], 131.0).avg_rps == estimate(ended, [], 9999.0).avg_rps == 10.0
