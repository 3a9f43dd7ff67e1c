"""Base64: nothing is decoded unasked that is not plainly text, and what is written has the dress of what was there."""

import base64
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.points.codec import LIMITS, Unreadable
from gatecrash.core.points.formats.base64 import BASE64


def decoded(data: bytes) -> bytes:
    return BASE64.parts(data, LIMITS, 32)[0].value


@given(st.text(alphabet=st.characters(min_codepoint=32, max_codepoint=126), min_size=6))
def test_encoded_text_is_seen_in_every_dress(text: str) -> None:
    for encode in (base64.b64encode, base64.urlsafe_b64encode):
        padded = encode(text.encode())
        for data in (padded, padded.rstrip(b"=")):
            assert BASE64.looks(data)
            assert decoded(data) == text.encode()


def test_random_tokens_are_not_taken_for_text() -> None:
    random_ = random.Random(7)
    alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    taken = sum(BASE64.looks(bytes(random_.choices(alphabet, k=24))) for _ in range(20_000))
    assert taken <= 2


@given(st.binary(min_size=4), st.binary())
def test_what_is_written_is_read_and_its_own_value_encodes_alike(before: bytes, value: bytes) -> None:
    for encode in (base64.b64encode, base64.urlsafe_b64encode):
        data = encode(before)
        part = BASE64.parts(data, LIMITS, 32)[0]
        written = BASE64.encode(data, part, value)
        assert decoded(written) == value
        assert set(written) <= set(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_=")


@pytest.mark.parametrize("data", [b"a", b"!!!!", b"a b c d ", b"=aaa", b"QUJ=DRA=", b"QUI=="])
def test_what_is_no_base64_is_unreadable(data: bytes) -> None:
    with pytest.raises(Unreadable):
        decoded(data)


@pytest.mark.parametrize("text", ["Card:510", "cursor:3", "gid://shop/Card/510"])
def test_the_number_behind_a_kind_is_a_place_of_its_own(text: str) -> None:
    data = base64.b64encode(text.encode())
    whole, key = BASE64.parts(data, LIMITS, 32)
    assert (whole.value, key.steps, key.value) == (text.encode(), ("key",), text[-3:].lstrip("r:").encode())
    assert BASE64.encode(data, key, key.value) == data
    assert decoded(BASE64.encode(data, key, b"7 OR")) == text.removesuffix(key.value.decode()).encode() + b"7 OR"


@pytest.mark.parametrize(
    "text", ["no number", "12345678", "Card:5x", "ann:secret", "http://a.example:8080", "papers/510"]
)
def test_elsewhere_there_is_none(text: str) -> None:
    assert len(BASE64.parts(base64.b64encode(text.encode()), LIMITS, 32)) == 1


@pytest.mark.parametrize("data", ["grüße aus Köln am Rhein", "日本語のテキストです"])
def test_longer_text_beyond_ascii_is_seen_where_ascii_prevails(data: str) -> None:
    assert BASE64.looks(base64.b64encode(data.encode())) is (data[0] == "g")


@pytest.mark.parametrize("text", ["1", "42", "lamp", "ann-2", "a@b.c", "/home"])
def test_short_words_are_seen_by_their_padding(text: str) -> None:
    for encode in (base64.b64encode, base64.urlsafe_b64encode):
        padded = encode(text.encode())
        assert BASE64.looks(padded)
        assert not BASE64.looks(padded.rstrip(b"="))
        assert decoded(padded) == text.encode()


@pytest.mark.parametrize("data", [b"ab==", b"abc=", b"a b=", b"====", b"=", b"x=", b"MQ=", b"MQ===", b"ICA=", b"QSBi"])
def test_what_merely_ends_with_a_sign_is_none(data: bytes) -> None:
    assert not BASE64.looks(data)
