"""Hawk: each request carries a message authentication code over its method, address, host and a nonce.

What it finds
    `Authorization: Hawk id="…", ts="…", nonce="…", mac="…"`, and a `bewit` in the query, which is Hawk's signed link.

Why it matters
    The key does not travel and a request cannot be repeated. A bewit is a credential in itself: whoever has the link
    is in, until it expires.

How it decides
    id and nonce are there, ts is a number of seconds, and mac is base64 of a SHA-1 or SHA-256 digest. A bewit is
    base64url of id, expiry, mac and ext with backslashes between, the same rules for each. No code is computed.

Known misses
    Other hash algorithms than the two that Hawk names. Payload and answer validation are not looked at.

Standards and references
    Hawk HTTP authentication scheme, API reference of version 9 (header and bewit); RFC 9110 section 11.2.
"""

import re

from gatecrash.core.auth.auth_params import auth_params
from gatecrash.core.auth.base64_text import decoded, decoded_url
from gatecrash.core.auth.placeholders import is_placeholder
from gatecrash.core.auth.scheme import AuthType, Candidate, Judgement, Rule, Scheme
from gatecrash.core.point import Point

_SECONDS = re.compile(rb"\d{1,13}")
# SHA-1 and SHA-256.
_DIGEST_BYTES = frozenset({20, 32})


def judge(candidate: Candidate) -> Judgement | None:
    """Hawk for its own word, and for a value that reads as a bewit."""
    if candidate.word == b"hawk":
        return Judgement(AuthType.HAWK, is_signed(candidate.value))
    parts = bewit_parts(candidate.value)
    if parts is None:
        return None
    key_id, expiry, mac, _ = parts
    return Judgement(AuthType.HAWK, not is_placeholder(key_id) and is_moment(expiry) and is_mac(mac))


def is_signed(value: bytes) -> bool:
    """Whether the parameters are those of a signed request."""
    params = auth_params(value)
    if params is None or is_placeholder(params.get(b"id", b"")) or not params.get(b"nonce"):
        return False
    return is_moment(params.get(b"ts", b"")) and is_mac(params.get(b"mac", b""))


def bewit_parts(value: bytes) -> list[bytes] | None:
    """Key id, expiry, mac and ext of a bewit; None where the value is none."""
    parts = (decoded_url(value) or b"").split(b"\\")
    return parts if len(parts) == 4 else None


def is_moment(value: bytes) -> bool:
    """Whether the value is a number of seconds."""
    return _SECONDS.fullmatch(value) is not None


def is_mac(value: bytes) -> bool:
    """Whether the value is base64 of a digest."""
    return len(decoded(value) or b"") in _DIGEST_BYTES


SCHEME: Scheme = Scheme(
    type=AuthType.HAWK,
    judge=judge,
    words=("hawk",),
    rules=(Rule(Point.of("get", "bewit"), "Hawk, single URI authorization"),),
)
