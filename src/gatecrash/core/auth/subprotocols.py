"""Whether a WebSocket client says who asks among its subprotocols (RFC 6455 section 11.3.4).

A browser's page can give a WebSocket no header of its own but this one, so tokens travel in it: a JWT as a member, a
token behind a member that is called like one (`access_token, 3f9a…`), or one behind `base64url.bearer.` in a member.
"""

import re
from itertools import pairwise

from gatecrash.core.auth.jwt import is_jwt
from gatecrash.core.auth.randomness import looks_random

_NAMES = re.compile(rb"(?:access[-_]?|auth[-_]?)?token|bearer|authorization|auth|jwt|api[-_]?key", re.IGNORECASE)
_PREFIXED = re.compile(rb"base64url\.bearer\.(?:[a-z0-9-]+\.)*[A-Za-z0-9_-]{8,}", re.IGNORECASE)


def names_token(subprotocols: bytes) -> bool:
    """Whether one of the members is a token."""
    members = [member.strip() for member in subprotocols.split(b",")]
    if any(is_jwt(member) or _PREFIXED.fullmatch(member) for member in members):
        return True
    # A subprotocol has letters and dots, mostly no digits: what is dotless and random is no name of one.
    return any(
        _NAMES.fullmatch(name) and b"." not in token and looks_random(token) for name, token in pairwise(members)
    )
