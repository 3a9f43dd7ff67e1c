"""HMAC as many services ask for it: a hash with a key over parts of the request, sent in a header of their own.

What is signed and how the header looks are templates of these words: ${method} ${scheme} ${host} ${url} ${target} ${path}
${query} ${body} ${body_sha256} ${body_sha256_base64} ${body_md5_base64} ${timestamp} ${timestamp_ms} ${date} ${nonce}
${key_id} ${header:Name}; the header's value knows ${signature} besides.

Standards and references
    RFC 2104 (HMAC); the services' own documentations, which differ in nothing but these templates.
"""

import base64
import binascii
import hashlib
import hmac
import re
from collections.abc import Callable
from email.utils import formatdate
from typing import Final

import msgspec

from gatecrash.core.message import Request, with_header
from gatecrash.core.point import Point, upper
from gatecrash.core.testing.profiles.guarded import Guarded
from gatecrash.core.testing.profiles.moment import Moment

ALGORITHMS: Final = ("sha256", "sha1", "sha384", "sha512")
KEY_ENCODINGS: Final = ("text", "base64", "hex")
ENCODINGS: Final = ("hex", "base64", "base64url")
WORDS: Final = frozenset(
    {"method", "scheme", "host", "url", "target", "path", "query", "body", "body_sha256", "body_sha256_base64", "body_md5_base64", "timestamp", "timestamp_ms", "date", "nonce", "key_id", "signature"}
)  # fmt: skip
_WORD = re.compile(rb"\$\{([a-z0-9_]+)(?::([A-Za-z0-9-]+))?\}")


class KeyedHash(Guarded, frozen=True, array_like=True, kw_only=True, tag="hmac"):
    """A key, what it signs, and the header that tells the signature.

    signed: template of the signed text. value: template of the header's value. headers: further headers, name and
    template, set before signing: a timestamp, a nonce. key_encoding: how the key is written; encoding: the signature.
    """

    key: str
    header: str
    signed: str
    value: str = "${signature}"
    key_id: str = ""
    algorithm: str = "sha256"
    key_encoding: str = "text"
    encoding: str = "hex"
    headers: tuple[tuple[str, str], ...] = ()


def points(config: KeyedHash) -> tuple[Point, ...]:
    """Where the signature stands, the proof first."""
    return tuple(Point.of("header", upper(name)) for name in (config.header, *(name for name, _ in config.headers)))


def sign(config: KeyedHash, request: Request, moment: Moment) -> Request:
    """The request, signed for this moment; an older signature is replaced."""
    headers = request.headers
    for name, template in config.headers:
        headers = with_header(headers, name.encode(), _filled(template, config, request, moment))
    request = msgspec.structs.replace(request, headers=headers)
    text = _filled(config.signed, config, request, moment)
    digest = hmac.new(key_bytes(config), text, config.algorithm).digest()
    value = _filled(config.value, config, request, moment, _ENCODED[config.encoding](digest))
    result: Request = msgspec.structs.replace(request, headers=with_header(headers, config.header.encode(), value))
    return result


def key_bytes(config: KeyedHash) -> bytes:
    """The key itself. Raises ValueError where it is not written as key_encoding says."""
    if config.key_encoding == "base64":
        return base64.b64decode(config.key, validate=True)
    return binascii.unhexlify(config.key) if config.key_encoding == "hex" else config.key.encode()


def unknown_word(template: str) -> str | None:
    """The first word of a template that means nothing here; None where all do."""
    for found in _WORD.finditer(template.encode()):
        name = found[1].decode()
        if name not in WORDS and not (name == "header" and found[2]):
            return name
    return None


def _filled(template: str, config: KeyedHash, request: Request, moment: Moment, signature: bytes = b"") -> bytes:
    def word(found: re.Match[bytes]) -> bytes:
        name = found[1].decode()
        if name == "header":
            return request.first(found[2]) or b""
        if name == "signature":
            return signature
        if name == "key_id":
            return config.key_id.encode()
        return _ABOUT_MOMENT[name](moment) if name in _ABOUT_MOMENT else _ABOUT_REQUEST[name](request)

    return _WORD.sub(word, template.encode())


_ENCODED: dict[str, Callable[[bytes], bytes]] = {
    "hex": binascii.hexlify,
    "base64": base64.b64encode,
    "base64url": lambda digest: base64.urlsafe_b64encode(digest).rstrip(b"="),
}
_ABOUT_MOMENT: dict[str, Callable[[Moment], bytes]] = {
    "timestamp": lambda moment: b"%d" % int(moment.now),
    "timestamp_ms": lambda moment: b"%d" % int(moment.now * 1000),
    "date": lambda moment: formatdate(int(moment.now), usegmt=True).encode(),
    "nonce": lambda moment: moment.nonce.encode(),
}
_ABOUT_REQUEST: dict[str, Callable[[Request], bytes]] = {
    "method": lambda request: request.method.encode(),
    "scheme": lambda request: request.scheme.encode(),
    "host": lambda request: request.first(b"Host") or request.host.encode(),
    "url": lambda request: request.scheme.encode() + b"://" + (request.first(b"Host") or b"") + request.target,
    "target": lambda request: request.target,
    "path": lambda request: request.path,
    "query": lambda request: request.query or b"",
    "body": lambda request: request.body,
    "body_sha256": lambda request: hashlib.sha256(request.body).hexdigest().encode(),
    "body_sha256_base64": lambda request: base64.b64encode(hashlib.sha256(request.body).digest()),
    "body_md5_base64": lambda request: base64.b64encode(hashlib.md5(request.body, usedforsecurity=False).digest()),
}
