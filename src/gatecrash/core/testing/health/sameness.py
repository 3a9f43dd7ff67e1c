"""What tells that tests have spoilt a target: pages that said different things before all say the same now.

A theme that is not there, an address that nobody answers at, a text that the configuration does not survive: from then on every
page of some applications is one error, and many say it under a good status. Whatever is asked there finds nothing, which must
not be taken for soundness. Pure: who asks is `node/test/health/wellbeing.py`.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import takewhile
from urllib.parse import unquote_to_bytes

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.statuses import FIRST_ERROR, FIRST_REDIRECT, FIRST_SERVER_ERROR
from gatecrash.core.testing.known.page import Page
from gatecrash.core.testing.oracles.outcomes.refused import refusal
from gatecrash.core.testing.oracles.pages.reflection import renders
from gatecrash.core.testing.oracles.remembering import remembered

ENOUGH = 3
"""So many pages must have become one: two may show two things that are gone."""

MOST_ASKED = 5
"""So many are asked until enough are found that answer, and differ."""

# What names one thing of several, or moves by itself: a number, a nonce.
_MOVES = re.compile(rb"[0-9a-fA-F]{6,}|\d+|\s+")
_LOOKED_AT = 200_000

Said = tuple[int, bytes]
"""What an answer says, apart from what moves by itself and from the address that it repeats."""


def candidates(pages: Iterable[Page]) -> list[Page]:
    """Pages that tell the most: those that browsers show, and of those with one address but for its numbers the first alone.

    Behind the first come those that share the least of their paths with the ones before: a text that breaks a list
    breaks what stands below the list, and leaves the rest of a site alone.
    """
    found: dict[bytes, Page] = {}
    for page in pages:
        if page.rendered and page.request.method.upper() == "GET":
            found.setdefault(_MOVES.sub(b"", page.request.target), page)
    left, chosen = list(found.values()), list[Page]()
    while left and len(chosen) < MOST_ASKED:
        farthest = min(left, key=lambda page: max((_in_common(page, each) for each in chosen), default=0))
        left.remove(farthest)
        chosen.append(farthest)
    return chosen


def _in_common(page: Page, other: Page) -> int:
    """How many segments the paths of two pages begin with alike; one more where nothing else is left."""
    own, its = page.request.path.rstrip(b"/").split(b"/"), other.request.path.rstrip(b"/").split(b"/")
    alike = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(own, its, strict=False)))
    return alike + (own == its)


def said(exchange: Exchange) -> Said | None:
    """What an answer says; None where none came, or where it tells of its caller or of one thing that is gone."""
    response = exchange.response
    if response is None or FIRST_ERROR <= response.status < FIRST_SERVER_ERROR or refusal(response) is not None:
        return None
    if response.status < FIRST_REDIRECT and not renders(response):
        return None
    return response.status, steady(exchange.request, response)


def steady(request: Request, response: Response) -> bytes:
    """What an answer holds, without what moves by itself and the address that it repeats."""
    settled = _settled(response) if b"=" in (request.query or b"=") else None
    if settled is not None:
        return settled
    body = _whole(response)
    for own in _addresses(request):
        body = body.replace(own, b"")
    return _MOVES.sub(b"", body)


@remembered
def _settled(response: Response) -> bytes | None:
    """The same of an answer that repeats no address, for each path begins with a slash, and hardly a query is without an equals
    sign; None where it may.
    """
    body = _whole(response)
    return None if b"/" in body or b"=" in body else _MOVES.sub(b"", body)


def _whole(response: Response) -> bytes:
    return response.body[:_LOOKED_AT] + b"\n" + (response.first(b"Location") or b"")


def is_well(exchange: Exchange) -> bool:
    """Whether a page is shown as one."""
    return exchange.response is not None and exchange.response.status < FIRST_REDIRECT and said(exchange) is not None


def is_one(answers: Sequence[Said | None]) -> bool:
    """Whether all of these answers say the same."""
    return None not in answers and len(set(answers)) == 1


def _addresses(request: Request) -> list[bytes]:
    """How an answer repeats what it was asked for, the longest first."""
    ways = {request.target, request.path, request.query or b""}
    ways |= {unquote_to_bytes(way) for way in ways} | {way.replace(b"&", b"&amp;") for way in ways}
    return sorted((way for way in ways if len(way) > 1), key=len, reverse=True)
