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


def test_a_part_is_looked_for_last():
    anyone = scheme(AuthType.HMAC, "*-hmac-*")
    words = Words([anyone, scheme(AuthType.AWS_SIGV4, "aws4-hmac-sha256", "tc3-*")])
    assert words[b"EMS-HMAC-SHA256"] is anyone
    assert [one and one.type for one in (words[b"AWS4-HMAC-SHA256"], words[b"tc3-hmac-sha256"])] == [
        AuthType.AWS_SIGV4
    ] * 2
    assert words[b"hmac-sha256"] is None


def test_spellings_are_remembered_up_to_a_bound():
    words = Words([BASIC])
    for number in range(10_000):
        words[b"w%d" % number]
    assert words[b"BASIC"] is BASIC
    assert len(words) <= 256
