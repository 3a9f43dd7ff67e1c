"""When two baselines are the same: method, scheme, host, port, raw target, Content-Type, body and credential identity."""

import hashlib
from collections.abc import Iterable

from gatecrash.core.message import Request
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
