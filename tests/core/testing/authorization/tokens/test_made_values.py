"""What a value is made of is written around as often as it was, and says nothing secret beside it."""

from base64 import b64encode

import pytest

from gatecrash.core.testing.authorization.tokens.made_values import HASHES, Made, around, hashed, quoted, says_little


def test_each_wrapping_is_told_and_put_around_another_value_as_well() -> None:
    made = around(around(Made("7", "a number", str.encode), b64encode, " in base64"), quoted)
    assert made is not None
    assert (made.name, made.told, made.of("8")) == ("7", "a number in base64", b"OA%3D%3D")
    assert around(None, quoted) is None


def test_a_hash_is_known_by_its_length() -> None:
    assert all(len(hashed(digest, "ann")) == digits for digits, digest in HASHES.items())


@pytest.mark.parametrize("value", [True, 7, "user", "", "42"])
def test_short_words_and_small_numbers_are_nothing_secret(value: object) -> None:
    assert says_little(value)


@pytest.mark.parametrize("value", [None, 1234567, "3f9a01bc", "averylongwordindeed", [1], {}])
def test_all_else_may_be(value: object) -> None:
    assert not says_little(value)
