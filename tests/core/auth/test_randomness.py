"""Which values look drawn at random, and which somebody can say."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.auth.randomness import looks_random


@pytest.mark.parametrize(
    "value", [b"9f8e7d6c5b4a39281706", b"s%3AkQzXbVnMpLrTwYhJ.x", b"eyJhbGciOiJIUzI1NiJ9.e30.c2ln"]
)
def test_random(value):
    assert looks_random(value)


@pytest.mark.parametrize(
    ("enough", "less"),
    [
        (b"abcdefghijklmn19", b"abcdefghijklmno9"),
        (b"abCdefGhijKlmnop", b"abCdefGhijklmnop"),
        (b"abcdefghijklmn19", b"abcdefghijklm19"),
        (b"abcdef1212121212", b"abcde11212121212"),
    ],
    ids=["two digits", "three capitals", "sixteen characters", "eight different ones"],
)
def test_how_little_looks_random(enough, less):
    assert looks_random(enough)
    assert not looks_random(less)


@pytest.mark.parametrize(
    "value", [b"short1234", b"aaaaaaaaaaaaaaaaaaaaaaaa11", b"en-gb-and-nothing-else", b"has blanks 1234567890"]
)
def test_not_random(value):
    assert not looks_random(value)


@pytest.mark.parametrize(
    "value",
    [
        b"2026-12-01T10:00:59Z",
        b"20261201T100059Z",
        b"2026-12-01T10:00:59.123+01:00",
        b"https://shop.example/a1b2",
        b"summer-sale-2026-tea",
        b"Invoice_2026_0417_copy",
        b"report.20261201.final",
    ],
)
def test_what_somebody_can_say_is_not_random(value: bytes) -> None:
    assert not looks_random(value)


@pytest.mark.parametrize(
    "value",
    [
        b"550e8400-e29b-41d4-a716-446655440000",
        b"KJHG-WRTZ-4471-9921",
        b"01J9ZK3M5T7QX2B8VN4C6D0EFG",
        b"2026-12-01T10-9f8e7d6c5b4a",
        b"sess_4f1d2c93ab8870e6",
        b"user.4711.kQzXbVnMpLrTwYhJ",
    ],
)
def test_separators_and_words_in_front_make_no_name_of_a_token(value: bytes) -> None:
    assert looks_random(value)


@given(st.binary(max_size=100))
def test_arbitrary_bytes_never_raise(value: bytes) -> None:
    assert looks_random(value) in (True, False)
