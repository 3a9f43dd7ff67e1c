"""The few headers that folding asks for, collected in one pass: every exchange is asked, and most have twelve headers."""

from gatecrash.core.inventory.marker import MARKER_HEADER
from gatecrash.core.message import Headers

_MOST_SPELLINGS = 4096


# Where in the list each header's first value stands; plain numbers, for looking up an enum's member costs more than all else.
_FOLLOWED = (
    b"user-agent",
    b"authorization",
    b"cookie",
    b"content-type",
    b"content-encoding",
    b"soapaction",
    b"forwarded",
    b"x-forwarded-proto",
    b"access-control-request-method",
    MARKER_HEADER.lower(),
)
_COUNT = len(_FOLLOWED)
(
    AGENT,
    AUTHORIZATION,
    COOKIE,
    CONTENT_TYPE,
    CONTENT_ENCODING,
    SOAP_ACTION,
    FORWARDED,
    FORWARDED_PROTO,
    PREFLIGHT,
    MARKER,
) = range(_COUNT)
_NAMES = {name: place for place, name in enumerate(_FOLLOWED)}

Heads = list[bytes | None]


def follows(header: bytes) -> bool:
    """Whether folding asks for a header of this name."""
    return header.lower() in _NAMES


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
    """The first value of each header that folding asks for; None where it is absent."""
    table = _spellings
    found: Heads = [None] * _COUNT
    for name, value in headers:
        place = table[name]
        if place is not None and found[place] is None:
            found[place] = value
    return found
