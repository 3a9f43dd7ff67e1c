"""Digest: every part that a server compares, and a response of a hash in use."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.auth.schemes.digest import is_answer

PARTS = {b"username": b"ann", b"realm": b"shop", b"nonce": b"n1", b"uri": b"/x", b"response": b"0f" * 16}


def written(parts: dict[bytes, bytes]) -> bytes:
    return b", ".join(name + b'="' + content + b'"' for name, content in parts.items())


@pytest.mark.parametrize("left_out", PARTS)
def test_no_part_may_be_missing(left_out):
    assert is_answer(written(PARTS))
    assert not is_answer(written({name: content for name, content in PARTS.items() if name != left_out}))


@pytest.mark.parametrize("empty", [name for name in PARTS if name != b"realm"])
def test_only_the_realm_may_be_empty(empty):
    assert is_answer(written({**PARTS, b"realm": b""}))
    assert not is_answer(written({**PARTS, empty: b""}))


@given(st.integers(0, 130))
def test_a_response_has_32_or_64_digits(length):
    assert is_answer(written({**PARTS, b"response": b"a" * length})) == (length in (32, 64))


def test_an_extended_user_name_stands_in_for_the_plain_one():
    parts = {name: content for name, content in PARTS.items() if name != b"username"}
    assert is_answer(b"username*=UTF-8''J%C3%BCrgen, " + written(parts))
    assert not is_answer(b"username*=J%C3%BCrgen, " + written(parts))


def test_a_placeholder_is_no_user():
    assert not is_answer(written({**PARTS, b"username": b"undefined"}))
