"""What a host bears is found by its answers, and its turns are given in fairness."""

import heapq
import random

import pytest

from gatecrash.core.testing.pacing.congestion import (
    EPISODES,
    FIRST_WIDTH,
    GIVEN_UP_PAUSE,
    LONGEST_PAUSE,
    LONGEST_RETRY_AFTER,
    MOST_IN_JITTER,
    MOST_WIDTH,
    Congestion,
    Turns,
)


def test_a_target_that_does_not_slow_down_is_asked_as_much_as_there_are_connections() -> None:
    congestion = Congestion()
    for at in range(200):
        congestion.answered(at / 100, "bl_1", 0.02)
    assert congestion.width == MOST_WIDTH


def simulated(capacity: int, service: float, answers: int = 4000) -> Congestion:
    """A target that works at so many requests at once, and lets the others wait in its queue."""
    congestion, now = Congestion(), 0.0
    for _ in range(answers):
        waiting = max(1.0, congestion.width / capacity)
        now += service * waiting / max(1, congestion.width)
        congestion.answered(now, "bl_1", service * waiting)
    return congestion


@pytest.mark.parametrize("capacity", [2, 4, 10])
def test_the_width_settles_where_answers_take_noticeably_longer_and_no_further(capacity: int) -> None:
    width = simulated(capacity, 0.05).width
    assert capacity <= width <= 3 * capacity, "enough to keep it busy, not so much that a queue grows"


def test_a_slow_endpoint_is_no_strained_target() -> None:
    congestion = Congestion()
    for at in range(500):
        congestion.answered(at / 100, "quick", 0.01)
        congestion.answered(at / 100, "slow", 3.0)
    assert congestion.width == MOST_WIDTH


def test_a_target_that_has_become_slower_for_good_is_asked_as_much_as_it_bears_now() -> None:
    congestion, now = Congestion(), 0.0
    for latency, answers in ((0.02, 300), (0.2, 3000)):
        for _ in range(answers):
            now += latency / max(1, congestion.width)
            congestion.answered(now, "bl_1", latency)
    assert congestion.width == MOST_WIDTH


def test_a_target_that_slows_down_and_is_strained_by_two_is_still_asked_one_by_one() -> None:
    congestion, now, widths = Congestion(), 0.0, []
    for answer in range(4000):
        latency = 0.02 if answer < 200 else 0.1 * congestion.width**2
        now += latency / congestion.width
        congestion.answered(now, "bl_1", latency)
        widths.append(congestion.width)
    assert max(widths[1000:]) <= 2


def jittery(latencies: tuple[float, ...], capacity: int, answers: int = 4000) -> tuple[list[int], float]:
    """The widths at a target whose answers take one of these times, longer where more are under way than it works at; answers a second."""
    chance = random.Random(1)
    congestion, now, widths = Congestion(), 0.0, []
    under_way: list[tuple[float, float]] = []
    while len(widths) < answers:
        while len(under_way) < congestion.width:
            latency = chance.choice(latencies) * max(1.0, (len(under_way) + 1) / capacity)
            heapq.heappush(under_way, (now + latency, latency))
        now, latency = heapq.heappop(under_way)
        congestion.answered(now, f"bl_{chance.randrange(10)}", latency)
        widths.append(congestion.width)
    return widths, answers / now


@pytest.mark.parametrize("latencies", [(0.02, 0.05, 0.1, 0.4, 0.8, 1.5), (0.05, 0.1, 0.2, 0.3, 0.5)])
def test_a_target_whose_answers_take_by_far_not_equally_long_is_not_asked_one_by_one_for_that(latencies) -> None:
    widths, rate = jittery(latencies, 1000)
    assert min(widths[1000:]) >= 8
    assert max(widths[1000:]) <= MOST_IN_JITTER
    assert rate > 8 * len(latencies) / sum(latencies), "eight times as many as one after the other"


def test_a_target_of_jitter_that_is_strained_is_still_known_for_that() -> None:
    widths, rate = jittery((0.05, 0.1, 0.2, 0.3, 0.5), 4)
    assert sum(widths[1000:]) / 3000 <= 12, "three times what it works at, as without jitter"
    assert rate > 0.8 * 4 * 5 / 1.15


def after_jitter(capacity: int) -> int:
    """The width at a target whose answers jittered for a while, long after that."""
    congestion, now = Congestion(), 0.0
    chance = random.Random(1)
    for answer in range(6000):
        work = chance.choice((0.02, 0.1, 0.5, 1.5)) if answer < 1000 else 0.02
        latency = work * max(1.0, congestion.width / capacity)
        now += latency / congestion.width
        congestion.answered(now, "bl_1", latency)
    return congestion.width


