"""Hawk: a MAC over time, nonce, method, target, host and port, and over the body's hash.

Standards and references
    Hawk 1.1, "Protocol Example" and "Payload Validation" (the Mozilla Hawk specification); RFC 2104.
"""

import base64
import hashlib
import hmac
from typing import Final

import msgspec

from gatecrash.core.message import Request, kind_of_content, with_header
from gatecrash.core.point import Point
from gatecrash.core.testing.profiles.guarded import Guarded
from gatecrash.core.testing.profiles.moment import Moment

PROOF: Final = Point.of("header", "AUTHORIZATION")
ALGORITHMS: Final = ("sha256", "sha1")


class Hawk(Guarded, frozen=True, array_like=True, kw_only=True, tag="hawk"):
    """An id and its key. hash_body: the body's hash is signed too. ext: application data, sent and signed."""

    key_id: str
    key: str
    algorithm: str = "sha256"
    hash_body: bool = True
    ext: str = ""


def points(_config: Hawk) -> tuple[Point, ...]:
    """Where the signature stands, the proof first."""
    return (PROOF,)


def sign(config: Hawk, request: Request, moment: Moment) -> Request:
    """The request, signed for this moment; an older signature is replaced."""
    stamp, nonce = str(int(moment.now)), moment.nonce
    body_hash = _payload_hash(config, request) if config.hash_body else ""
    host, port = _host_and_port(request)
    target = request.target.decode("utf-8", "surrogateescape")
    ext = config.ext.replace("\\", "\\\\").replace("\n", "\\n")
    lines = ("hawk.1.header", stamp, nonce, request.method.upper(), target, host, port, body_hash, ext)
    text = "".join(f"{line}\n" for line in lines)
    mac = _mac(config, text.encode("utf-8", "surrogateescape"))
    shown = [("id", config.key_id), ("ts", stamp), ("nonce", nonce)]
    shown += [("hash", body_hash)] if body_hash else []
    shown += [("ext", config.ext)] if config.ext else []
    value = "Hawk " + ", ".join(f'{name}="{value}"' for name, value in [*shown, ("mac", mac)])
    headers = with_header(request.headers, b"Authorization", value.encode())
    result: Request = msgspec.structs.replace(request, headers=headers)
    return result


def _payload_hash(config: Hawk, request: Request) -> str:
    kind = kind_of_content(request)
    hashed = hashlib.new(config.algorithm, b"hawk.1.payload\n" + kind + b"\n" + request.body + b"\n")
    return base64.b64encode(hashed.digest()).decode()


def _mac(config: Hawk, text: bytes) -> str:
    return base64.b64encode(hmac.new(config.key.encode(), text, config.algorithm).digest()).decode()


def _host_and_port(request: Request) -> tuple[str, str]:
    """As the Host header says, which is what the server sees; where it names no port, the scheme's."""
    named = (request.first(b"Host") or b"").decode("latin-1").lower()
    host, colon, port = named.rpartition(":")
    if not colon or not port.isdigit():
        host, port = named, "443" if request.scheme == "https" else "80"
    return host, port
