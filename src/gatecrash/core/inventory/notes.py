"""Weaknesses of credentials that traffic shows by itself: noted on the endpoint, never with the value.

    jwt_alg_none         a JSON Web Token that nobody signed (RFC 8725 section 2.1; CWE-347)
    jwt_without_exp      one that never expires (RFC 8725 section 3.8 wants claims checked; CWE-613)
    credential_in_query  a reusable secret in an address, which logs and histories keep (RFC 6750 section 5.3; CWE-598)
    basic_without_tls    a password that anybody on the way can read (RFC 7617 section 4; CWE-319)
    shared_secret        one secret from 5 client addresses or more (CWE-1391)

A signed address is meant to stand in a query and is good for little else, so it is no credential_in_query. Whether TLS
was used is asked of the request's scheme and, behind a proxy that ends TLS, of X-Forwarded-Proto and Forwarded.
Values are remembered as keyed hashes only, bounded (memory.py); so are the clients' addresses.
Known misses: tokens in bodies; a secret whose uses lie further apart than the memory reaches.
"""

from enum import StrEnum
from functools import lru_cache
from urllib.parse import unquote_to_bytes

from gatecrash.core.auth.jwt import PREFIX, object_in
from gatecrash.core.auth.memory import Memory
from gatecrash.core.auth.recogniser import AUTHORIZATION, Recognised
from gatecrash.core.auth.scheme import AuthType, Kind
from gatecrash.core.inventory import heads as head
from gatecrash.core.inventory.heads import Heads
from gatecrash.core.message import Exchange, Request
from gatecrash.core.point import Point

SHARED_BY = 5
_REMEMBERED = 32_768
_LONGEST_PAYLOAD = 16 * 1024
_REUSABLE = frozenset({AuthType.API_KEY, AuthType.BASIC, AuthType.BEARER, AuthType.COOKIE})


class NoteKind(StrEnum):
    """The kinds of notes; the values are their names in JSON."""

    JWT_ALG_NONE = "jwt_alg_none"
    JWT_WITHOUT_EXP = "jwt_without_exp"
    CREDENTIAL_IN_QUERY = "credential_in_query"
    BASIC_WITHOUT_TLS = "basic_without_tls"
    SHARED_SECRET = "shared_secret"  # noqa: S105 - the name of a finding, no secret


Note = tuple[NoteKind, Point]


class _Secret:
    """What is remembered of one value: what its token lacks, and the first addresses it came from, hashed."""

    __slots__ = ("addresses", "lacks")

    def __init__(self, lacks: tuple[NoteKind, ...]) -> None:
        self.lacks = lacks
        self.addresses: tuple[int, ...] = ()


class Notes:
    """Notes weaknesses of what a node's requests carry. Bounded, not shared between threads."""

    def __init__(self, remembered: int = _REMEMBERED) -> None:
        """Remember at most so many values."""
        self._secrets: Memory[_Secret] = Memory(remembered)

    def of(self, exchange: Exchange, heads: Heads, found: tuple[Recognised, ...]) -> tuple[Note, ...]:
        """What is weak about the credentials that were found; each kind once a point."""
        notes: tuple[Note, ...] = ()
        for credential in found:
            if credential.valid and credential.type in _REUSABLE:
                notes += self._of(exchange, heads, credential)
        return notes

    def _of(self, exchange: Exchange, heads: Heads, credential: Recognised) -> tuple[Note, ...]:
        point = credential.point
        notes: tuple[Note, ...] = ()
        if point[0] == "get":
            notes += ((NoteKind.CREDENTIAL_IN_QUERY, point),)
        if credential.type is AuthType.BASIC and not _is_encrypted(exchange.request, heads):
            notes += ((NoteKind.BASIC_WITHOUT_TLS, point),)
        # A session's cookie wanders with its user's telephone, and its memory would crowd out all else.
        value = value_at(exchange.request, heads, point) if credential.kind is Kind.PROOF else None
        return notes + self._of_value(exchange.client, point, value) if value else notes

    def _of_value(self, client: str, point: Point, value: bytes) -> tuple[Note, ...]:
        key = hash(value)
        secret = self._secrets.recall(key)
        if secret is None:
            secret = _Secret(lacks_of(value))
            self._secrets.remember(key, secret)
        if client and len(secret.addresses) < SHARED_BY:
            address = hash(client)
            if address not in secret.addresses:
                secret.addresses += (address,)
        shared = len(secret.addresses) >= SHARED_BY
        if not secret.lacks and not shared:
            return ()
        kinds = (*secret.lacks, NoteKind.SHARED_SECRET) if shared else secret.lacks
        return tuple((kind, point) for kind in kinds)


def value_at(request: Request, heads: Heads, point: Point) -> bytes | None:
    """The raw value at a point in a header, a cookie or the query; None elsewhere (bodies are not read again)."""
    if point == AUTHORIZATION:
        return heads[head.AUTHORIZATION]
    if point[0] == "get":
        return _in_pairs(request.query or b"", b"&", point[-1])
    if point[0] != "header":
        return None
    if len(point) == 2:
        return request.first(point[-1].encode())
    return _in_pairs(heads[head.COOKIE] or b"", b";", point[-1])


def _in_pairs(text: bytes, separator: bytes, wanted: str) -> bytes | None:
    name = wanted.encode()
    for pair in text.split(separator):
        key, _, value = pair.partition(b"=")
        if key.strip() == name or (b"%" in key and unquote_to_bytes(key) == name):
            return value.strip()
    return None


def lacks_of(value: bytes) -> tuple[NoteKind, ...]:
    """What a JSON Web Token lacks, a scheme's word before it included; nothing where the value is none or encrypted."""
    start = value.find(PREFIX)
    # Only behind a word or escaped blanks: within an opaque value the letters mean nothing.
    if start < 0 or (start and value[start - 1 : start] not in (b" ", b"0", b'"', b"+")):
        return ()
    parts = value[start:].rstrip(b'"').split(b".", 5)
    if len(parts) != 3:
        return ()
    algorithm = _algorithm(parts[0])
    if algorithm is None:
        return ()
    lacks: tuple[NoteKind, ...] = ()
    if algorithm.lower() == "none":
        lacks += (NoteKind.JWT_ALG_NONE,)
    payload = _object(parts[1])
    if payload is not None and "exp" not in payload:
        lacks += (NoteKind.JWT_WITHOUT_EXP,)
    return lacks


# Few headers are in use at a time and none is secret, so remembering them saves half the decoding.
@lru_cache(maxsize=1024)
def _algorithm(segment: bytes) -> str | None:
    header = _object(segment)
    algorithm = header.get("alg") if header else None
    return algorithm if isinstance(algorithm, str) else None


def _object(segment: bytes) -> dict[str, object] | None:
    return object_in(segment) if len(segment) <= _LONGEST_PAYLOAD else None


def _is_encrypted(request: Request, heads: Heads) -> bool:
    """Whether the client spoke TLS, as far as the request tells."""
    if request.scheme in ("https", "wss"):
        return True
    outermost = (heads[head.FORWARDED_PROTO] or b"").partition(b",")[0].strip().lower()
    if outermost in (b"https", b"wss"):
        return True
    first = (heads[head.FORWARDED] or b"").partition(b",")[0].lower()
    return b"proto=https" in first.replace(b'"', b"").replace(b" ", b"")