def test_jitter_that_is_over_is_forgotten_and_until_then_few_are_under_way() -> None:
    assert after_jitter(1000) == MOST_WIDTH
    assert after_jitter(4) <= MOST_IN_JITTER


def test_waits_that_tests_ask_for_are_no_jitter() -> None:
    congestion, now = Congestion(most=1), 0.0
    for answer in range(400):
        latency = 3.0 if answer % 8 == 7 else 0.02
        now += latency
        congestion.answered(now, "bl_1", latency)
    assert congestion.state()[-1] <= 3.0


def test_a_process_goes_on_from_what_another_knows() -> None:
    one, other = Congestion(), Congestion()
    for answer in range(300):
        one.answered(answer / 10, "bl_1", (0.02, 0.5, 1.5)[answer % 3])
    other.adopt(one.state())
    assert one.state()[-1] > 1.0
    assert other.state() == one.state()


def test_a_few_long_waits_of_one_by_one_do_not_make_a_slow_target() -> None:
    congestion, now = Congestion(most=1), 0.0
    congestion.answered(now, "bl_1", 0.02)
    for _ in range(20):
        now += 3.0
        congestion.answered(now, "bl_1", 3.0)
    assert congestion.state()[2] > 2.0, "what it answered at its best is still known"


def test_a_limiter_halves_the_width_and_brings_a_pause_of_the_length_it_asks_for() -> None:
    congestion = Congestion()
    congestion.refused(10.0, 9.9, retry_after=3.0)
    assert congestion.width == FIRST_WIDTH / 2
    assert congestion.wait(10.0) == 3.0
    assert congestion.wait(13.0) == 0.0


def test_the_answers_to_what_was_under_way_belong_to_the_same_pause() -> None:
    congestion = Congestion()
    for _ in range(16):
        congestion.refused(10.0, 9.9)
    assert congestion.episodes == 1
    assert congestion.wait(10.0) == 0.25


def test_pauses_double_until_a_good_answer_comes() -> None:
    congestion, now, pauses = Congestion(), 0.0, []
    for _ in range(EPISODES - 1):
        congestion.refused(now, now)
        pauses.append(congestion.wait(now))
        now += congestion.wait(now)
    assert pauses == [0.25, 0.5, 1.0]
    congestion.answered(now, "bl_1", 0.01)
    congestion.refused(now, now)
    assert congestion.wait(now) == 0.25


def test_a_target_that_refuses_for_good_is_not_waited_for_again_and_again() -> None:
    congestion, now = Congestion(), 0.0
    for _ in range(EPISODES + 5):
        congestion.refused(now, now, 60.0)
        assert congestion.wait(now) <= LONGEST_RETRY_AFTER + 1e-6
        now += congestion.wait(now)
    assert congestion.given_up
    congestion.refused(now, now)
    assert congestion.wait(now) == pytest.approx(GIVEN_UP_PAUSE)
    congestion.answered(now + 1, "bl_1", 0.01)
    assert not congestion.given_up


def refused_beside(congestion: Congestion, refused: tuple[str, ...]) -> bool:
    """Whether the last refusal was the host's, of many in turns with good answers to others."""
    now, hosts = 0.0, True
    for at in range(40):
        now += 10.0
        hosts = congestion.refused(now, now, None, refused[at % len(refused)])
        for _ in range(10):
            congestion.answered(now + 9, "another", 0.01)
    return hosts


def test_a_limiter_of_one_endpoint_slows_nothing_else() -> None:
    congestion = Congestion()
    assert not refused_beside(congestion, ("login",))
    assert congestion.width > FIRST_WIDTH
    assert congestion.wait(401.0) == 0.0
    assert congestion.refused(402.0, 402.0, None, "search")


def test_a_limiter_that_refuses_whoever_asks_or_only_now_and_then_is_the_hosts() -> None:
    assert refused_beside(Congestion(), ("one", "two", "three"))
    assert refused_beside(Congestion(), ("another",))


def test_nothing_waits_for_one_endpoint_that_will_refuse_for_many_minutes() -> None:
    congestion = Congestion()
    for at in range(3):
        congestion.answered(10.0 + at, "search", 0.01)
        assert not congestion.refused(10.1 + at, 10.0 + at, 900.0, "login")
        assert not congestion.refused(10.2 + at, 10.1 + at, 900.0, "registration")
    assert congestion.wait(13.0) == 0.0
    assert not congestion.paused
    assert congestion.width >= FIRST_WIDTH


def test_a_minute_is_waited_for() -> None:
    congestion = Congestion()
    assert congestion.refused(10.0, 9.9, 60.0, "login")
    assert congestion.wait(10.0) == LONGEST_RETRY_AFTER


