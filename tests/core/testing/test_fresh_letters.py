"""Letters are fresh, as many as are asked for, and the same again for the same seed."""

from random import Random

import pytest

from gatecrash.core.testing.fresh_letters import LETTERS, fresh_letters


@pytest.mark.parametrize("length", [0, 1, 6, 8, 12, 40])
def test_there_are_as_many_as_are_asked_for_and_nothing_but_consonants(length: int) -> None:
    drawn = fresh_letters(Random(7), length)
    assert len(drawn) == length
    assert set(drawn) <= set(LETTERS)
    assert drawn == fresh_letters(Random(7), length)


def test_no_two_are_alike() -> None:
    random = Random(7)
    assert len({fresh_letters(random, 9) for _ in range(1000)}) == 1000
