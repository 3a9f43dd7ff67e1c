"""The timing oracle: its p-values are exact, its error rate is what it says, and a slow page alone proves nothing."""

from itertools import permutations
from random import Random

import pytest

from gatecrash.core.testing.oracles.timing import (
    DECOY,
    WAITS,
    Measure,
    are_proven,
    differ,
    goes_on,
    may_wait,
    never_early,
    order,
    p_value,
)


def asked_in(questions: list[int]) -> list[int]:
    return [max(0, question) for question in questions]


def test_a_perfect_order_has_the_smallest_p_and_it_proves():
    measures = [Measure(asked, asked + 0.01 * place) for place, asked in enumerate(WAITS)]
    assert p_value(measures) == pytest.approx(1 / 3780)
    assert are_proven([p_value(measures)], 1.0)


def test_one_round_proves_no_work_and_two_must_be_nearly_perfect():
    perfect = p_value([Measure(asked, asked + 0.01 * place) for place, asked in enumerate(WAITS)], 0)
    assert perfect == pytest.approx(1 / 3780)
    assert not are_proven([perfect], 0)
    assert goes_on([perfect], 0)
    assert are_proven([perfect, 0.15], 1.0)
    assert not are_proven([perfect, 0.15], 0)
    assert are_proven([perfect, perfect], 0)


def test_three_rounds_prove_work_that_takes_as_long_as_it_likes_where_none_takes_none():
    """So it was measured on a busy machine: one unit took longer than three."""
    seen = [(0, 0.006), (3, 1.4), (0, 0.001), (2, 1.2), (0, 0.001), (1, 2.7), (1, 1.3), (2, 1.5), (0, 0.0)]
    p = p_value([Measure(*each) for each in seen], 0)
    assert p <= 1 / 126
    assert p_value([Measure(*each) for each in seen], 1.0) > 1 / 50
    assert not are_proven([p, p], 0)
    assert goes_on([p, p], 0)
    assert are_proven([p, p, p], 0)


def test_no_sleep_is_asked_for_in_a_third_round():
    assert not goes_on([1 / 60, 1 / 60], 1.0)


def test_the_p_value_is_the_share_of_orders_as_good():
    """Counted by hand over all orders of a short series."""
    asked, elapsed = (0, 1, 0, 2), (0.3, 0.9, 1.1, 0.7)
    ranks = [sorted(elapsed).index(value) + 1 for value in elapsed]
    observed = sum(map(int.__mul__, asked, ranks))
    orders = list(permutations(asked))
    share = sum(sum(map(int.__mul__, one, ranks)) >= observed for one in orders) / len(orders)
    assert p_value([Measure(*pair) for pair in zip(asked, elapsed, strict=True)]) == pytest.approx(share)


def test_equal_times_prove_nothing():
    assert p_value([Measure(asked, 1.0) for asked in WAITS]) == 1.0


def noise(kind: str, random: Random, place: int) -> float:
    return {
        "jitter": lambda: random.expovariate(1.0),
        "bursts": lambda: 4.0 if random.random() < 0.3 else 0.1,
        "drift": lambda: 0.5 * place + random.random(),
        "slow": lambda: 6.0 + random.gauss(0, 0.5),
    }[kind]()


@pytest.mark.parametrize("kind", ["jitter", "bursts", "drift", "slow"])
@pytest.mark.parametrize("seconds", [1.0, 0], ids=["sleep", "work"])
def test_the_error_rate_is_at_most_six_in_ten_thousand_whatever_the_noise(kind, seconds):
    """Of 10,000 suspicions against pages that do not wait; the 3.5 sigma bound of six expected is 15."""
    random = Random(1)

    def measured() -> float:
        questions = asked_in(order(random))
        measures = [Measure(asked, noise(kind, random, place)) for place, asked in enumerate(questions)]
        return p_value(measures, seconds)

    false = 0
    for _ in range(10_000 if kind == "slow" else 2_000):
        rounds = [measured()]
        while not are_proven(rounds, seconds) and goes_on(rounds, seconds):
            rounds.append(measured())
        false += are_proven(rounds, seconds)
    assert false <= (15 if kind == "slow" else 6)


def test_a_sleep_under_jitter_of_a_third_of_its_unit_is_found():
    random = Random(2)
    for _ in range(300):
        rounds = [
            [Measure(asked, asked + random.uniform(0.1, 0.43)) for asked in asked_in(order(random))] for _ in range(2)
        ]
        assert all(never_early(measures, 1.0) for measures in rounds)
        assert are_proven([p_value(rounds[0])], 1.0)


def test_an_answer_before_its_time_has_not_slept():
    assert never_early([Measure(0, 0.0), Measure(2, 2.01)], 1.0)
    assert not never_early([Measure(2, 1.2)], 1.0)
    assert never_early([Measure(2, 0.3)], 0)


def test_a_page_that_is_always_slow_raises_no_suspicion():
    assert not may_wait(3.1, 3.0, 1.0)
    assert not differ(3.1, 3.0, 1.0)
    assert may_wait(2.2, 0.1, 1.0)
    assert differ(2.2, 0.2, 1.0)


def test_work_is_seen_by_its_ratio():
    assert differ(0.5, 0.1, 0)
    assert not differ(5.2, 5.0, 0)
    assert not may_wait(0.2, 0.1, 0)


def test_each_order_holds_all_waits_and_one_decoy():
    for seed in range(20):
        questions = order(Random(seed))
        assert questions.count(DECOY) == 1
        assert sorted(asked_in(questions)) == sorted(WAITS)