def test_a_host_that_tells_whoever_asks_to_wait_too_long_is_given_up_until_it_answers() -> None:
    congestion = Congestion()
    told = [congestion.refused(10.0, 9.9, 900.0, name) for name in ("one", "two", "three")]
    assert told == [False, False, True]
    assert congestion.given_up
    assert congestion.wait(10.0) == pytest.approx(GIVEN_UP_PAUSE)
    congestion.answered(11.0, "one", 0.01)
    assert not congestion.paused
    assert not congestion.refused(12.0, 11.9, 900.0, "two"), "somebody else was answered since"


def test_answers_under_way_when_a_host_began_to_refuse_do_not_speak_for_it() -> None:
    congestion = Congestion()
    congestion.refused(10.0, 9.9, 900.0, "one")
    congestion.refused(10.0, 9.9, 900.0, "two")
    congestion.answered(10.1, "four", 0.5)
    assert congestion.refused(10.2, 10.1, 900.0, "three")


def test_lost_requests_shrink_the_width_once_a_second_and_leave_room_for_another_beside_the_next() -> None:
    congestion = Congestion()
    for at in range(100):
        congestion.lost(at / 10, at / 10 - 20)
    assert congestion.width == 2


def test_what_hangs_again_and_again_holds_nobody_else_up() -> None:
    """At a target that was slow before, so that one request at a time was asked."""
    congestion, turns, now = Congestion(), Turns(), 0.0
    for at in range(50):
        now += 1
        congestion.answered(now, "bl_1", 0.05 if at < 5 else 2.0)
    assert congestion.width == 1
    congestion.lost(now, now - 20)
    numbers = {turns.ask(name): name for name in ("hangs", "hangs", "other")}
    assert [numbers[number] for number in turns.call(congestion.width)] == ["hangs", "other"]
    for at in range(30):
        congestion.answered(now + at / 2, "other", 0.05)
    width = congestion.width
    congestion.lost(now + 20, now)
    assert congestion.width == width > 2


def test_a_request_that_hangs_while_others_are_answered_does_not_shrink_the_width() -> None:
    congestion = Congestion()
    for at in range(60):
        congestion.answered(100 + at / 10, f"bl_{at % 5}", 0.05)
    width = congestion.width
    for at in range(5):
        congestion.lost(106.0 + 2 * at, 102.0)
    assert congestion.width == width


def test_a_request_that_hangs_while_hardly_any_is_answered_shrinks_the_width() -> None:
    congestion = Congestion()
    for at in range(60):
        congestion.answered(100 + at / 10, f"bl_{at % 5}", 0.05)
    width = congestion.width
    congestion.lost(106.0, 105.0)
    assert congestion.width == width // 2


def test_whatever_comes_the_width_stays_between_one_and_the_most() -> None:
    chance = random.Random(7)
    congestion, now = Congestion(), 0.0
    for _ in range(5000):
        now += chance.random()
        kind = chance.randrange(4)
        if kind == 0:
            congestion.refused(now, now - chance.random(), chance.choice([None, 0.0, 1e9]))
        elif kind == 1:
            congestion.lost(now, now - chance.random())
        else:
            congestion.answered(now, f"bl_{chance.randrange(5)}", chance.random() * 10)
        assert 1 <= congestion.width <= MOST_WIDTH
        assert 0 <= congestion.wait(now) <= max(LONGEST_RETRY_AFTER, LONGEST_PAUSE) + 1e-6


def test_turns_go_round_the_baselines() -> None:
    turns = Turns()
    numbers = {turns.ask(name): name for name in ("a", "a", "a", "b", "c")}
    called = [numbers[number] for number in turns.call(8)]
    assert called == ["a", "b", "c", "a", "a"]


def test_one_slow_baseline_holds_at_most_half_while_others_wait() -> None:
    turns = Turns()
    for _ in range(10):
        turns.ask("slow")
    assert len(list(turns.call(8))) == 7, "alone it leaves one free for who comes"
    numbers = {turns.ask("quick"): "quick" for _ in range(4)}
    assert [numbers.get(number) for number in turns.call(8)] == ["quick"]
    for _ in range(6):
        turns.done("slow")
    called = [numbers.get(number, "slow") for number in turns.call(8)]
    assert called.count("quick") == 3
    assert turns.under_way <= 8


def test_who_leaves_the_queue_is_not_called() -> None:
    turns = Turns()
    first, second = turns.ask("a"), turns.ask("a")
    turns.withdraw("a", first)
    turns.withdraw("a", first)
    assert (list(turns.call(1)), len(turns)) == ([second], 0)
    assert list(turns.call(1)) == [], "one is under way"
    turns.done("a")
    assert turns.under_way == 0
