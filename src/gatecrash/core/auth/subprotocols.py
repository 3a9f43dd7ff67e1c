"""Whether a WebSocket client says who asks among its subprotocols (RFC 6455 section 11.3.4).

A browser's page can give a WebSocket no header of its own but this one, so tokens travel in it: a JWT as a member, a
token behind a member that is called like one (`access_token, 3f9a…`), or one behind `base64url.bearer.` in a member.
"""

import re
from itertools import pairwise

from gatecrash.core.auth.jwt import is_jwt

_NAMES = re.compile(rb"(?:access[-_]?|auth[-_]?)?token|bearer|authorization|auth|jwt|api[-_]?key", re.IGNORECASE)
# A subprotocol has letters and dots, mostly no digits: what is long, dotless and mixed is no name of one.
_OPAQUE = re.compile(rb"(?=[^0-9]*[0-9])(?=[^A-Za-z]*[A-Za-z])[A-Za-z0-9_~+/=-]{16,}")
_PREFIXED = re.compile(rb"base64url\.bearer\.(?:[a-z0-9-]+\.)*[A-Za-z0-9_-]{8,}", re.IGNORECASE)


def names_token(subprotocols: bytes) -> bool:
    """Whether one of the members is a token."""
    members = [member.strip() for member in subprotocols.split(b",")]
    if any(is_jwt(member) or _PREFIXED.fullmatch(member) for member in members):
        return True
    return any(_NAMES.fullmatch(name) and _OPAQUE.fullmatch(token) for name, token in pairwise(members))
