"""Keys that are common words, looked up without a request."""

from base64 import b64decode
from itertools import product

import pytest

from gatecrash.core.testing.authorization.tokens.jwt import DIGESTS, compact, parse, unsigned, with_hmac
from gatecrash.core.testing.authorization.tokens.jwt_secrets import said, weak_secret, words, words_in, words_of

STRONG = b"b8f1c64de0a34f2bb1d7c09a7a0e52f2c1d79b34"


def token(key: bytes, algorithm: str = "HS256", **claims: object):
    return parse(compact({"alg": algorithm, "kid": "blue"}, claims, with_hmac(algorithm, key)))


def test_the_list_is_of_plain_single_words_each_once():
    listed = words()
    assert 2000 <= len(listed) <= 4000
    assert len(set(listed)) == len(listed)
    assert listed[0] == b""
    assert all(word == word.strip() and word.isascii() for word in listed)


@pytest.mark.parametrize("algorithm", DIGESTS)
@pytest.mark.parametrize("word", [b"", b"secret", b"changeme", b"secret123", b"harvest"])
def test_a_common_word_is_known_again(word, algorithm):
    assert weak_secret(token(word, algorithm)) == word


@pytest.mark.parametrize(
    ("text", "key"),
    [
        (b"secret", b64decode(b"secr")),
        (b"secret", b64decode(b"secret==")),
        (b"changeme", b64decode(b"changeme")),
        (b"your-256-bit-secret", b64decode(b"your+256+bit+secret=")),
    ],
)
def test_what_base64_makes_of_a_common_word_is_known_again(text, key):
    assert text in words()
    assert weak_secret(token(key)) == key


def test_a_key_is_told_as_people_can_use_it():
    assert said(b"secret") == "'secret'"
    assert said(b"") == "of no letters"
    assert said(b64decode(b"changeme")) == "that base64 writes as 'changeme'"


def test_a_random_key_and_other_algorithms_are_not():
    assert weak_secret(token(STRONG)) is None
    assert weak_secret(parse(compact({"alg": "none"}, {}, unsigned))) is None
    assert weak_secret(parse(compact({"alg": "RS256"}, {}, with_hmac("HS256", b"secret")))) is None


def test_the_targets_own_names_are_tried_too():
    mine = token(b"shop-secret", iss="https://shop.example.com", aud=["a"])
    assert weak_secret(mine) is None
    assert weak_secret(mine, words_of("shop.example.com", mine)) == b"shop-secret"
    assert {b"https://shop.example.com", b"blue_secret", b"example123"} <= set(words_of("shop.example.com", mine))


def test_words_of_the_targets_texts_are_tried_as_they_stand_and_in_small_letters():
    told = words_in('/Shelf/v1 {"mail": "ann@shelf.example"}')
    assert {b"Shelf", b"shelf", b"shelf123", b"mail-secret"} <= set(told)
    assert len(words_in(" ".join("".join(pair) for pair in product("abcdefghij", repeat=4)))) == 400 * 5 + 20 * 13
    assert {b"shelf2024", b"shelf_key"} <= set(told)
    assert weak_secret(token(b"shelf"), told) == b"shelf"


def test_a_word_that_fits_is_remembered_of_that_token_alone():
    mine, other = token(b"teapots", sub="ann"), token(b"teapots", sub="ben")
    assert weak_secret(mine, [b"kettles"]) is None
    assert weak_secret(mine, [b"kettles", b"teapots"]) == b"teapots"
    assert weak_secret(mine) == b"teapots"
    assert weak_secret(other) is None


def test_words_that_were_tried_in_vain_spare_no_others():
    mine = token(b"samovars")
    for more in ([], [b"kettles"], [b"kettles", b"urns"]):
        assert weak_secret(mine, more) is None
    assert weak_secret(mine, [b"urns", b"samovars"]) == b"samovars"
