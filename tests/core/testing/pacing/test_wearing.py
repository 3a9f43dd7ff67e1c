"""A limiter that lets hardly anything through is not waited for again and again; one that lets enough through is."""

import random

import pytest

from gatecrash.core.testing.pacing.congestion import Congestion
from gatecrash.core.testing.pacing.wearing import LEAST_A_SECOND, MOST_SECONDS, MOST_SECONDS_OF_HOST, Wearing


def waited_for(most: int, seconds: float, baselines: tuple[str, ...], tests: int = 2000) -> tuple[float, int]:
    """How long a host is waited for in all, and how many tests are answered, that takes so many requests each so many
    seconds, of baselines that ask at random.
    """
    congestion, now, waited, answered, left, window = Congestion(), 0.0, 0.0, 0, most, 0.0
    draw = random.Random(1)
    for _ in range(tests):
        name = draw.choice(baselines)
        while True:
            pause = congestion.wait(now)
            now, waited = now + pause + 0.01, waited + pause
            if now - window >= seconds:
                left, window = most, now
            if left:
                left, answered = left - 1, answered + 1
                congestion.answered(now, name, 0.01)
                break
            if not congestion.refused(now, now, window + seconds - now, name) or congestion.given_up:
                break
    return waited, answered


def test_one_that_takes_five_requests_a_minute_is_left_after_a_minute_of_waiting() -> None:
    waited, answered = waited_for(5, 60.0, ("login",))
    assert MOST_SECONDS <= waited < 2 * MOST_SECONDS
    assert answered >= 5


def test_a_host_that_takes_five_requests_a_minute_is_left_after_minutes() -> None:
    waited, _ = waited_for(5, 60.0, tuple(f"bl_{number}" for number in range(30)))
    assert waited < 2 * MOST_SECONDS_OF_HOST


@pytest.mark.parametrize(("most", "seconds"), [(60, 60.0), (10, 10.0), (200, 50.0)])
def test_one_that_lets_enough_through_is_waited_for_to_the_end(most: int, seconds: float) -> None:
    assert waited_for(most, seconds, ("bl_1",))[1] == 2000
    assert waited_for(most, seconds, ("bl_1", "bl_2", "bl_3", "bl_4"))[1] == 2000


def test_a_baseline_is_worn_by_pauses_in_a_row_in_which_hardly_anything_is_answered() -> None:
    wearing = Wearing()
    wearing.refused("bl_1")
    wearing.waits(MOST_SECONDS)
    assert not wearing.is_worn("bl_1"), "nothing shows that anything is let through"
    wearing.answered()
    assert wearing.is_worn("bl_1")
    assert not wearing.is_worn("bl_2")
    wearing.refused("bl_2")
    assert not wearing.is_worn("bl_1"), "whoever asks is refused"


def test_waiting_that_was_worth_it_is_forgotten() -> None:
    wearing = Wearing()
    wearing.refused("bl_1")
    wearing.waits(MOST_SECONDS)
    for _ in range(1000):
        wearing.answered()
    assert not wearing.is_worn("bl_1"), "others are tested meanwhile"
    for _ in range(2):
        wearing.waits(MOST_SECONDS / 2)
        wearing.answered()
    assert wearing.is_worn("bl_1"), "and are done"


def test_a_host_is_worn_by_all_its_baselines_together() -> None:
    wearing = Wearing()
    for number in range(10):
        assert not wearing.host_is_worn
        wearing.refused(f"bl_{number}")
        wearing.waits(MOST_SECONDS_OF_HOST / 10)
    assert wearing.host_is_worn
    assert not wearing.is_worn("bl_1")
    for _ in range(int(LEAST_A_SECOND * MOST_SECONDS_OF_HOST)):
        wearing.answered()
    assert not wearing.host_is_worn, "it answers again"
