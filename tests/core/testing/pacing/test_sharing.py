"""The parts of a limit never come to more than the limit, whoever comes, goes, or is slow to hear of it."""

import random

from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.testing.pacing.sharing import granted, part_of


@given(st.integers(1, 1000), st.integers(1, 40))
def test_the_even_parts_are_the_whole(limit: int, active: int) -> None:
    parts = [part_of(limit, place, active) for place in range(active)]
    assert sum(parts) == limit
    assert max(parts) - min(parts) <= 1


def test_a_newcomer_waits_until_the_others_have_let_go() -> None:
    assert granted(50, 100, 0, [100]) == 0
    assert granted(50, 100, 100, [0]) == 50
    assert granted(50, 100, 0, [50]) == 50


def test_who_has_something_is_never_stopped() -> None:
    assert granted(0, 1, 1, [0]) == 1
    assert granted(0, 1, 0, [1]) == 0


@given(st.integers(1, 20), st.integers(1, 6), st.randoms(use_true_random=False))
def test_the_sum_is_never_over_the_limit(limit: int, most: int, chance: random.Random) -> None:
    """Nodes come, beat and go at random; each counts what it was last told, and before that what it may still hold."""
    held: dict[int, int] = {}
    active: list[int] = []
    for _ in range(60):
        node = chance.randrange(most)
        if chance.random() < 0.2 and node in active:
            active.remove(node)
            held[node] = 0
            continue
        if node not in active:
            active.append(node)
        active.sort()
        part = part_of(limit, active.index(node), len(active))
        others = [value for name, value in held.items() if name != node]
        held[node] = granted(part, limit, held.get(node, 0), others)
        assert sum(held.values()) <= limit
