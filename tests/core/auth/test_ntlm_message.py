"""NTLM messages: telling a greeting from a proof, whatever a client sends."""

import struct

from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.auth.ntlm_message import AUTHENTICATE, NEGOTIATE, SIGNATURE, find_message, is_proof, message_type


def authenticate(user: bytes, response: bytes, offset: int = 64) -> bytes:
    def part(data: bytes, at: int) -> bytes:
        return struct.pack("<HHI", len(data), len(data), at)

    empty = part(b"", offset)
    fields = empty + part(response, offset) + empty + part(user, offset + len(response)) + empty + empty
    return SIGNATURE + struct.pack("<I", AUTHENTICATE) + fields + bytes(4) + response + user


def test_a_named_user_with_a_response_is_a_proof():
    assert is_proof(authenticate(b"a\x00", bytes(24)))
    assert not is_proof(authenticate(b"", bytes(24)))
    assert not is_proof(authenticate(b"a\x00", b""))


def test_parts_outside_the_message_do_not_count():
    assert not is_proof(authenticate(b"a\x00", bytes(24), offset=4000))


def test_a_message_is_found_within_its_wrapping():
    message = SIGNATURE + struct.pack("<I", NEGOTIATE)
    assert find_message(b"\x60\x1c" + message) == message
    assert message_type(message) == NEGOTIATE
    assert find_message(b"NTLMSSQ") is None


@given(st.binary(max_size=120))
def test_arbitrary_bytes_never_raise(tail):
    assert is_proof(SIGNATURE + b"\x03\x00\x00\x00" + tail) in (True, False)
    assert message_type(SIGNATURE + tail) in (None, 1, 2, 3)
