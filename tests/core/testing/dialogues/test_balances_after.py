"""How several requests have moved a balance."""

from decimal import Decimal
from typing import cast

import pytest

from gatecrash.core.testing.dialogues.balances_after import Trial, decided, moved_against
from gatecrash.core.testing.verdict import Verdict


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


@pytest.mark.parametrize(("says", "asked"), [([None, "moved", "moved"], 2), ([None, None, None, "moved"], 3)])
def test_a_trial_that_says_nothing_is_made_again_a_few_times(says: list[str | None], asked: int):
    made: list[str | None] = []

    def trial() -> Trial:
        made.append(says[len(made)])
        return cast("Verdict | None", made[-1])
        yield

    with pytest.raises(StopIteration) as ended:
        next(decided(trial))
    assert ended.value.value == ("moved" if asked == 2 else None)
    assert len(made) == asked
