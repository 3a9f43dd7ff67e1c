"""HTTP Digest authentication: a hash over password, nonce and request instead of the password itself.

What it finds
    `Authorization: Digest username="…", realm="…", nonce="…", uri="…", response="…"`, and the same word in front of
    the value of a default or custom parameter.

Why it matters
    The password does not travel, but most servers still use MD5 and store what amounts to it. It is common on devices
    and in SIP-minded software, often beside interfaces without any guard.

How it decides
    The list of parameters is read by the rules of RFC 9110, quoted strings included. User name (or `username*`), nonce
    and uri are there and not empty, realm is there, and the response has 32 hexadecimal digits (MD5) or 64 (SHA-256,
    SHA-512-256). The hash itself is not computed: that needs the password.

Known misses
    The older `Digest` of SHA-512 in full (128 digits) that RFC 7616 does not know. A handshake's first request, which
    carries nothing, is left out of the counts only where the source shows answers and connections.

Standards and references
    RFC 7616 section 3.4 (the Authorization header field), section 3.4.4 (username*); RFC 9110 section 11.2.
"""

import re

from gatecrash.core.auth.auth_params import auth_params
from gatecrash.core.auth.placeholders import is_placeholder
from gatecrash.core.auth.scheme import AuthType, Candidate, Judgement, Scheme

_RESPONSE = re.compile(rb"[0-9a-fA-F]{32}|[0-9a-fA-F]{64}")
# RFC 8187: charset, language in between, then percent-encoded text.
_EXTENDED = re.compile(rb"[A-Za-z0-9-]+'[A-Za-z0-9-]*'(.+)")


def judge(candidate: Candidate) -> Judgement:
    """Digest, valid when everything the server needs to compare is there."""
    return Judgement(AuthType.DIGEST, is_answer(candidate.value))


def is_answer(value: bytes) -> bool:
    """Whether the parameters are those of an answer to a Digest challenge."""
    params = auth_params(value)
    if params is None or not params.get(b"nonce") or not params.get(b"uri") or b"realm" not in params:
        return False
    return _RESPONSE.fullmatch(params.get(b"response", b"")) is not None and not is_placeholder(_user(params))


def _user(params: dict[bytes, bytes]) -> bytes:
    extended = _EXTENDED.fullmatch(params.get(b"username*", b""))
    return params.get(b"username", b"") or (extended[1] if extended else b"")


SCHEME: Scheme = Scheme(type=AuthType.DIGEST, judge=judge, words=("digest",))
