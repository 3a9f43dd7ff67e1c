"""Forged tokens: each a single mistake, all with the claims of the token at hand."""

from random import Random

import jwt as pyjwt
import orjson
import pytest

from gatecrash.core.testing.authorization.tokens.jwt import compact, decode, parse, with_hmac
from gatecrash.core.testing.authorization.tokens.jwt_forging import (
    CHANGED,
    DROPPED,
    EARLY,
    EMBEDDED,
    EXPIRED,
    KID_PATH,
    MISTAKES,
    NONE,
    ZEROS,
    confused_forgeries,
    count_of,
    garbled_signature,
    half_signature,
    key_forgeries,
    referred_token,
    timed_forgeries,
    unsigned_forgeries,
    weak_forgery,
)
from gatecrash.core.testing.authorization.tokens.jwt_keys import from_jwk, own_key

CLAIMS = {"sub": "ann", "exp": 4_102_444_800}
STRONG = b"b8f1c64de0a34f2bb1d7c09a7a0e52f2c1d79b34"
TOKEN = parse(compact({"alg": "HS256", "typ": "JWT", "kid": "main"}, CLAIMS, with_hmac("HS256", STRONG)))
OWN = from_jwk(own_key()[0]["jwk"])
SHAPELESS = unsigned_forgeries(TOKEN, thorough=True)[-2:]
"""Those that no reader takes for a token: without `alg`, and of two parts."""
ALL = [
    garbled_signature(TOKEN),
    half_signature(TOKEN),
    *unsigned_forgeries(TOKEN, thorough=True)[:-2],
    *key_forgeries(TOKEN, thorough=True),
    *confused_forgeries(TOKEN, [OWN], thorough=True),
    weak_forgery(TOKEN, b"secret"),
]


@pytest.mark.parametrize("forgery", ALL, ids=lambda forgery: forgery.told)
def test_a_forgery_has_the_tokens_claims_and_no_sound_verifier_takes_it(forgery):
    made = forgery.write(Random(1))
    assert parse(made).payload == CLAIMS
    with pytest.raises(pyjwt.InvalidTokenError):
        pyjwt.decode(made, STRONG, algorithms=["HS256"])


@pytest.mark.parametrize(
    "forgery", [one for one in ALL if one.mistake is not DROPPED], ids=lambda forgery: forgery.told
)
def test_a_forgery_is_another_text_each_time(forgery):
    assert forgery.write(Random(1)) != forgery.write(Random(2))


def test_none_is_spelt_in_several_ways_without_a_signature_and_once_with_the_old_one():
    made = [parse(one.write(Random(1))) for one in ALL if one.mistake is NONE]
    assert [token.algorithm for token in made] == ["none", "nOnE", "NONE", "None", "none"]
    assert [token.parts[2] for token in made] == [b"", b"", b"", b"", TOKEN.parts[2]]


def test_what_has_no_algorithm_or_no_place_for_a_signature_keeps_the_claims():
    no_algorithm, two_parts = (one.write(Random(1)) for one in SHAPELESS)
    header, payload, signature = no_algorithm.split(b".")
    assert (decode(header), signature) == (b'{"typ":"JWT","kid":"main"}', b"")
    assert orjson.loads(decode(payload)) == CLAIMS
    assert two_parts == TOKEN.signed


@pytest.mark.parametrize(("algorithm", "length"), [("ES256", 64), ("ES384", 96), ("ES512", 132)])
def test_zeros_are_tried_on_curves_alone(algorithm, length):
    token = parse(compact({"alg": algorithm}, CLAIMS, lambda _signed: b"x" * length))
    (zeros,) = [one for one in key_forgeries(token, thorough=False) if one.mistake is ZEROS]
    made = parse(zeros.write(Random(1)))
    assert decode(made.parts[2]) == bytes(length)
    assert (made.payload, made.algorithm) == (CLAIMS, algorithm)
    assert ZEROS not in {one.mistake for one in ALL}


