"""Numbers, hashes of numbers, counters and clocks."""

import hashlib

import pytest

from gatecrash.core.testing.authorization.tokens.counted_values import is_counted, is_of_clock, number_in

NOW = 1_790_000_000.0


def hashed(number: object, digest: str = "md5") -> bytes:
    return hashlib.new(digest, str(number).encode(), usedforsecurity=False).hexdigest().encode()


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (b"1043", 1043),
        (b"sess_1043", 1043),
        (b"S1043", 1043),
        (hashed(4), 4),
        (hashed(19_999, "sha1").upper(), 19_999),
        (hashed(1_790_000_003), 1_790_000_003),
        (b"", None),
        (b"12345678901234", None),
        (hashed(1_790_000_030), None),
        (hashed("4a"), None),
        (b"5d0c11e7a9b34f20", None),
    ],
)
def test_the_number_that_a_value_is_or_is_the_hash_of(value, number):
    assert number_in(value, NOW) == number


def test_without_a_moment_only_small_numbers_are_known():
    assert number_in(hashed(1_790_000_003)) is None
    assert number_in(hashed(4)) == 4


@pytest.mark.parametrize(
    ("numbers", "counted"),
    [([1, 2, 3], True), ([1, 40, 90], True), ([1, 1], False), ([3, 2], False), ([1, 2, 60], False)],
)
def test_a_counter_rises_a_little_each_time(numbers, counted):
    assert is_counted(numbers) is counted


@pytest.mark.parametrize(
    ("number", "is_moment"),
    [(1_790_000_002, True), (1_790_000_002_417, True), (1_790_000_020, False), (1_790, False)],
)
def test_a_moment_is_told_in_seconds_or_thousandths(number, is_moment):
    assert is_of_clock(number, NOW) is is_moment
