"""What a capture asks for and the target does not have: `/rentals/99999`, answered 404. Behind such an address nothing
can be found.

Scripts that test for "not found" record little else. Where answers of the same user name things of that collection, one that is
there is asked for once, before anything is planned, and is tested beside what was recorded.
"""

from collections.abc import Awaitable, Callable, Iterable
from typing import Any

import msgspec
import orjson

from gatecrash.core.inventory.identifiers import look_in_path, parameter_name
from gatecrash.core.inventory.learned import Recognises
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.points.walk import read
from gatecrash.core.statuses import FIRST_REDIRECT
from gatecrash.core.testing.authorization.fields.choices import has_no_way_back
from gatecrash.core.testing.effects.destruction import destroys
from gatecrash.core.testing.oracles.body import content_of
from gatecrash.core.testing.oracles.outcomes.refused import refusal
from gatecrash.core.testing.oracles.outcomes.told_changes import names_change
from gatecrash.core.testing.probe import Answer
from gatecrash.core.testing.selection.replay import replayable, trimmed
from gatecrash.formats.draft import Draft, Hole
from gatecrash.node.scan.captures.missing_answers import may_be_asked
from gatecrash.node.scan.drafts.known_values import KnownValues, segments

MOST_ASKED = 100
MOST_SENDERS = 50
"""Sets of credentials whose answers are kept apart."""

_LONGEST_NOTHING = 300
# What is answered where an identifier names nothing: said so, not of its form, or fallen over.
_NOT_THERE = frozenset({400, 404, 410, 422, 500})

Send = Callable[[Request], Awaitable[Answer]]
_Sender = tuple[str, frozenset[tuple[Point, bytes | None]]]
_Template = tuple[str, ...]


class AbsentThings:
    """Sees a capture's exchanges, asks, and tells what is there.

    absent.see(exchange)         for each exchange
    absent.learn(exchange)       for further answers
    await absent.ask(send)
    absent.beside(exchange)      what is to be tested beside it
    absent.in_place_of(request)  the same, as often as somebody wants to know
    """

    def __init__(self, recogniser: Recognises) -> None:
        """recogniser: whose answers they are."""
        self._recogniser = recogniser
        self._known: dict[_Sender, KnownValues] = {}
        self._named: dict[_Sender, set[_Template]] = {}
        self._wanted: dict[tuple[_Sender, _Template], Exchange] = {}
        self._there: set[_Template] = set()
        self._asked: set[Request] = set()
        self._found: dict[Request, Exchange] = {}

    def see(self, exchange: Exchange) -> None:
        """One more exchange."""
        self.learn(exchange)
        template = _template(exchange.request)
        if not may_be_asked(exchange) or exchange.response is None or template == segments(exchange.request):
            return
        if not _says_nothing(exchange.response):
            if _is_good(exchange.response):
                self._there.add(template)
        elif len(self._wanted) < MOST_ASKED and not _acts(exchange.request):
            self._wanted.setdefault((self._sender(exchange.request), template), exchange)

    def learn(self, exchange: Exchange) -> None:
        """Take what an answer names for its receiver."""
        request, response = exchange.request, exchange.response
        if exchange.drafted or response is None or not _is_good(response):
            return
        sender = self._sender(request)
        if sender not in self._known and len(self._known) == MOST_SENDERS:
            return
        self._known.setdefault(sender, KnownValues()).learn(request, response)
        if not _says_nothing(response):
            path = segments(request)
            named = self._named.setdefault(sender, set())
            named.update(path[: end + 1] for end, segment in enumerate(path) if look_in_path(segment))

    async def ask(self, send: Send) -> int:
        """Ask for one thing each that answers name, once; how many are there. A target that does not answer is asked no more."""
        for (sender, template), exchange in self._wanted.items():
            known = self._known.get(sender)
            if known is None or template in self._there:
                continue
            recorded = replayable(exchange)
            request = self._filled(known, recorded.request, self._named.get(sender, set()))
            if request is recorded.request or request in self._asked:
                continue
            self._asked.add(request)
            answer = await send(request)
            response = answer.exchange.response
            if answer.failure or response is None:
                break
            if _is_good(response) and not _says_nothing(response):
                found = msgspec.structs.replace(exchange, request=request, response=trimmed(response))
                self._found[exchange.request] = found
        return len(self._found)

    def beside(self, exchange: Exchange) -> Iterable[Exchange]:
        """The same with a thing that is there."""
        found = self.in_place_of(exchange.request)
        return () if found is None else (found,)

    @property
    def count(self) -> int:
        """How many are there."""
        return len(self._found)

    def in_place_of(self, request: Request) -> Exchange | None:
        """The same with a thing that is there, for whoever tests one of both alone; None where none was found."""
        return self._found.get(request) if self._found else None

    def _filled(self, known: KnownValues, request: Request, named: set[_Template]) -> Request:
        """The request with what is known in the place of what is not; itself where nothing is."""
        path = segments(request)
        holes = tuple(
            Hole(parameter_name("id", path[place - 1] if place else None), Point(("path", str(place))), given=True)
            for place, segment in enumerate(path)
            if look_in_path(segment)
        )
        unknown = tuple(
            msgspec.structs.replace(hole, given=False) for hole in holes if path[: int(hole.point[1]) + 1] not in named
        )
        draft = Draft(request, drafted=True, holes=unknown)
        return request if not unknown or known.names(draft) else known.filled(draft).request

    def _sender(self, request: Request) -> _Sender:
        found = self._recogniser.recognise(request)
        return request.origin, frozenset((one.point, read(request, one.point)) for one in found if one.valid)


def _template(request: Request) -> _Template:
    """The segments of the path, without what is an identifier by its look."""
    return tuple("{}" if look_in_path(segment) else segment for segment in segments(request))


def _acts(request: Request) -> bool:
    """Whether the address is called after something that is done: nothing happened yet where there is nothing to do it to."""
    as_sent, (*_, last) = msgspec.structs.replace(request, method="POST"), _template(request)
    return destroys(as_sent) is not None or names_change(f"/{last}") or has_no_way_back(last)


def _is_good(response: Response) -> bool:
    return 200 <= response.status < FIRST_REDIRECT and refusal(response) is None


def _says_nothing(response: Response) -> bool:
    """Whether it says that nothing is there, by its status or by an answer with nothing in it."""
    if response.status in _NOT_THERE:
        return True
    content = content_of(response) or b""
    try:
        return len(content) <= _LONGEST_NOTHING and _is_good(response) and _is_nothing(orjson.loads(content))
    except orjson.JSONDecodeError:
        return False


def _is_nothing(told: Any) -> bool:
    """`null`, `[]`, and the same below a member: `{"success": true, "data": null}`."""
    if isinstance(told, dict):
        return all(_is_nothing(one) or isinstance(one, bool) for one in told.values())
    return told is None or told == []
