"""The public key of a recorded token: told by any answer, carried by the token, or at the usual addresses of its host.

found = yield from public_keys(situation, request, token)
"""

from collections.abc import Generator
from typing import NamedTuple
from urllib.parse import urlsplit

import orjson

from gatecrash.core.message import Request, Response, reading
from gatecrash.core.statuses import OK
from gatecrash.core.testing.asking import ask_raw, response_of
from gatecrash.core.testing.authorization.callers.credentials import without_credentials
from gatecrash.core.testing.authorization.tokens.jwt import Token
from gatecrash.core.testing.authorization.tokens.jwt_keys import PublicKey, carried
from gatecrash.core.testing.authorization.tokens.known_keys import keys_known, keys_told, remember_key
from gatecrash.core.testing.probe import Answer, Situation, TestRequest

ASYMMETRIC = ("RS", "PS", "ES")
# A key as it is, and in its certificate.
_MOST_KNOWN = 2
# OpenID Connect Discovery 1.0, section 4; the others are habits.
_METADATA = b"/.well-known/openid-configuration"
_USUAL = (b"/.well-known/jwks.json", _METADATA, b"/jwks.json", b"/jwks")
_ASKED = "asked for public keys"
# Of a host: each of its services may publish its own.
_MOST_ASKED = 24


class Found(NamedTuple):
    """The likeliest keys, and how the target itself writes them, where it does."""

    keys: list[PublicKey]
    texts: list[bytes]


def public_keys(situation: Situation, request: Request, token: Token) -> Generator[TestRequest, Answer, Found]:
    """What the token is verified with, as far as anybody can know; only the usual addresses are asked for."""
    told = situation.memory.told
    if not keys_known(told, token):
        inside = carried(token.header)
        if inside:
            return Found(inside[:1], [])
        yield from _ask_usual(situation, request, token)
    known = keys_known(told, token)[:_MOST_KNOWN]
    return Found([each.key for each in known[:1]], [each.text for each in known])


def _ask_usual(situation: Situation, request: Request, token: Token) -> Generator[TestRequest, Answer, None]:
    """Ask as nobody where this host may publish its keys, once in a run, until one that verifies the token is known."""
    bare = without_credentials(request, situation.credentials)
    told = situation.memory.told
    for path in (waiting := _unasked(situation, request, token)):
        response = response_of((yield from ask_raw(reading(bare, path), "control")))
        told.add(_mark(request, path))
        for key in keys_told(response) if response.status == OK else ():
            remember_key(told, key)
        if keys_known(told, token):
            return
        waiting += [each for each in _named(response, request) if _mark(request, each) not in told]


def _unasked(situation: Situation, request: Request, token: Token) -> list[bytes]:
    """The usual addresses that nobody has asked for: of the host, of its service behind a gateway, and of who issued the token."""
    told = situation.memory.told
    asked = sum(each[:2] == (_ASKED, request.origin) for each in told)
    service = b"/".join(request.path.split(b"/")[:2])
    issuer = _path_here(token.payload.get("iss"), request)
    below = [service] if service.strip(b"/") and service != request.path else []
    places = [b"", *below, *([issuer.rstrip(b"/")] if issuer else [])]
    paths = dict.fromkeys(place + name for name in _USUAL for place in places)
    return [path for path in paths if _mark(request, path) not in told][: max(_MOST_ASKED - asked, 0)]


def _named(response: Response, request: Request) -> list[bytes]:
    """The address that metadata of an issuer name for its keys, where it is one of this host."""
    try:
        document = orjson.loads(response.body) if response.status == OK else None
    except orjson.JSONDecodeError:
        return []
    path = _path_here(document.get("jwks_uri"), request) if isinstance(document, dict) else None
    return [path] if path else []


def _path_here(address: object, request: Request) -> bytes | None:
    """The path of an address at the host that is asked; None for others and for what is none."""
    try:
        parts = urlsplit(address) if isinstance(address, str) and address.isascii() and address.isprintable() else None
        here = parts is not None and parts.scheme in ("http", "https") and parts.hostname == request.host
    except ValueError:
        return None
    return parts.path.encode() if here and parts is not None and " " not in parts.path else None


def _mark(request: Request, path: bytes) -> tuple[str, ...]:
    return _ASKED, request.origin, path.decode("latin-1")