def test_the_changed_payload_stands_before_the_old_signature():
    (changed,) = [one for one in unsigned_forgeries(TOKEN, thorough=False) if one.mistake is CHANGED]
    made = parse(changed.write(Random(1)))
    assert made.parts[1] != TOKEN.parts[1]
    assert (made.parts[0], made.parts[2]) == (TOKEN.parts[0], TOKEN.parts[2])


def test_a_key_that_is_brought_along_verifies_the_token():
    (embedded,) = [one for one in key_forgeries(TOKEN, thorough=False) if one.mistake is EMBEDDED]
    made = embedded.write(Random(1))
    assert pyjwt.decode(made, from_jwk(parse(made).header["jwk"]), algorithms=["RS256"]) == CLAIMS


def test_a_key_identifier_is_only_bent_where_there_is_one():
    without = parse(compact({"alg": "HS256"}, CLAIMS, with_hmac("HS256", STRONG)))
    assert [one.mistake for one in key_forgeries(without, thorough=True)] == [EMBEDDED]
    assert KID_PATH in [one.mistake for one in key_forgeries(TOKEN, thorough=False)]


@pytest.mark.parametrize("thorough", [True, False])
def test_the_count_is_of_what_is_tried(thorough):
    made = [
        garbled_signature(TOKEN),
        *unsigned_forgeries(TOKEN, thorough=thorough),
        *key_forgeries(TOKEN, thorough=thorough),
    ]
    assert count_of(TOKEN, thorough=thorough) == len(made)


def test_half_of_a_signature_stays_and_the_other_half_is_another_each_time():
    forgery, made = half_signature(TOKEN), Random(1)
    own, one, other = (parse(each).parts for each in (b".".join(TOKEN.parts), forgery.write(made), forgery.write(made)))
    assert one[:2] == other[:2] == own[:2]
    assert one[2][:21] == other[2][:21] == own[2][:21]
    assert len({one[2], other[2], own[2]}) == 3
    assert len(one[2]) == len(own[2])


def test_times_are_forged_as_the_first_forgery_was_and_nothing_else_changes():
    expired, early = timed_forgeries(weak_forgery(TOKEN, b"secret"), TOKEN)
    assert (expired.mistake, early.mistake) == (EXPIRED, EARLY)
    assert parse(expired.write(Random(1))).payload == {**CLAIMS, "exp": 1_000_000_000}
    with pytest.raises(pyjwt.ExpiredSignatureError):
        pyjwt.PyJWT({"enforce_minimum_key_length": False}).decode(
            weak_forgery(TOKEN, STRONG).forge({**CLAIMS, "exp": 1_000_000_000}), STRONG, algorithms=["HS256"]
        )
    assert parse(early.write(Random(1))).payload["nbf"] > 4_000_000_000


def test_addresses_of_keys_stand_in_the_header_and_no_name_of_another_key_does():
    made = parse(referred_token(TOKEN, "http://a.example/1", "http://a.example/2", Random(1)))
    assert (made.header["jku"], made.header["x5u"]) == ("http://a.example/1", "http://a.example/2")
    assert made.payload == CLAIMS


def test_every_mistake_is_named_once_and_rated():
    assert len({mistake.name for mistake in MISTAKES}) == len(MISTAKES)
    assert all(1 <= mistake.threat <= 100 and mistake.cwe for mistake in MISTAKES)


@pytest.mark.parametrize(
    ("key", "title"),
    [
        (b"secret", "Tokens are signed with a common word"),
        (b"", "Tokens are signed with a common word"),
        (b"tea-house-of-the-old-town", "Tokens are signed with a common word"),
        (b"0123456789abcdef0123456789abcdef", "Tokens are signed with a common word"),
        (b"managementdashboards2024", "Tokens are signed with a common word"),
        (b"b8f1c64de0a34f2bb1d7c09a7a0e52f2", "The key that signs tokens is given away"),
    ],
)
def test_a_key_that_nobody_would_try_was_given_away(key, title):
    assert weak_forgery(TOKEN, key).mistake.title == title
