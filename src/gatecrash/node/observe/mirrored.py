"""A mirrored request, read out of the head that a proxy sent to the collector.

A proxy mirrors in one of two ways. To `/gatecrash/v1/mirror` with the original's parts in headers of the proxy's own,
which is how nginx is to be set up (deploy/nginx):

    X-Original-Method  X-Original-URI  X-Original-Host  X-Original-Scheme  X-Original-Client (the address)
    X-Original-Id (the request's own name, so that what a proxy mirrors twice is counted once)

or as it is, with the original's own target and Host, as Envoy, Traefik and an ingress do. Only on the first way are these
headers believed, since on the second they could be the client's.
"""

from collections.abc import Callable
from functools import cache, lru_cache
from typing import NamedTuple

from gatecrash.core.auth.head_reader import HeadReader
from gatecrash.core.message import Exchange, Headers, Request
from gatecrash.node.http1.head import read_request_head
from gatecrash.node.observe.route import read_authority
from gatecrash.node.observe.sound import Unsound, sound

MIRROR_PATH = b"/gatecrash/v1/mirror"
KEY_HEADER = b"x-gatecrash-key"
_ORIGINAL = b"x-original-"
_PARTS = frozenset((b"method", b"uri", b"host", b"scheme", b"client", b"id"))
_SHADOW = b"-shadow"
# What the proxy says to the collector, not the client to the application.
_OWN = frozenset((KEY_HEADER, b"host", b"connection", b"content-length", b"transfer-encoding"))
# What is read here, in capitals as a reader of heads has it.
_READ = frozenset((KEY_HEADER.upper(), b"HOST", b"X-FORWARDED-PROTO"))
_READ_PREFIXES = (_ORIGINAL.upper(), b"X-ENVOY-")
_kinds: dict[bytes, bytes] = {}


class Mirrored(NamedTuple):
    """What was read. key: what the sender showed. name: the request's own; empty where the proxy tells none."""

    exchange: Exchange
    key: bytes
    name: bytes


def reader_for(wanted: Callable[[bytes], bool]) -> HeadReader:
    """A reader that keeps what is asked for here, and what `wanted` asks for."""
    return HeadReader(lambda name: name in _READ or name.startswith(_READ_PREFIXES) or wanted(name))


@cache
def every_reader() -> HeadReader:
    """A reader that keeps all headers."""
    return HeadReader()


def read_mirrored(reader: HeadReader, raw: bytes, body: bytes, now: float) -> Mirrored:
    """The exchange, without an answer, with the headers that the reader keeps.

    Raises BrokenMessage where it is no request, Unsound or Refused where it cannot be counted.
    """
    read = reader.read(raw)
    if read is None:
        head = read_request_head(raw)
        read = head.method, head.target, head.headers
    method, target, lines = read
    headers, told, key = _sorted(lines)
    client = name = b""
    if target.partition(b"?")[0] == MIRROR_PATH:
        request = _told(method, headers, told, body)
        client, name = told.get(b"x-original-client", b""), told.get(b"x-original-id", b"")
    else:
        if len(told) > 1:
            headers += tuple([pair for pair in lines if _kind(pair[0]).startswith(_ORIGINAL)])
        request = _direct(method, target, headers, told, body)
    return Mirrored(sound(Exchange(request, None, now, client=client.decode("latin-1")), now), key, name)


def _sorted(lines: Headers) -> tuple[Headers, dict[bytes, bytes], bytes]:
    """The client's headers, what the proxy told (the original's parts, and `host`), and the key."""
    kept: list[tuple[bytes, bytes]] = []
    told: dict[bytes, bytes] = {}
    key = b""
    for pair in lines:
        kind = _kind(pair[0])
        if not kind:
            kept.append(pair)
        elif kind == KEY_HEADER:
            key = pair[1]
        else:
            told.setdefault(kind, pair[1])
    return tuple(kept), told, key


def _kind(name: bytes) -> bytes:
    """The lowered name where it is one of ours or the proxy's, else nothing; remembered, most names come again."""
    kind = _kinds.get(name)
    if kind is None:
        lowered = name.lower()
        ours = lowered in _OWN or (lowered.startswith(_ORIGINAL) and lowered[len(_ORIGINAL) :] in _PARTS)
        kind = lowered if ours else b""
        if len(_kinds) < 4096:
            _kinds[name] = kind
    return kind


def _told(method: str, headers: Headers, told: dict[bytes, bytes], body: bytes) -> Request:
    """The request as the proxy's headers tell it."""
    target = told.get(b"x-original-uri")
    host = told.get(b"x-original-host")
    if not target or not host:
        raise Unsound("a mirrored request needs X-Original-URI and X-Original-Host")
    method = told.get(b"x-original-method", method.encode()).decode("latin-1")
    scheme = told.get(b"x-original-scheme", b"http").decode("latin-1").lower()
    return _request(method, target, scheme, host, headers, body)


def _direct(method: str, target: bytes, headers: Headers, told: dict[bytes, bytes], body: bytes) -> Request:
    """The request as it is."""
    host = told.get(b"host", b"")
    if host.endswith(_SHADOW) and any(name[:8].lower() == b"x-envoy-" for name, _ in headers):
        host = host.removesuffix(_SHADOW)  # Envoy's request_mirror_policies mark the copy so
    proto = next((value for name, value in headers if name.lower() == b"x-forwarded-proto"), b"http")
    return _request(method, target, proto.decode("latin-1").lower(), host, headers, body)


def _request(method: str, target: bytes, scheme: str, host: bytes, headers: Headers, body: bytes) -> Request:
    if scheme not in ("http", "https"):
        raise Unsound(f"the scheme {scheme[:20]!r} is neither http nor https")
    origin = _origin(host, scheme)
    return Request(method, target, ((b"Host", host), *headers), body, scheme, origin.host, origin.port)


# A proxy's hosts are few, and each comes with every request.
_origin = lru_cache(maxsize=1024)(read_authority)
