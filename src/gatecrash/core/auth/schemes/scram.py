"""SCRAM over HTTP: a salted challenge and response in which the server proves itself as well.

What it finds
    `Authorization: SCRAM-SHA-256 …, data=<base64>`, SHA-1 and SHA-512 likewise; `SCRAM …, data=<base64url>`, as servers of
    Project Haystack write it, which name the hash in their challenge.

Why it matters
    The password does not travel and the server keeps no equivalent of it: the strongest of the password schemes.

How it decides
    Valid is a client-final message: base64 of channel binding (`c=`), nonce (`r=`) and a proof (`p=`) that is base64 of
    a digest's length. The client-first message (`n=`, `r=`) is a leg of the handshake: recognised, not valid. So
    is `HELLO username=…`, with which clients of Project Haystack begin.

Known misses
    The proof is not verified. The `-PLUS` variants are judged the same way, their channel binding is not read.

Standards and references
    RFC 7804 section 5 (SCRAM in HTTP) and section 5.1 (reauthentication); RFC 5802 section 5.1 (attributes), section 7
    (formal syntax); RFC 7677 (SCRAM-SHA-256). Project Haystack, HTTP API, authentication (scheme SCRAM).
"""

import re

from gatecrash.core.auth.auth_params import auth_params
from gatecrash.core.auth.base64_text import decoded, decoded_url
from gatecrash.core.auth.scheme import AuthType, Candidate, Judgement, Kind, Scheme

# gs2-header, then user and nonce; extensions may follow (RFC 5802 section 7).
_FIRST = re.compile(rb"(?:n|y|p=[A-Za-z0-9.-]+),(?:a=[^,]+)?,(?:m=[^,]+,)?n=[^,]+,r=[!-+\--~]+(?:,.*)?", re.DOTALL)
_FINAL = re.compile(rb"c=([A-Za-z0-9+/=]+),r=[!-+\--~]+(?:,[^,]+)*?,p=([A-Za-z0-9+/=]+)", re.DOTALL)
# With which a client of Project Haystack asks what it is to answer.
_GREETING = b"hello"
# SHA-1, SHA-224, SHA-256, SHA-384, SHA-512.
_DIGEST_BYTES = frozenset({20, 28, 32, 48, 64})


def judge(candidate: Candidate) -> Judgement | None:
    """SCRAM: a proof, a leg, or something that is neither."""
    params = auth_params(candidate.value) or {}
    if candidate.word == _GREETING:
        return Judgement(AuthType.SCRAM, valid=False, kind=Kind.LEG) if b"username" in params else None
    data = params.get(b"data", b"")
    message = decoded(data) or decoded_url(data) or b""
    kind = Kind.LEG if _FIRST.fullmatch(message) else Kind.PROOF
    return Judgement(AuthType.SCRAM, is_final(message), kind)


def is_final(message: bytes) -> bool:
    """Whether the message is a client-final one with its proof."""
    parts = _FINAL.fullmatch(message)
    return parts is not None and bool(decoded(parts[1])) and len(decoded(parts[2]) or b"") in _DIGEST_BYTES


SCHEME: Scheme = Scheme(type=AuthType.SCRAM, judge=judge, words=("scram-*", "scram", _GREETING.decode()))
