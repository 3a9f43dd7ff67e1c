"""Reading base64 as strictly as a credential's validity needs, and as loosely as clients write it."""

import binascii
import re

_STANDARD = re.compile(rb"[A-Za-z0-9+/]+={0,2}")
_URL = re.compile(rb"[A-Za-z0-9_-]+={0,2}")
_TO_STANDARD = bytes.maketrans(b"-_", b"+/")


def decoded(value: bytes) -> bytes | None:
    """What base64 (RFC 4648 section 4) stands for, padding optional; None where the value is none."""
    return _decode(value) if _STANDARD.fullmatch(value) else None


def decoded_url(value: bytes) -> bytes | None:
    """What base64url (RFC 4648 section 5) stands for, padding optional; None where the value is none."""
    return _decode(value.translate(_TO_STANDARD)) if _URL.fullmatch(value) else None


def _decode(value: bytes) -> bytes | None:
    bare = value.rstrip(b"=")
    try:
        return binascii.a2b_base64(bare + b"=" * (-len(bare) % 4))
    except binascii.Error:
        return None
