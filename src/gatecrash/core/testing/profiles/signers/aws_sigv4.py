"""Signature Version 4: an HMAC over a canonical form of the request, with a key of one day, region and service.

Standards and references
    AWS, "Create a signed AWS API request" (canonical request, string to sign, signing key); "Signature calculations for
    the Authorization header" of Amazon S3 (the path is encoded once there, twice elsewhere, and its dots stay).
"""

import hashlib
import hmac
import time
from typing import Final
from urllib.parse import quote, unquote_to_bytes

import msgspec

from gatecrash.core.message import Headers, Request, with_header, without_header
from gatecrash.core.point import Point
from gatecrash.core.testing.profiles.guarded import Guarded
from gatecrash.core.testing.profiles.moment import Moment

ALGORITHM: Final = "AWS4-HMAC-SHA256"
PROOF: Final = Point.of("header", "AUTHORIZATION")
_ALWAYS = frozenset({b"host", b"content-type", b"content-md5"})


class AwsSigV4(Guarded, frozen=True, array_like=True, kw_only=True, tag="aws_sigv4"):
    """Keys and scope. session_token: of temporary keys; empty for lasting ones."""

    access_key: str
    secret_key: str
    region: str
    service: str
    session_token: str = ""


def points(_config: AwsSigV4) -> tuple[Point, ...]:
    """Where the signature stands, the proof first."""
    names = ("X-AMZ-DATE", "X-AMZ-CONTENT-SHA256", "X-AMZ-SECURITY-TOKEN")
    return (PROOF, *(Point.of("header", name) for name in names))


def sign(config: AwsSigV4, request: Request, moment: Moment) -> Request:
    """The request, signed for this moment; an older signature is replaced."""
    stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime(moment.now))
    digest = hashlib.sha256(request.body).hexdigest()
    headers = without_header(request.headers, b"Authorization")
    headers = with_header(headers, b"X-Amz-Date", stamp.encode())
    headers = with_header(headers, b"X-Amz-Content-Sha256", digest.encode())
    if config.session_token:
        headers = with_header(headers, b"X-Amz-Security-Token", config.session_token.encode())
    signed = _signed_headers(headers)
    canonical = "\n".join(
        (
            request.method,
            _path(request.path, config.service),
            canonical_query(request.query or b""),
            *(f"{name}:{value}" for name, value in signed),
            "",
            ";".join(name for name, _ in signed),
            digest,
        )
    )
    scope = f"{stamp[:8]}/{config.region}/{config.service}/aws4_request"
    text = "\n".join(
        (ALGORITHM, stamp, scope, hashlib.sha256(canonical.encode("utf-8", "surrogateescape")).hexdigest())
    )
    signature = hmac.new(_key(config, stamp[:8]), text.encode(), hashlib.sha256).hexdigest()
    names = ";".join(name for name, _ in signed)
    value = f"{ALGORITHM} Credential={config.access_key}/{scope}, SignedHeaders={names}, Signature={signature}"
    result: Request = msgspec.structs.replace(request, headers=with_header(headers, b"Authorization", value.encode()))
    return result


def canonical_query(query: bytes) -> str:
    """Names and values encoded anew, in the order of their encoded forms."""
    pairs = []
    for piece in query.split(b"&"):
        if piece:
            name, _, value = piece.partition(b"=")
            pairs.append((_encoded(unquote_to_bytes(name)), _encoded(unquote_to_bytes(value))))
    return "&".join(f"{name}={value}" for name, value in sorted(pairs))


def _signed_headers(headers: Headers) -> list[tuple[str, str]]:
    """Host, what speaks of the body, and all of the scheme's own: what a server commonly demands to be signed."""
    joined: dict[str, list[str]] = {}
    for name, value in headers:
        lowered = name.lower()
        if lowered in _ALWAYS or lowered.startswith(b"x-amz-"):
            joined.setdefault(lowered.decode("latin-1"), []).append(
                " ".join(value.decode("utf-8", "surrogateescape").split())
            )
    return sorted((name, ",".join(values)) for name, values in joined.items())


def _path(path: bytes, service: str) -> str:
    """Encoded once for S3, whose keys are bytes as they come; normalised and encoded twice elsewhere."""
    once = _encoded(unquote_to_bytes(path), safe="/") or "/"
    if service == "s3":
        return once
    kept: list[str] = []
    for segment in once.split("/"):
        if segment == "..":
            del kept[-1:]
        elif segment not in ("", "."):
            kept.append(segment)
    normal = "/" + "/".join(kept) + ("/" if kept and once.endswith(("/", "/.", "/..")) else "")
    return quote(normal, safe="/~-._")


def _encoded(value: bytes, safe: str = "") -> str:
    return quote(value, safe=safe + "~-._")


def _key(config: AwsSigV4, day: str) -> bytes:
    key = f"AWS4{config.secret_key}".encode()
    for part in (day, config.region, config.service, "aws4_request"):
        key = hmac.new(key, part.encode(), hashlib.sha256).digest()
    return key
