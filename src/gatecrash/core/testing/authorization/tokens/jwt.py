"""JSON Web Tokens parsed and built: the recorded ones, and forged ones made from them (RFC 7515, RFC 7519).

token = parse(b"eyJ…")            None for what is no signed token with readable claims
compact(header, payload, sign)    the three parts, signed
"""

import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error
from collections.abc import Callable, Mapping
from typing import Any

import msgspec
import orjson

from gatecrash.core.auth.jwt import is_jwt

Claims = Mapping[str, Any]
Sign = Callable[[bytes], bytes]

# RFC 7518 section 3.2.
DIGESTS = {"HS256": "sha256", "HS384": "sha384", "HS512": "sha512"}


class Token(msgspec.Struct, frozen=True):
    """A token as it stands in a request. parts: header, payload and signature as they are written."""

    header: dict[str, Any]
    payload: dict[str, Any]
    parts: tuple[bytes, bytes, bytes]

    @property
    def algorithm(self) -> str:
        """The header's `alg`."""
        return str(self.header["alg"])

    @property
    def signed(self) -> bytes:
        """What the signature is over."""
        return self.parts[0] + b"." + self.parts[1]

    @property
    def expires(self) -> float | None:
        """The claim `exp` in UNIX seconds (RFC 7519 section 4.1.4); None where it is absent or no number."""
        value = self.payload.get("exp")
        return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def parse(value: bytes) -> Token | None:
    """The signed token; None where the value is none, is encrypted, or has claims that are no JSON object."""
    parts = value.split(b".")
    if len(parts) != 3 or not is_jwt(value):
        return None
    header, payload = _read(parts[0]), _read(parts[1])
    if header is None or payload is None:
        return None
    return Token(header, payload, (parts[0], parts[1], parts[2]))


def compact(header: Claims, payload: Claims | bytes, sign: Sign) -> bytes:
    """A token in compact form. payload: claims, or a part as it was written."""
    written = payload if isinstance(payload, bytes) else encode(orjson.dumps(payload))
    signed = encode(orjson.dumps(header)) + b"." + written
    return signed + b"." + encode(sign(signed))


def with_hmac(algorithm: str, key: bytes) -> Sign:
    """Signs with a shared key. algorithm: one of DIGESTS."""
    digest = DIGESTS[algorithm]

    def sign(signed: bytes) -> bytes:
        return hmac.digest(key, signed, digest)

    return sign


def unsigned(_signed: bytes) -> bytes:
    """Signs with nothing."""
    return b""


def encode(data: bytes) -> bytes:
    """Base64 in the alphabet for addresses, without padding (RFC 7515 section 2)."""
    return urlsafe_b64encode(data).rstrip(b"=")


def decode(text: bytes) -> bytes | None:
    """The bytes; None where it is no such base64."""
    try:
        return urlsafe_b64decode(text + b"=" * (-len(text) % 4))
    except (Error, ValueError):
        return None


def _read(part: bytes) -> dict[str, Any] | None:
    data = decode(part)
    try:
        document = orjson.loads(data or b"")
    except orjson.JSONDecodeError:
        return None
    return document if isinstance(document, dict) else None
