"""NTLM messages ([MS-NLMP] section 2.2.1), as far as telling a greeting from a proof needs.

Both NTLM itself and Negotiate carry them, so they are read here and not in a scheme.
"""

NEGOTIATE, CHALLENGE, AUTHENTICATE = 1, 2, 3

SIGNATURE = b"NTLMSSP\x00"
# Where an authenticate message names its parts: length, room (2 bytes each) and offset (4 bytes), section 2.2.1.3.
_LM_RESPONSE, _NT_RESPONSE, _USER_NAME = 12, 20, 36
_SMALLEST_AUTHENTICATE = 52


def find_message(data: bytes) -> bytes | None:
    """The NTLM message that the data are or hold (SPNEGO wraps it); None where there is none."""
    position = data.find(SIGNATURE)
    return None if position < 0 else data[position:]


def message_type(message: bytes) -> int | None:
    """1, 2 or 3; None for anything else."""
    kind = int.from_bytes(message[8:12], "little")
    return kind if len(message) >= 12 and kind in (NEGOTIATE, CHALLENGE, AUTHENTICATE) else None


def is_proof(message: bytes) -> bool:
    """Whether it is an authenticate message of a named user with a response: an anonymous one proves nothing."""
    if message_type(message) != AUTHENTICATE or len(message) < _SMALLEST_AUTHENTICATE:
        return False
    responds = _part(message, _NT_RESPONSE) or _part(message, _LM_RESPONSE)
    return bool(responds) and bool(_part(message, _USER_NAME))


def _part(message: bytes, at: int) -> bytes:
    """A part by the field that names it; empty where it does not lie within the message."""
    length = int.from_bytes(message[at : at + 2], "little")
    offset = int.from_bytes(message[at + 4 : at + 8], "little")
    return message[offset : offset + length] if offset + length <= len(message) else b""
