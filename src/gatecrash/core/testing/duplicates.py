"""When two baselines are the same: method, scheme, host, port, raw target, Content-Type, body and credential identity.

One of them is tested. A scan, which has seen all of them, takes the one that brings the most cookies.
"""

import hashlib
from collections.abc import Iterable

from gatecrash.core.message import Exchange, Request
from gatecrash.core.point import Point
from gatecrash.core.points.walk import read

_KEY_BYTES = 64


def identity(request: Request, credentials: Iterable[Point], key: bytes) -> bytes:
    """16 bytes, equal exactly for identical baselines.

    credentials: the points at which detection found some; their values count, and the keyed digest (at most 64 bytes of
    key) gives nothing of them away. Other headers do not count: two clients that ask the same are one baseline.
    """
    digest = hashlib.blake2b(key=key[:_KEY_BYTES], digest_size=16)
    for part in _parts(request):
        _feed(digest, part)
    for point in sorted(set(credentials)):
        _feed(digest, "\x00".join(point).encode("utf-8", "surrogatepass"))
        value = read(request, point)
        _feed(digest, b"" if value is None else b"=" + value)
    return digest.digest()


def says_more(later: Exchange, first: Exchange) -> bool:
    """Whether of two identical baselines the later brings cookies that the first was not given yet, and is answered alike: it has
    all the points of the first, and more.
    """
    if later.response is None or first.response is None or later.response.status != first.response.status:
        return False
    return _cookies(first.request) < _cookies(later.request)


def _cookies(request: Request) -> set[bytes]:
    return {pair.partition(b"=")[0].strip() for line in request.all(b"Cookie") for pair in line.split(b";")}


def _parts(request: Request) -> tuple[bytes, ...]:
    return (
        request.method.encode(),
        request.scheme.encode(),
        request.host.encode(),
        str(request.port).encode(),
        request.target,
        request.first(b"Content-Type") or b"",
        request.body,
    )


def _feed(digest: "hashlib.blake2b", part: bytes) -> None:
    """The part with its length in front, so that no two lists of parts run together."""
    digest.update(len(part).to_bytes(8, "big") + part)
