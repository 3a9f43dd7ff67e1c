"""Questions in random order: no answers by turns fit any of them."""

from itertools import pairwise
from random import Random

import pytest

from gatecrash.core.testing.dialogues.turns import MORE, in_random_order


@pytest.mark.parametrize("rounds", range(1, 9))
@pytest.mark.parametrize("seed", range(20))
def test_whoever_answers_by_turns_is_wrong_somewhere(rounds: int, seed: int) -> None:
    """Asked before are a true one and a false one, as probes ask before they ask again."""
    questions = in_random_order(Random(seed), rounds)
    assert (questions.count(True), questions.count(False)) == (rounds + MORE, rounds)
    asked = [True, False, *questions]
    assert asked not in (
        [place % 2 == 0 for place in range(len(asked))],
        [place % 2 == 1 for place in range(len(asked))],
    )
    assert any(one == other for one, other in pairwise(questions))


def test_the_order_differs() -> None:
    assert len({tuple(in_random_order(Random(seed), 4)) for seed in range(30)}) > 10
