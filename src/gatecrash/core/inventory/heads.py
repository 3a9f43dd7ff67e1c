"""The few headers that folding asks for, collected in one pass: every exchange is asked, and most have twelve headers."""

from enum import IntEnum

from gatecrash.core.inventory.marker import MARKER_HEADER
from gatecrash.core.message import Headers

_MOST_SPELLINGS = 4096


class Head(IntEnum):
    """Where in the list each header's first value stands."""

    AGENT = 0
    AUTHORIZATION = 1
    COOKIE = 2
    CONTENT_TYPE = 3
    CONTENT_ENCODING = 4
    SOAP_ACTION = 5
    FORWARDED = 6
    FORWARDED_PROTO = 7
    PREFLIGHT = 8
    MARKER = 9


Heads = list[bytes | None]

_NAMES: dict[bytes, int] = {
    b"user-agent": Head.AGENT.value,
    b"authorization": Head.AUTHORIZATION.value,
    b"cookie": Head.COOKIE.value,
    b"content-type": Head.CONTENT_TYPE.value,
    b"content-encoding": Head.CONTENT_ENCODING.value,
    b"soapaction": Head.SOAP_ACTION.value,
    b"forwarded": Head.FORWARDED.value,
    b"x-forwarded-proto": Head.FORWARDED_PROTO.value,
    b"access-control-request-method": Head.PREFLIGHT.value,
    MARKER_HEADER.lower(): Head.MARKER.value,
}
_COUNT = len(Head)


class _Spellings(dict[bytes, int | None]):
    """From a header's raw spelling to its place; each spelling is lowered once in its life."""

    def __missing__(self, spelling: bytes) -> int | None:
        place = _NAMES.get(spelling.lower())
        # Clients choose spellings, so the table must not grow for ever.
        if len(self) < _MOST_SPELLINGS:
            self[spelling] = place
        return place


_spellings = _Spellings()


def read_heads(headers: Headers) -> Heads:
    """The first value of each header of Head; None where it is absent."""
    table = _spellings
    found: Heads = [None] * _COUNT
    for name, value in headers:
        place = table[name]
        if place is not None and found[place] is None:
            found[place] = value
    return found
