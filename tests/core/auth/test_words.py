"""Scheme words are found in any case, prefixes too, and the memory of spellings is bounded."""

from gatecrash.core.auth.scheme import AuthType, Judgement, Scheme
from gatecrash.core.auth.words import Words


def scheme(kind: AuthType, *words: str) -> Scheme:
    return Scheme(type=kind, judge=lambda _: Judgement(kind, True), words=words)


BASIC = scheme(AuthType.BASIC, "basic")
SCRAM = scheme(AuthType.SCRAM, "scram-*", "basic")


def test_a_word_belongs_to_the_first_scheme_that_claims_it():
    words = Words([BASIC, SCRAM])
    assert words[b"BaSiC"] is BASIC
    assert words[b"SCRAM-SHA-256"] is SCRAM
    assert words[b"scram"] is None


def test_spellings_are_remembered_up_to_a_bound():
    words = Words([BASIC])
    for number in range(10_000):
        words[b"w%d" % number]
    assert words[b"BASIC"] is BASIC
    assert len(words) <= 256
