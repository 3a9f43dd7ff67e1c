"""No window of one second ever holds more than the limit, the average comes near it, and nobody waits for another."""

from bisect import bisect_left, bisect_right
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gatecrash.core.testing.pacing.windows import Gate, Pacer


def fullest_second(times: list[float]) -> int:
    """The most requests in any window of one second, both ends included."""
    ordered = sorted(times)
    return max((bisect_right(ordered, at + 1.0) - bisect_left(ordered, at) for at in ordered), default=0)


def sent_by(pacer: Pacer, steps: list[tuple[float, str]]) -> list[tuple[float, str]]:
    now, sent = 0.0, []
    for pause, baseline in steps:
        now += pause
        sent.append((now + pacer.reserve(now, baseline), baseline))
    return sent


pauses = st.one_of(st.just(0.0), st.floats(0, 0.01), st.floats(0, 3))
walks = st.lists(st.tuples(pauses, st.sampled_from("abc")), max_size=150)


@settings(deadline=None)
@given(walks, st.integers(1, 40), st.one_of(st.none(), st.integers(1, 40)))
def test_no_second_holds_more_than_the_limits(steps, rps, per_baseline):
    sent = sent_by(Pacer(rps, per_baseline), steps)
    assert fullest_second([at for at, _ in sent]) <= rps
    if per_baseline:
        for name in "abc":
            assert fullest_second([at for at, baseline in sent if baseline == name]) <= per_baseline


@settings(deadline=None)
@given(walks, st.integers(1, 40))
def test_the_limit_of_a_baseline_holds_without_one_of_the_run(steps, per_baseline):
    sent = sent_by(Pacer(None, per_baseline), steps)
    for name in "abc":
        assert fullest_second([at for at, baseline in sent if baseline == name]) <= per_baseline


@pytest.mark.parametrize("rps", [1, 2, 3, 7, 10, 100, 500, 1000])
def test_the_average_reaches_95_percent_under_steady_demand(rps):
    """Twenty senders, each asking again as soon as its request has left, 3 ms late."""
    pacer, seconds = Pacer(rps), 20
    due = [0.0] * 20
    times = []
    while True:
        now = min(due)
        if now > seconds:
            break
        at = now + pacer.reserve(now, "b")
        times.append(at)
        due[due.index(now)] = at + 0.003
    inside = [at for at in times if at <= seconds]
    assert len(inside) >= 0.95 * rps * seconds
    assert fullest_second(times) <= rps


@pytest.mark.parametrize(("rps", "per_baseline"), [(10, 8), (100, 30), (1000, 500), (7, 2), (None, 9), (50, 50)])
def test_the_average_of_a_baseline_reaches_95_percent_of_its_own_limit(rps, per_baseline):
    pacer = Pacer(rps, per_baseline)
    times = []
    now = 0.0
    while now <= 20:
        now += pacer.reserve(now, "b")
        times.append(now)
    assert len(times) >= 0.95 * per_baseline * 20
    assert fullest_second(times) <= per_baseline


def test_requests_may_leave_twenty_milliseconds_late():
    pacer = Pacer(50)
    times = []
    for number in range(500):
        times.append(pacer.reserve(0.0, "b") + (0.019 if number % 50 == 0 else 0.0))
    assert fullest_second(times) <= 50


def test_a_baseline_that_waits_for_its_own_limit_leaves_the_time_before_to_others():
    pacer = Pacer(10, 1)
    waits = [pacer.reserve(0.0, "slow") for _ in range(5)]
    assert waits[-1] > 4
    assert pacer.reserve(0.0, "other") < 0.2


def test_all_are_served_in_turn():
    pacer = Pacer(100)
    order = [(pacer.reserve(0.0, name), name) for _ in range(50) for name in "abcd"]
    first = Counter(name for wait, name in sorted(order)[:100])
    assert set(first.values()) == {25}


def test_after_a_rest_nobody_waits():
    pacer = Pacer(1)
    assert pacer.reserve(0.0, "b") == 0.0
    assert pacer.reserve(1.5, "b") == 0.0


def test_unlimited_never_waits():
    pacer = Pacer()
    assert {pacer.reserve(0.0, "b") for _ in range(1000)} == {0.0}


def test_a_forgotten_baseline_leaves_nothing_behind():
    pacer = Pacer(None, 5)
    for number in range(100):
        pacer.reserve(0.0, str(number))
        pacer.forget(str(number))
    assert pacer._recent == {}


def test_slots_of_the_past_are_forgotten():
    pacer = Pacer(1000)
    now = 0.0
    for _ in range(20_000):
        now += pacer.reserve(now, "b")
    assert len(pacer._slots._free_after) < 10_000


@settings(deadline=None)
@given(st.lists(st.floats(0, 0.5), max_size=100), st.integers(1, 20))
def test_the_gate_lets_no_second_hold_more_whatever_comes(gaps, rps):
    gate, now, passed = Gate(rps), 0.0, []
    for gap in gaps:
        now += gap
        wait = gate.pass_at(now)
        while wait:
            now += wait
            wait = gate.pass_at(now)
        passed.append(now)
    assert fullest_second(passed) <= rps
