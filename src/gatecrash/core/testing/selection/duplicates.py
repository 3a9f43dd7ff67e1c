"""When two baselines are the same: method, scheme, host, port, raw target, Content-Type, body and credential identity.

One of them is tested: of those that are known by then, as it was sent with the most cookies.
"""

import hashlib
from collections.abc import Iterable

import msgspec

from gatecrash.core.message import Exchange, Request, Response
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


class Fullest:
    """As which of identical baselines one is tested.

    fullest.see(exchange, credentials)           for each exchange of a record, in its order
    fullest.same(exchange, credentials)          the one with more cookies; None where it has them all
    """

    def __init__(self, key: bytes) -> None:
        """Nothing was seen yet. key: of `identity`."""
        self._key = key
        self._first: dict[bytes, Exchange] = {}
        self._fuller: dict[bytes, Exchange] = {}

    def see(self, exchange: Exchange, credentials: Iterable[Point]) -> None:
        """One more exchange."""
        if exchange.response is None:
            return
        same = identity(exchange.request, credentials, self._key)
        known = self._fuller.get(same) or self._first.get(same)
        if known is None:
            self._first[same] = Exchange(
                msgspec.structs.replace(exchange.request, body=b""), Response(exchange.response.status)
            )
        elif says_more(exchange, known):
            self._fuller[same] = exchange

    def same(self, exchange: Exchange, credentials: Iterable[Point]) -> Exchange | None:
        """An identical one that says more than this."""
        if not self._fuller:
            return None
        found = self._fuller.get(identity(exchange.request, credentials, self._key))
        return found if found is not None and says_more(found, exchange) else None


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
