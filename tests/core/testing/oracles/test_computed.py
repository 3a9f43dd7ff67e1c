"""Numbers that were computed of one that was sent."""

import pytest

from gatecrash.core.testing.oracles.computed import comes_near


@pytest.mark.parametrize("shown", ["254200", "total: 127100 EUR", "126500"])
def test_a_multiple_or_a_number_nearby(shown: str) -> None:
    assert comes_near(shown, 127_100, "")


@pytest.mark.parametrize("shown", ["98765", "12", "1271000000000000000"])
def test_other_numbers(shown: str) -> None:
    assert not comes_near(shown, 127_100, "")


def test_what_the_baseline_says_was_not_computed() -> None:
    assert not comes_near("order 254200", 127_100, "order 254200")
