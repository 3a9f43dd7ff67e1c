"""Whose credentials the sides of a proof were sent with, in letters: the values themselves are never shown."""

from collections.abc import Collection, Sequence

from gatecrash.core.auth.recogniser import Recogniser
from gatecrash.core.auth.scheme import AuthType
from gatecrash.core.message import Request
from gatecrash.core.point import Point
from gatecrash.core.points.walk import read

NOBODYS = "none"
_COOKIES = Point(("header", "COOKIE"))
# Made anew for each request, so that other values may be the same caller's.
_EACH_ITS_OWN = frozenset(
    {
        AuthType.AWS_SIGV4,
        AuthType.DIGEST,
        AuthType.HAWK,
        AuthType.HMAC,
        AuthType.NEGOTIATE,
        AuthType.NTLM,
        AuthType.SCRAM,
    }
)


def whose(
    requests: Sequence[Request | None], recogniser: Recogniser, points: Collection[Point] = ()
) -> tuple[str | None, ...]:
    """A letter for the credentials of each request, "A" for the first that are met and the same for the same values; "none"
    where it brings none or empty ones.

    All are null where a request is signed, since its values say nothing of who signed it; null is also what there is no
    request for. points: where an auth profile sets credentials.
    """
    sent = [request for request in requests if request is not None]
    if any(found.type in _EACH_ITS_OWN for request in sent for found in recogniser.recognise(request)):
        return (None,) * len(requests)
    met: list[frozenset[tuple[Point, bytes]]] = []
    told: list[str | None] = []
    for request in requests:
        brought = _brought(request, recogniser, points) if request is not None else frozenset()
        if brought and brought not in met:
            met.append(brought)
        told.append(None if request is None else chr(ord("A") + met.index(brought)) if brought else NOBODYS)
    return tuple(told)


def _brought(request: Request, recogniser: Recogniser, points: Collection[Point]) -> frozenset[tuple[Point, bytes]]:
    """What stands where credentials do; all cookies where nothing else does, for one of them may be a session's."""
    places = {*points, *(found.point for found in recogniser.recognise(request))}
    brought = frozenset((point, value) for point in places if (value := read(request, point)))
    return brought or frozenset((_COOKIES, value) for value in request.all(b"Cookie") if value)
