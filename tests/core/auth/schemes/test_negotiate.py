"""Negotiate: tokens of mechanisms that are known, whole or cut by a log; what is NTLM is called so."""

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.auth.scheme import AuthType, Candidate, Judgement, Kind, Place
from gatecrash.core.auth.schemes.negotiate import is_token, judge

SPNEGO = bytes.fromhex("06062b0601050502")
KERBEROS = bytes.fromhex("06092a864886f712010202")


def element(tag: int, content: bytes) -> bytes:
    size = len(content)
    if size < 0x80:
        return bytes((tag, size)) + content
    octets = size.to_bytes((size.bit_length() + 7) // 8, "big")
    return bytes((tag, 0x80 | len(octets))) + octets + content


def judged(token: bytes) -> Judgement:
    return judge(Candidate(Place.HEADER, "AUTHORIZATION", b"negotiate", base64.b64encode(token)))


@pytest.mark.parametrize("mechanism", [SPNEGO, KERBEROS, bytes.fromhex("06092a864882f712010202")])
@pytest.mark.parametrize("size", [1, 100, 200, 3000, 70_000])
def test_an_initial_token_of_any_length(mechanism, size):
    token = element(0x60, mechanism + bytes(size))
    assert is_token(token)
    assert is_token(token[:-1]) == (size > 1)
    assert not is_token(token + b"\x00")


def test_a_value_that_a_log_cut_anywhere_behind_the_mechanism_is_still_told():
    value = base64.b64encode(element(0x60, SPNEGO + bytes(range(200))))
    for length in range(40, len(value)):
        judgement = judge(Candidate(Place.HEADER, "AUTHORIZATION", b"negotiate", value[:length]))
        assert judgement == Judgement(AuthType.NEGOTIATE, True)


def test_a_mechanism_alone_and_an_unknown_one_are_no_token():
    assert not is_token(element(0x60, SPNEGO))
    assert not is_token(element(0x60, bytes.fromhex("06032a0304") + bytes(20)))


def test_an_answer_token_holds_a_sequence():
    assert is_token(element(0xA1, element(0x30, b"\xa0\x03\x0a\x01\x01")))
    assert not is_token(element(0xA1, element(0x31, b"\xa0\x03\x0a\x01\x01")))
    assert not is_token(element(0xA1, element(0x30, b"")))


def test_ntlm_within_is_ntlm_and_its_greeting_a_leg():
    greeting = element(0x60, SPNEGO + b"NTLMSSP\x00\x01\x00\x00\x00" + bytes(20))
    assert judged(greeting) == Judgement(AuthType.NTLM, False, Kind.LEG)


@given(st.binary(max_size=60))
def test_arbitrary_bytes_never_raise(tail):
    for head in (b"", b"\x60", b"\x60\x84", b"\xa1\xff", b"\x60\x80"):
        assert is_token(head + tail) in (True, False)
