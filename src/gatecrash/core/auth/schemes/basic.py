"""HTTP Basic authentication.

What it finds
    `Authorization: Basic <base64>`, and the same word in front of the value of a default or custom parameter.

Why it matters
    A user name and a password travel with every request, readable for whoever sees it. Where it is used without TLS, or
    where some clients still use it beside tokens, that should be known.

How it decides
    The value is base64 (padding may be missing) and decodes to text with a colon, without control characters, and not
    both the user name and the password are empty. Nothing is compared with any account.

Known misses
    A client that encodes the words `null:null` is taken at its word.
    Base64 with the URL alphabet is refused, as RFC 7617 wants; some servers accept it.

Standards and references
    RFC 7617 (The 'Basic' HTTP Authentication Scheme); RFC 4648 section 4 (base64).
"""

import binascii
import re

from gatecrash.core.auth.scheme import AuthType, Candidate, Judgement, Scheme, verdicts

_VERDICTS = verdicts(AuthType.BASIC)
_BASE64 = re.compile(rb"[A-Za-z0-9+/]+={0,2}")
# RFC 7617 section 2: the user-id and password MUST NOT contain any control characters.
_CONTROL = re.compile(rb"[\x00-\x1f\x7f]")


def judge(candidate: Candidate) -> Judgement:
    """Basic, valid when the value is base64 of `user:password`."""
    return _VERDICTS[is_user_and_password(candidate.value)]


def is_user_and_password(value: bytes) -> bool:
    """Whether the value is base64 of `user:password`, not both empty."""
    if not _BASE64.fullmatch(value):
        return False
    bare = value.rstrip(b"=")
    try:
        decoded = binascii.a2b_base64(bare + b"=" * (-len(bare) % 4))
    except binascii.Error:
        return False
    return b":" in decoded and decoded != b":" and not _CONTROL.search(decoded)


SCHEME: Scheme = Scheme(type=AuthType.BASIC, judge=judge, words=("basic",))
