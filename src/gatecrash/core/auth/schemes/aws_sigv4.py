"""Cloud-provider signature, version 4: the request signed with a key derived for one day, region and service.

What it finds
    `Authorization: AWS4-HMAC-SHA256 Credential=…, SignedHeaders=…, Signature=…`, the same with Google's
    `GOOG4-HMAC-SHA256` and `GOOG4-RSA-SHA256` (what a service account signs with), and the presigned form in the query:
    X-Amz-Algorithm, -Credential, -Date, -SignedHeaders and -Signature (X-Goog-… likewise).

Why it matters
    The secret never travels and a signature is good for one request and some minutes. A presigned address, though, is
    a credential in itself: whoever has the link is in, until it expires.

How it decides
    The algorithm's marker; a credential scope of key id, date, region, service and the terminator that belongs to the
    marker (`aws4_request`, `goog4_request`); at least one signed header; a signature of 64 hexadecimal digits, or with
    a key pair of 256 to 1024. The presigned form needs a date of the scope's day too. The signature itself is not computed.

Known misses
    Version 4A (`AWS4-ECDSA-P256-SHA256`), whose signatures are no HMAC. The fields of a browser's upload form. Presigned
    addresses with the parameters in other capitals than documented.

Standards and references
    AWS, Signature Version 4 for API requests: elements of a signature, adding it to the request; Amazon S3,
    authenticating requests with query parameters; Google Cloud Storage, V4 signing process; RFC 9110 section 11.2.
"""

import re

from gatecrash.core.auth.auth_params import auth_params
from gatecrash.core.auth.placeholders import is_placeholder
from gatecrash.core.auth.scheme import AuthType, Candidate, Judgement, Rule, Scheme, verdicts
from gatecrash.core.point import Point

_VERDICTS = verdicts(AuthType.AWS_SIGV4)
_RSA = b"goog4-rsa-sha256"
_TERMINATORS = {b"aws4-hmac-sha256": b"aws4_request", b"goog4-hmac-sha256": b"goog4_request", _RSA: b"goog4_request"}

# A key id may hold slashes with providers that copy the scheme, so the scope is read from its end.
_SCOPE = re.compile(
    rb"([!-~]+)/(\d{4}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]))/[A-Za-z0-9_-]+/[A-Za-z0-9_.-]+/([a-z0-9_]+)"
)
_SIGNED_HEADERS = re.compile(rb":?[A-Za-z0-9!#$%&'*+.^_`|~-]+(?:;[A-Za-z0-9!#$%&'*+.^_`|~-]+)*")
_SIGNATURE = re.compile(rb"[0-9a-fA-F]{64}")
# As long as the key: 1024 to 4096 bits.
_RSA_SIGNATURE = re.compile(rb"(?:[0-9a-fA-F]{2}){128,512}")
# As nearly every client writes it, in one look; any other order or spelling is read pair by pair.
_USUAL = re.compile(
    rb"Credential=([!#-+\--~]+)/\d{4}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])/[A-Za-z0-9_-]+/[A-Za-z0-9_.-]+/([a-z0-9_]+)"
    rb", ?SignedHeaders=[A-Za-z0-9_-]+(?:;[A-Za-z0-9_-]+)*, ?Signature=[0-9a-f]{64}"
)
_MOMENT = re.compile(rb"(\d{8})T\d{6}Z")


def judge(candidate: Candidate) -> Judgement | None:
    """Signature v4 for its words, and for a presigned query; nothing else."""
    if candidate.word in _TERMINATORS:
        return _VERDICTS[_is_signed(candidate)]
    if candidate.companions:
        algorithm, scope, moment, signed_headers = candidate.companions
        # Without its marker a name alone is not enough to call it this scheme's.
        if algorithm is None or algorithm.lower() not in _TERMINATORS:
            return None
        valid = _is_complete(algorithm, scope, signed_headers, candidate.value) and _same_day(scope, moment)
        return _VERDICTS[valid]
    return None


def _is_signed(candidate: Candidate) -> bool:
    usual = _USUAL.fullmatch(candidate.value)
    if usual is not None:
        return candidate.word != _RSA and usual[2] == _TERMINATORS[candidate.word] and not is_placeholder(usual[1])
    params = auth_params(candidate.value)
    if params is None:
        return False
    return _is_complete(
        candidate.word, params.get(b"credential"), params.get(b"signedheaders"), params.get(b"signature")
    )


def _is_complete(algorithm: bytes, scope: bytes | None, headers: bytes | None, signature: bytes | None) -> bool:
    parts = _SCOPE.fullmatch(scope or b"")
    if parts is None or parts[3] != _TERMINATORS.get(algorithm.lower()) or is_placeholder(parts[1]):
        return False
    shape = _RSA_SIGNATURE if algorithm.lower() == _RSA else _SIGNATURE
    return _SIGNED_HEADERS.fullmatch(headers or b"") is not None and shape.fullmatch(signature or b"") is not None


def _same_day(scope: bytes | None, moment: bytes | None) -> bool:
    parts, day = _SCOPE.fullmatch(scope or b""), _MOMENT.fullmatch(moment or b"")
    return parts is not None and day is not None and parts[2] == day[1]


def _presigned(prefix: str, source: str) -> Rule:
    names = tuple(f"{prefix}-{name}" for name in ("Algorithm", "Credential", "Date", "SignedHeaders"))
    return Rule(Point.of("get", f"{prefix}-Signature"), source, names)


SCHEME: Scheme = Scheme(
    type=AuthType.AWS_SIGV4,
    judge=judge,
    words=tuple(word.decode() for word in _TERMINATORS),
    rules=(
        _presigned("X-Amz", "Amazon S3, authenticating requests with query parameters"),
        _presigned("X-Goog", "Google Cloud Storage, V4 signing process"),
    ),
)
