"""Numbers and the words of JSON are told from texts, whatever they mean."""

import pytest

from gatecrash.core.testing.places.plain_values import is_literal, is_number


@pytest.mark.parametrize("value", ["7", "-2", "+3.50", "007"])
def test_digits_with_a_sign_and_a_fraction_are_a_number(value: str) -> None:
    assert is_number(value)
    assert is_literal(value)


@pytest.mark.parametrize("value", ["true", "False", "NULL"])
def test_the_words_of_json_are_no_number_and_no_text(value: str) -> None:
    assert not is_number(value)
    assert is_literal(value)


@pytest.mark.parametrize("value", ["", "1.", ".5", "1,2", "0x1f", "1e5", "truth", "no", " 7"])
def test_all_else_is_a_text(value: str) -> None:
    assert not is_literal(value)
