"""Public keys that the answers of a target tell, wherever they do: settings, a page, the file of a certificate.

known = keys_known(memory.told, token)
"""

import html
import re
from collections.abc import Iterator, MutableSet, Set
from itertools import islice
from typing import Any, NamedTuple

import orjson

from gatecrash.core.message import Response
from gatecrash.core.testing.authorization.tokens.jwt import Token
from gatecrash.core.testing.authorization.tokens.jwt_keys import PublicKey, as_pem, from_jwk, from_pem, verifies
from gatecrash.core.testing.oracles.body import text_of

Told = tuple[str, ...]

_KEY = "a public key"
_MOST, _LARGEST, _DEEPEST = 20, 500_000, 8
# Of a run: stores of certificates list hundreds, and all of them are tried on a token.
_MOST_TOLD = 200
_BEGINS = "-----BEGIN "
# A body holds no dash, so that a beginning without an end costs no more than its own letters; the rest is how JSON and HTML
# write a line's end, a plus and a slash.
_PEM = re.compile(r"-----BEGIN ((?:RSA )?PUBLIC KEY|CERTIFICATE)-----([\w+/=\s\\&#;]{80,8000})-----END \1-----")
_LINE_END = re.compile(r"\\[rn]|<br ?/?>")
_JWK = re.compile(r'"kty"\s{0,9}:\s{0,9}"(?:RSA|EC)"')


class KnownKey(NamedTuple):
    """A public key, and the text that tells it: that of a certificate is another one than that of its key."""

    key: PublicKey
    text: bytes


def remember_key(told: MutableSet[Told], text: bytes) -> None:
    """Keep a key that may verify the target's tokens."""
    if sum(each[0] == _KEY for each in told) < _MOST_TOLD:
        told.add((_KEY, text.decode("latin-1")))


def keys_known(told: Set[Told], token: Token) -> list[KnownKey]:
    """Those that verify this very token: whoever told them, they are the ones it is verified with."""
    texts = sorted(each[-1].encode("latin-1") for each in told if each[0] == _KEY)
    return [KnownKey(key, text) for text in texts if (key := from_pem(text)) is not None and verifies(key, token)]


def keys_told(response: Response) -> tuple[bytes, ...]:
    """The texts of the keys that an answer tells, as PEM (RFC 7468) without the last line's end."""
    text = text_of(response)[:_LARGEST]
    return tuple(dict.fromkeys((*_texts(text), *_numbers(text))))


def _texts(text: str) -> Iterator[bytes]:
    if _BEGINS not in text:
        return
    for each in islice(_PEM.finditer(text), _MOST):
        body = _LINE_END.sub("\n", html.unescape(each[2])).replace("\\/", "/")
        pem = "\n".join((f"-----BEGIN {each[1]}-----", *body.split(), f"-----END {each[1]}-----"))
        if from_pem(told := pem.encode("ascii", "replace")) is not None:
            yield told


def _numbers(text: str) -> Iterator[bytes]:
    """Keys as JSON tells their numbers, in a set of them or alone (RFC 7517)."""
    if _JWK.search(text) is None:
        return
    try:
        document = orjson.loads(text)
    except orjson.JSONDecodeError:
        return
    for jwk in islice(_jwks(document), _MOST):
        if (key := from_jwk(jwk)) is not None:
            yield as_pem(key)


def _jwks(document: Any, depth: int = 0) -> Iterator[dict[str, Any]]:
    if isinstance(document, dict) and isinstance(document.get("kty"), str):
        yield document
    elif isinstance(document, dict | list) and depth < _DEEPEST:
        for each in document.values() if isinstance(document, dict) else document:
            yield from _jwks(each, depth + 1)
