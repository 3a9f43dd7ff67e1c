"""Hawk: id, time, nonce and code, in the header and in a bewit."""

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.auth.scheme import AuthType, Candidate, Judgement, Place
from gatecrash.core.auth.schemes.hawk import bewit_parts, is_mac, is_moment, is_signed, judge

MAC = base64.b64encode(bytes(32))
PARTS = {b"id": b"k1", b"ts": b"1353832234", b"nonce": b"j4h3", b"mac": MAC}


def bewit(*parts: bytes) -> Judgement | None:
    value = base64.urlsafe_b64encode(b"\\".join(parts)).rstrip(b"=")
    return judge(Candidate(Place.QUERY, "bewit", b"", value))


@pytest.mark.parametrize("left_out", PARTS)
def test_no_part_may_be_missing_or_empty(left_out):
    def written(parts):
        return b", ".join(name + b'="' + content + b'"' for name, content in parts.items())

    assert is_signed(written(PARTS))
    assert not is_signed(written({**PARTS, left_out: b""}))
    assert not is_signed(written({name: content for name, content in PARTS.items() if name != left_out}))


@given(st.integers(0, 70))
def test_a_code_has_the_length_of_sha_1_or_sha_256(length):
    assert is_mac(base64.b64encode(bytes(length))) == (length in (20, 32))


def test_a_time_is_a_number():
    assert is_moment(b"1353832234")
    assert not is_moment(b"13538322.5")


def test_a_bewit_is_told_from_any_other_value():
    assert bewit(b"k1", b"1353832234", MAC, b"") == Judgement(AuthType.HAWK, True)
    assert bewit(b"k1", b"soon", MAC, b"") == Judgement(AuthType.HAWK, False)
    assert bewit(b"null", b"1353832234", MAC, b"ext") == Judgement(AuthType.HAWK, False)
    assert bewit(b"k1", b"1353832234", MAC) is None
    assert judge(Candidate(Place.QUERY, "bewit", b"", b"yes")) is None


@given(st.binary(max_size=60))
def test_arbitrary_bytes_never_raise(value):
    assert bewit_parts(value) is None or len(bewit_parts(value)) == 4
