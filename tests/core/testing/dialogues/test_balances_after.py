"""How several requests have moved a balance."""

from decimal import Decimal

import pytest

from gatecrash.core.testing.dialogues.balances_after import moved_against


@pytest.mark.parametrize(
    ("told", "turn", "moved"),
    [
        ((90, 100), -1, True),
        ((100, 90), 1, True),
        ((90, 100, 90), 1, True),
        ((90, 100, 100), 1, False),
        ((90, 100, 95), 1, False),
        ((100, 90), -1, False),
        ((100, 100), -1, False),
    ],
    ids=["up", "down", "by turns", "it stayed", "by less", "the wrong way", "it never moved"],
)
def test_each_moves_it_by_the_same_amount_the_other_way(told: tuple[int, ...], turn: int, moved: bool) -> None:
    assert moved_against([Decimal(each) for each in told], turn) is moved
