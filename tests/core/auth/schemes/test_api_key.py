"""API key: one opaque value."""

import pytest

from gatecrash.core.auth.scheme import Candidate, Place
from gatecrash.core.auth.schemes.api_key import is_key, judge


@pytest.mark.parametrize(
    ("value", "least", "expected"), [(b"1234567", 8, False), (b"12345678", 8, True), (b"1", 1, True)]
)
def test_the_shortest_key_depends_on_whose_name_it_is(value, least, expected):
    assert is_key(value, least) is expected


@pytest.mark.parametrize(
    "word", [b"digest", b"scram-sha-256", b"hmac-sha256", b"aws4-hmac-sha256", b"ntlm", b"signature"]
)
def test_words_of_other_schemes_are_left_to_them(word):
    assert judge(Candidate(Place.HEADER, "AUTHORIZATION", word, b"9f8e7d6c5b4a")) is None


def test_a_query_name_that_says_too_little_counts_only_for_its_vendors_look():
    assert judge(Candidate(Place.QUERY, "key", b"", b"9f8e7d6c5b4a")) is None
    assert judge(Candidate(Place.QUERY, "key", b"", b"AIza" + b"x" * 35))
