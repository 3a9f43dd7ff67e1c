"""Things that have other names than when they were recorded: who sets his application up anew draws its identifiers again.

`/orders/5b1c…` is answered 404 then, and nothing can be found behind it. What told a user of it is asked for again as
the same user, and the identifier that stands now in the place of the old one is tested instead: in the list's entry
that says the same otherwise, or in that of the same place; links of pages are such entries, too. What the record itself
made is left alone, and so is what would be one user's for one and another's for another.
"""

import re
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import msgspec

from gatecrash.core.errors import UserError
from gatecrash.core.inventory.identifiers import look_in_path
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.points.rewrite import rewrite
from gatecrash.core.testing.authorization.objects.creations import is_long
from gatecrash.core.testing.authorization.objects.renamed_answers import renamed
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.operations.graphql import only_queries
from gatecrash.core.testing.oracles.outcomes.refused import is_taken
from gatecrash.core.testing.probe import Answer
from gatecrash.core.testing.profiles.recorded_logins import signed_in
from gatecrash.core.testing.selection.replay import replayable, trimmed
from gatecrash.formats.draft import names_a_thing
from gatecrash.node.scan.captures.links_told import Name, fields_anew, names_anew, names_at, names_told
from gatecrash.node.scan.captures.missing_answers import may_be_asked
from gatecrash.node.scan.captures.places_told import told_anew
from gatecrash.node.scan.drafts.known_values import segments
from gatecrash.node.scan.drafts.listed_rows import json_in
from gatecrash.node.test.sessions.principal import SIGNED_OUT

MOST_ASKED = 100
MOST_UNCHANGED = 4
"""Answers to one user that tell of the same things as ever: nothing was set up anew then."""
MOST_KEPT = 300
MOST_BYTES = 32 * 1024 * 1024
"""Of recorded answers, which are kept until they are compared."""
MOST_NAMES = 2000

# What an identifier may look like where no path says that it is one: nothing that a sentence holds.
_LONG = re.compile(rb"(?<![\w-])(?=[\w-]*\d)[0-9A-Za-z_-]{16,64}(?![\w-])")

Send = Callable[[Request], Awaitable[Answer]]
Whose = Callable[[Request], str]


class ThingsAnew:
    """Sees a record's exchanges in their order, asks, and tells what is to be tested. whose: who sent a request; empty
    for nobody.

    anew.see(exchange)             for each exchange
    await anew.ask(send)           how many things have other names now
    anew.in_place_of(exchange)     the same by the new names; None where it names none of them
    """

    def __init__(self, whose: Whose) -> None:
        """Nothing was seen yet."""
        self._whose = whose
        self._tellers: list[tuple[str, Exchange]] = []
        self._used: dict[str, set[Name]] = {}
        self._made: dict[str, set[str]] = {}
        self._met: set[str] = set()
        self._new: dict[str, dict[Name, str]] = {}
        self._answers: dict[Request, Response] = {}
        self._unchanged: Counter[str] = Counter()
        self._room = MOST_BYTES
        self._left = MOST_ASKED

    def see(self, exchange: Exchange) -> None:
        """One more exchange."""
        request, response = exchange.request, exchange.response
        user = "" if exchange.drafted or response is None or not is_taken(response) else self._whose(request)
        if not user or response is None:
            return
        used = self._used.setdefault(user, set())
        if len(used) < MOST_NAMES:
            used.update(_names_of(request))
        if json_in(response) is None and not names_told(request, response):
            return
        if not _only_asks(exchange):
            told = set() if signed_in(request) else _told_in(request, response)
            self._made.setdefault(user, set()).update(told - {name for _, name in _names_of(request)} - self._met)
        elif len(self._tellers) < MOST_KEPT and len(response.body) <= self._room:
            self._room -= len(response.body)
            self._met.update(filter(_is_unique, _told_in(request, response)))
            self._tellers.append((user, replayable(exchange)))

    async def ask(self, send: Send) -> int:
        """Ask those for what told them of the things that they used. A target that does not answer is asked no more."""
        for is_wanted in (self._tells, self._is_renamed):
            for user, exchange in self._tellers:
                if exchange.request in self._answers or not is_wanted(user, exchange):
                    continue
                response = await self._asked(self._renamed(user, exchange.request), send)
                if response is not None and is_taken(response):
                    self._answers[exchange.request] = trimmed(response)
                    self._learn(user, exchange, response)
            self._leave_shared()
        return self.count

    async def _asked(self, request: Request, send: Send) -> Response | None:
        self._left -= 1
        answer = await send(request) if self._left >= 0 else None
        if answer is None or answer.failure:
            signed_out = answer is not None and answer.failure == SIGNED_OUT  # one of them, and the others are not
            self._left = self._left if signed_out else 0
            return None
        return answer.exchange.response

    def in_place_of(self, exchange: Exchange) -> Exchange | None:
        """The same by the names that its things have now."""
        if not self.count:
            return None
        request, response = replayable(exchange).request, exchange.response
        user = self._whose(request)
        answered, changed = self._answers.get(request), self._renamed(user, request)
        if not user or (answered is None and changed is request):
            return None
        if answered is None and response is not None:
            answered = response
            for (_, old), new in self._names(user).items():
                answered = renamed(answered, ("id",), old, new)
        return msgspec.structs.replace(exchange, request=changed, response=answered)

    @property
    def count(self) -> int:
        """How many have."""
        return sum(map(len, self._new.values()))

    def _told(self, user: str, exchange: Exchange) -> set[Name]:
        """The names of things that the user used, which this answer told him of, and which have no new ones yet."""
        assert exchange.response is not None
        used, path = self._used[user], segments(exchange.request)
        known = {*self._names(user), *_names_of(exchange.request)}
        made = self._made.get(user, set())
        if json_in(exchange.response) is None:
            linked = {
                _known_as(name) for name in names_told(exchange.request, exchange.response) if name[1] not in made
            }
            return (linked & used) - known
        told = _identifiers(json_in(exchange.response)) - made
        above = [path[:end] for end in range(len(path) + 1)]
        return {(place, one) for one in told for place in above if (place, one) in used and (place, one) not in known}

    def _learn(self, user: str, exchange: Exchange, response: Response) -> None:
        """What stands where the old names stood."""
        assert exchange.response is not None
        wanted = self._told(user, exchange)
        still = _told_in(exchange.request, response)
        gone = {name for name in wanted if name[1] not in still}
        self._unchanged[user] += not gone
        names = self._new.setdefault(user, {})
        taken = {*names.values(), *(old for _, old in self._used[user])}
        for name, new in self._changes(user, exchange, response, gone):
            if name in gone and new not in taken and is_long(name[1]) == is_long(new):
                names[name] = new
                gone.discard(name)
                taken.add(new)

    def _changes(
        self, user: str, exchange: Exchange, response: Response, gone: set[Name]
    ) -> Iterator[tuple[Name, str]]:
        """What stands in the place of names that are gone."""
        assert exchange.response is not None
        told, made = json_in(exchange.response), self._made.get(user, set())
        if told is None:
            for name, new in names_anew(exchange.request, exchange.response, response, made):
                yield _known_as(name), new
            return
        places = {name[1]: name for name in gone}
        for place, old, new in told_anew(told, json_in(response), made):
            names_it = bool(place) and names_a_thing(place[-1]) and (_is_unique(old) or len(place) == 1)
            if names_it and old in places:
                yield places[old], new

    def _leave_shared(self) -> None:
        """Forget a new name that stands for different things, and an old one that has several: whose they are nobody knows."""
        olds: dict[Name, set[Name]] = {}
        news: dict[Name, set[str]] = {}
        for names in self._new.values():
            for name, new in names.items():
                olds.setdefault((name[0], new), set()).add(name)
                news.setdefault(name, set()).add(new)
        for user, names in self._new.items():
            self._new[user] = {
                name: new
                for name, new in names.items()
                if len(olds[name[0], new]) == 1 and (name[0] or len(news[name]) == 1)
            }

    def _names(self, user: str) -> dict[Name, str]:
        """His own, and what only one thing can be called by others, too."""
        others = (item for names in self._new.values() for item in names.items() if not item[0][0])
        return {**dict(others), **self._new.get(user, {})}

    def _tells(self, user: str, exchange: Exchange) -> bool:
        hopeless = self._unchanged[user] >= MOST_UNCHANGED and not self._new.get(user)
        return not hopeless and bool(self._told(user, exchange))

    def _is_renamed(self, user: str, exchange: Exchange) -> bool:
        return self._renamed(user, exchange.request) is not exchange.request

    def _renamed(self, user: str, request: Request) -> Request:
        """With the new names in the place of the old ones."""
        new = self._names(user)
        if not new:
            return request
        changed, path = request, segments(request)
        for end, segment in enumerate(path):
            name = new.get((path[:end], segment))
            changed = _at(changed, Point(("path", str(end))), name) if name else changed
        numbers = {name: value for name, value in new.items() if name[0]}
        for point, value in fields_anew(changed, numbers):
            changed = _at(changed, point, value)
        return _with_long(changed, {old: name for (place, old), name in new.items() if not place})


