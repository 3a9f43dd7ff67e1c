"""Which headers with a token or a key a client sends along with what it asks of everybody, too: then they are not told
apart by their client, and say nothing of what an address needs.

It does so where an address names what is published, where caches may keep the answer for others, and where the record shows a
visitor who was told as much at the same address. What holds something private there was given to the visitor by mistake, perhaps.
"""

import re
from collections import OrderedDict
from typing import TypeAlias, TypeVar

from gatecrash.core.message import Exchange, Request
from gatecrash.core.statuses import FIRST_REDIRECT
from gatecrash.core.testing.authorization.openness.everybodys import is_published, is_shared
from gatecrash.core.testing.authorization.owners.private_fields import is_private
from gatecrash.core.testing.oracles.outcomes.refused import refusal

_MOST_KEPT = 2_000
# An empty list is told to anybody.
_LEAST_TOLD = 20
_KEYS = re.compile(rb"(?i)^authorization$|(?<!csrf-)(?<!xsrf-)token|(?:api|access|auth|app)-?key")

_Value = TypeVar("_Value")
_Header: TypeAlias = tuple[str, int, bytes]
_Place: TypeAlias = tuple[str, int, bytes]


class SentAlong:
    """One run's.

    sent.see(exchange, visited=…)    whether it tells anything new; visited: somebody without credentials asked
    sent.everywhere(request)         whether headers as this request's are sent with everything
    """

    def __init__(self) -> None:
        self._headers: set[_Header] = set()
        self._told: OrderedDict[_Place, tuple[int, frozenset[_Header]]] = OrderedDict()
        self._visitors: OrderedDict[_Place, int] = OrderedDict()

    def see(self, exchange: Exchange, *, visited: bool) -> bool:
        """Learn from an answer that was recorded, or came."""
        headers = frozenset[_Header]() if visited else _headers(exchange.request)
        found = set(headers) if headers and _is_everybodys(exchange) else set[_Header]()
        told = _told(exchange)
        if told and (visited or headers):
            place = (exchange.request.host, exchange.request.port, exchange.request.target)
            if visited:
                _keep(self._visitors, place, told)
            else:
                _keep(self._told, place, (told, headers))
            sent, theirs = self._told.get(place), self._visitors.get(place)
            if sent is not None and theirs is not None and 10 * theirs >= 9 * sent[0]:
                found |= sent[1]
        is_new = not self._headers.issuperset(found)
        self._headers |= found
        return is_new

    def everywhere(self, request: Request) -> bool:
        """Whether all of its headers that hold a token or a key are sent so."""
        own = _headers(request)
        return bool(own) and own <= self._headers


def _is_everybodys(exchange: Exchange) -> bool:
    """Whether an address names what is published, or its answer may be kept for others."""
    published = is_published(exchange.request.path.decode("latin-1"))
    return published or (exchange.response is not None and is_shared(exchange.response))


def _told(exchange: Exchange) -> int:
    """How much a page says that holds nothing private; 0 for anything else."""
    request, response = exchange.request, exchange.response
    if (
        request.method.upper() != "GET"
        or response is None
        or response.status >= FIRST_REDIRECT
        or len(response.body) < _LEAST_TOLD
    ):
        return 0
    return 0 if refusal(response) is not None or is_private(response) else len(response.body)


def _headers(request: Request) -> frozenset[_Header]:
    """The headers that hold a token or a key by their names, with the host."""
    return frozenset((request.host, request.port, name.lower()) for name, _ in request.headers if _KEYS.search(name))


def _keep(kept: OrderedDict[_Place, _Value], place: _Place, value: _Value) -> None:
    kept[place] = value
    if len(kept) > _MOST_KEPT:
        kept.popitem(last=False)
