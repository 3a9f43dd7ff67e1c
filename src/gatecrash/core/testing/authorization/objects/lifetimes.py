"""When the objects of a record were there: what made each, what names it, and what deletes it.

lifetimes.see(exchange)     for each exchange, in their order
lifetimes.things            what was made, the oldest first
lifetimes.uses              what each request names of it, and where
"""

from collections import OrderedDict
from typing import NamedTuple

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.authorization.objects.creations import Creation, Place, creation_of, is_long, shown_by
from gatecrash.core.testing.authorization.objects.named import named_fields, named_objects
from gatecrash.core.testing.effects.destruction import destroys
from gatecrash.core.testing.known.objects import Named
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.outcomes.refused import is_taken
from gatecrash.core.testing.oracles.outcomes.told_changes import tells_failure
from gatecrash.core.testing.selection.replay import why_not

MOST_CREATIONS = 500
MOST_USES = 2000
MOST_SHOWN = 50_000


class Thing:
    """An object that the record made. uses: requests that name it, its deletion not among them. deleted: by which
    method it was, or empty. new: the identifiers of the one that was made in its place.
    """

    def __init__(self, exchange: Exchange, creation: Creation) -> None:
        """exchange: what made it."""
        self.exchange = exchange
        self.creation = creation
        self.uses: list[Request] = []
        self.deleted = ""
        self.new: dict[Place, str] = {}

    def made_by(self, response: Response) -> dict[Place, str]:
        """The identifiers that another answer to the same gives, where this one has some."""
        told = self.creation.identifiers(response)
        return {leaf.path: told[leaf.path] for leaf in self.creation.told if leaf.path in told}


class Use(NamedTuple):
    """Where a request names a thing. place: of the identifier in the answer that made it. is_within: what is meant
    stands below it.
    is_last: the address ends with it.
    """

    point: Point
    value: str
    thing: Thing
    place: Place
    is_within: bool
    is_last: bool

    @property
    def new(self) -> str:
        """What names the one that was made in its place; empty where none was."""
        return self.thing.new.get(self.place, "")


class Lifetimes:
    """Of one record."""

    def __init__(self) -> None:
        """Nothing was seen yet."""
        self.things: list[Thing] = []
        self.uses: dict[Request, list[Use]] = {}
        self._open: dict[tuple[str, str], list[Thing]] = {}
        self._shown: OrderedDict[tuple[str, str, str], None] = OrderedDict()

    def see(self, exchange: Exchange) -> None:
        """One more exchange."""
        request, response = exchange.request, exchange.response
        if exchange.drafted or response is None or why_not(exchange) or not is_taken(response):
            return
        named = [*named_objects(request), *named_fields(request)]
        uses = self._used(request, named)
        gone = self._deleted(exchange, uses)
        if uses:
            self._keep(request, uses, gone)
        if gone is not None:
            self._close(gone, request.method.upper())
            return
        creation = creation_of(exchange)
        fresh = self._fresh(request, creation) if creation is not None else None
        if fresh is not None and len(self.things) < MOST_CREATIONS:
            self._begin(exchange, fresh)
        self._show(request, response)

    def _used(self, request: Request, named: list[Named]) -> list[Use]:
        uses: list[Use] = []
        for each in named:
            found = ((thing, thing.creation.place_of(request, each)) for thing in self._known(request, each.value))
            thing, place = next((both for both in found if both[1]), (None, ()))
            if thing is not None and all(use.point != each.point for use in uses):
                is_last = each.point[0] == "path" and not _below(request, each.point)
                uses.append(Use(each.point, each.value, thing, place, _is_within(each, named), is_last))
        return uses

    def _known(self, request: Request, value: str) -> list[Thing]:
        """The things that are there and have this identifier, the newest first."""
        return self._open.get((request.origin, value), [])[::-1]

    @staticmethod
    def _deleted(exchange: Exchange, uses: list[Use]) -> Thing | None:
        """Which of the things that it names a request has deleted: the innermost, and nothing that stands below it."""
        request, response = exchange.request, exchange.response
        if not uses or response is None or destroys(request) != "deletes" or tells_failure(text_of(response)):
            return None
        in_path = [use for use in uses if use.point[0] == "path"]
        if not in_path:
            return uses[-1].thing
        use = in_path[-1]
        # Of `POST /loads/10/delete` the last word says what is done.
        says_so = request.method.upper() != "DELETE" and len(_below(request, use.point)) == 1
        return use.thing if not use.is_within and (use.is_last or says_so) else None

    def _keep(self, request: Request, uses: list[Use], gone: Thing | None) -> None:
        if len(self.uses) < MOST_USES or request in self.uses:
            known = self.uses.setdefault(request, [])
            known += [use for use in uses if all(other.point != use.point for other in known)]
        for use in uses:
            if use.thing is not gone and request not in use.thing.uses:
                use.thing.uses.append(request)

    def _close(self, thing: Thing, method: str) -> None:
        thing.deleted = method
        for leaf in thing.creation.told:
            key = thing.exchange.request.origin, leaf.value
            self._open[key] = [each for each in self._open.get(key, ()) if each is not thing]
            self._shown.pop(self._key(key[0], thing.creation.kind, leaf.value), None)

    def _fresh(self, request: Request, creation: Creation) -> Creation | None:
        """Without what was shown before, or is known: a search that is asked by POST names such, and so does what changes an object."""
        told = tuple(
            leaf
            for leaf in creation.told
            if self._key(request.origin, creation.kind, leaf.value) not in self._shown
            and all(self._is_another(thing, creation, leaf.value) for thing in self._known(request, leaf.value))
        )
        return creation._replace(told=told) if told else None

    def _begin(self, exchange: Exchange, creation: Creation) -> None:
        thing = Thing(exchange, creation)
        self.things.append(thing)
        for leaf in creation.told:
            self._open.setdefault((exchange.request.origin, leaf.value), []).append(thing)

    def _show(self, request: Request, response: Response) -> None:
        for kind, value in shown_by(request, response):
            self._shown[self._key(request.origin, kind, value)] = None
        while len(self._shown) > MOST_SHOWN:
            self._shown.popitem(last=False)

    @staticmethod
    def _is_another(thing: Thing, creation: Creation, value: str) -> bool:
        return not is_long(value) and thing.creation.kind != creation.kind

    @staticmethod
    def _key(origin: str, kind: str, value: str) -> tuple[str, str, str]:
        return origin, "" if is_long(value) else kind, value


def _below(request: Request, point: Point) -> list[str]:
    """The segments of the path behind one of them."""
    segments = request.path.decode("latin-1").rstrip("/").lstrip("/").split("/")
    return segments[int(point[1]) + 1 :]


def _is_within(named: Named, every: list[Named]) -> bool:
    """Whether an object of the path is only what another stands in."""
    behind = every[every.index(named) + 1 :]
    return named.point[0] == "path" and any(each.point[0] == "path" and each.sure for each in behind)