def _at(request: Request, point: Point, value: str) -> Request:
    try:
        return rewrite(request, point, value.encode())
    except UserError:
        return request


def _with_long(request: Request, new: dict[str, str]) -> Request:
    def name(found: re.Match[bytes]) -> bytes:
        return new.get(found[0].decode(), "").encode() or found[0]

    target, body = _LONG.sub(name, request.target), _LONG.sub(name, request.body)
    if (target, body) == (request.target, request.body):
        return request
    changed: Request = msgspec.structs.replace(request, target=target, body=body)
    return replayable(Exchange(changed)).request


def _only_asks(exchange: Exchange) -> bool:
    """Whether it may be asked again, also of a target's one address for all that it is asked."""
    request = exchange.request
    return may_be_asked(exchange) if is_safe(request) else only_queries(request)


def _names_of(request: Request) -> Iterator[Name]:
    """The identifiers that a request names."""
    yield from (name for name in names_at(request) if not _is_unique(name[1]))
    for found in _LONG.findall(request.target + b" " + request.body):
        yield (), found.decode()


def _known_as(name: Name) -> Name:
    """What nothing else is called is known wherever it stands."""
    return ((), name[1]) if _is_unique(name[1]) else name


def _told_in(request: Request, response: Response) -> set[str]:
    """The identifiers that an answer tells, in its JSON or its links."""
    body = json_in(response)
    return _identifiers(body) if body is not None else {value for _, value in names_told(request, response)}


def _is_unique(text: str) -> bool:
    """Whether a value is so long and random that nothing else has it: it means the same thing wherever it stands."""
    return _LONG.fullmatch(text.encode()) is not None


def _identifiers(told: Any) -> set[str]:
    """What an answer says that may name a thing: texts of that look anywhere, numbers that are called so."""
    found: set[str] = set()
    waiting = [("", told)]
    while waiting:
        name, one = waiting.pop()
        if isinstance(one, dict):
            waiting.extend(one.items())
        elif isinstance(one, list):
            waiting.extend((name, each) for each in one)
        elif isinstance(one, str):
            found.update([one] if look_in_path(one) == "id" or _is_unique(one) else [])
        elif isinstance(one, int) and not isinstance(one, bool) and name.lower() == "id":
            found.add(str(one))
    return found
