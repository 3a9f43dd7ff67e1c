"""Users told apart by their own lists (`GET /orders`, a call of `orders.list`): two callers whose lists share nothing
are two users.

A key that replaces an old one of the same user shows the same objects, so it is told apart from nobody by this. One list alone
that has nothing in common with the other may be news that moved on: its objects must name one owner each, or another
list must tell as much.
"""

import re
from collections.abc import Iterable
from itertools import islice
from typing import Any

import msgspec
import orjson

from gatecrash.core.inventory.identifiers import look_in_path
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.statuses import FIRST_REDIRECT
from gatecrash.core.testing.authorization.callers.oneself import OPENED, OWNED, SETS, TENANT, WROTE
from gatecrash.core.testing.authorization.fields.set_by_users import set_by
from gatecrash.core.testing.authorization.objects.answered_objects import IDENTIFIERS, Object
from gatecrash.core.testing.authorization.owners.lists_of_kind import chooses
from gatecrash.core.testing.authorization.owners.owner_words import called_apart, references
from gatecrash.core.testing.authorization.owners.ownership import names_of_owner
from gatecrash.core.testing.effects.destruction import deletes
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.operations.questions import is_question, without_number
from gatecrash.core.testing.oracles.body import content_of, media_type, text_of
from gatecrash.core.testing.oracles.outcomes.refused import is_taken

_MOST_ADDRESSES = 40
_MOST_OBJECTS = 200
_MOST_OPENED, _MOST_SET = 16, 12
_MOST_WRITTEN, _MOST_TOGETHER = 200, 8
_LEAST_ADDRESSES = 2
# What stands in addresses in the place of a number, or is all that objects go by.
_CALLED = ("slug",)
# Lists of what people belong to, as `TENANT_FIELD` calls one of it.
_OF_TENANTS = re.compile(
    rb"/(?:my[-_]?)?(?:tenant|organi[sz]ation|org|compan(?:y|ie)|firm|business(?:e)?|enterprise|workspace)s(?:/(?:mine|my))?/?$",
    re.IGNORECASE,
)


class _Shown(msgspec.Struct):
    """What one user was shown at an address. called: what its objects go by, a word of addresses too. refers: what every
    object there refers to alike, by field. steady: no two answers to him had nothing in common.
    """

    identifiers: frozenset[str]
    owners: frozenset[tuple[str, str]]
    refers: frozenset[tuple[str, str]] = frozenset()
    steady: bool = True
    called: frozenset[str] = frozenset()


class OwnData(msgspec.Struct):
    """What one user of a record was shown, by address and by what is called there. opened: what lists of his choice, or of
    somebody's, led him to (`told of /mail/922`). sets: what he set of things that only the application sets elsewhere (`sets trips.paid`).
    wrote: at which addresses he changed something.
    """

    shown: dict[bytes, _Shown] = msgspec.field(default_factory=dict)
    opened: set[str] = msgspec.field(default_factory=set)
    sets: set[str] = msgspec.field(default_factory=set)
    led_to: dict[tuple[str, str], str] = msgspec.field(default_factory=dict)
    wrote: set[str] = msgspec.field(default_factory=set)

    def see(self, exchange: Exchange) -> None:
        """One more exchange of his."""
        request, response = exchange.request, exchange.response
        changed = response is not None and not is_safe(request) and is_taken(response)
        # What two have deleted at one address were two things: the number was given again.
        if changed and not deletes(request) and len(self.wrote) < _MOST_WRITTEN:
            self.wrote.add(f"{WROTE}{request.method.upper()} {request.path.decode('latin-1')}")
        if response is None or response.status >= FIRST_REDIRECT or response.truncated:
            return
        if request.method.upper() == "GET":
            self._follow(request, response)
        elif len(self.sets) < _MOST_SET:
            self.sets |= {f"{SETS}{field}" for field in set_by(request)}
        asked = _asked(request)
        if not asked or b"session" in asked.lower():
            return
        before = self.shown.get(asked)
        now = _shown(response) if before is not None or len(self.shown) < _MOST_ADDRESSES else None
        if now is not None:
            self.shown[asked] = now if before is None else _both(before, now)

    def _follow(self, request: Request, response: Response) -> None:
        """He was shown a list, or opened what one other than that right above it showed him."""
        path = request.path.decode("latin-1").rstrip("/")
        above, _, identifier = path.rpartition("/")
        word = above.rpartition("/")[2]
        if self.led_to.get((word, identifier), above) != above and len(self.opened) < _MOST_OPENED:
            self.opened.add(OPENED + path)
        if len(self.led_to) < _MOST_OBJECTS:
            kind, chosen = path.rpartition("/")[2], f"{path}?" if chooses(request) else path
            self.led_to |= {(kind, each): chosen for each in _listed(response, kind)}

    def differs_from(self, other: "OwnData") -> bool:
        """Whether the two are surely of two users."""
        return bool(self.owners_beside(other)) or len(self._apart(other)) >= _LEAST_ADDRESSES

    def owners_beside(
        self, other: "OwnData", called: Iterable[str] = (), other_called: Iterable[str] = ()
    ) -> frozenset[str]:
        """What the owner of all that this user was shown is called where the other's objects name another, and by which field
        (`owned by user_id=7`); in lower case.

        called, other_called: what each of the two is called, by which other words for owners are known.
        """
        pairs = [pair for mine, theirs in self._apart(other) for pair in _named_apart(mine.owners, theirs.owners)]
        for mine, theirs in self._apart(other):
            pairs += called_apart(mine.refers, theirs.refers, called, other_called)
        return frozenset(told for name, value in pairs for told in (value, f"{OWNED}{name.lower()}={value}"))

    def tenants_beside(self, other: "OwnData") -> frozenset[str]:
        """The tenants that this user belongs to (`tenant=acme`): those of a list that shows the other none of them (`/orgs`)."""
        own = [
            self.shown[address]
            for address, theirs in other.shown.items()
            if address in self.shown
            and _OF_TENANTS.search(address)
            and self.shown[address].called.isdisjoint(theirs.called)
        ]
        return frozenset(islice((TENANT + word for each in own for word in sorted(each.called)), _MOST_TOGETHER))

    def written_as(self, other: "OwnData") -> frozenset[str]:
        """The addresses that name something at which this user changed something as the other did; a few of them."""
        return frozenset(islice(sorted(filter(_names_one, self.wrote & other.wrote)), _MOST_TOGETHER))

    def _apart(self, other: "OwnData") -> list[tuple[_Shown, _Shown]]:
        """What the two were shown at one address where they share nothing."""
        both = [(mine, other.shown[address]) for address, mine in self.shown.items() if address in other.shown]
        return [
            (mine, theirs)
            for mine, theirs in both
            if mine.steady and theirs.steady and mine.identifiers.isdisjoint(theirs.identifiers)
        ]


def lists_tenants(request: Request) -> bool:
    """Whether a request asks for the tenants that its sender may belong to, without choosing any: `GET /orgs`."""
    return request.method.upper() == "GET" and request.query is None and _OF_TENANTS.search(request.path) is not None


def _names_one(wrote: str) -> bool:
    """Whether any part of an address is an identifier."""
    return any(map(look_in_path, wrote.partition("/")[2].split("/")))


def _asked(request: Request) -> bytes:
    """The name of what a request reads where it chooses nothing itself: its path, for a called function with the rest of the call.

    Empty for a request that chooses or changes something.
    """
    if request.query is not None:
        return b""
    if request.method.upper() == "GET":
        return request.path
    return request.path + without_number(request) if is_question(request) and not chooses(request) else b""


def _both(before: _Shown, now: _Shown) -> _Shown:
    """Of two answers to one user: what he made in between is his, too."""
    return _Shown(
        before.identifiers | now.identifiers,
        before.owners | now.owners,
        before.refers & now.refers,
        before.steady and not before.identifiers.isdisjoint(now.identifiers),
        before.called | now.called,
    )


def _named_apart(mine: frozenset[tuple[str, str]], theirs: frozenset[tuple[str, str]]) -> list[tuple[str, str]]:
    """The one owner, with the field, that all objects of the one name in a field in which all those of the other name another."""
    one, other = _single(mine), _single(theirs)
    return [(name, one[name]) for name in one.keys() & other.keys() if one[name] != other[name]]


def _single(owners: frozenset[tuple[str, str]]) -> dict[str, str]:
    names = [name for name, _ in owners]
    return {name: value for name, value in owners if names.count(name) == 1}


def _shown(response: Response) -> _Shown | None:
    """The objects of a JSON answer by their identifiers, and who they say that they belong to; None where there are none."""
    if "json" not in media_type(response):
        return None
    try:
        document = orjson.loads(content_of(response) or b"")
    except orjson.JSONDecodeError:
        return None
    # The number of a call (JSON-RPC 2.0, section 5) is nothing that it shows.
    called = isinstance(document, dict) and "jsonrpc" in document
    found = _outermost(document.get("result") if called else document)
    identifiers = frozenset(_identifier(each) for each in found)
    owners = frozenset(pair for each in found for pair in names_of_owner(each))
    if not identifiers:
        return None
    words = frozenset(word.lower() for each in found for name in _CALLED if isinstance(word := each.get(name), str))
    return _Shown(identifiers, owners, frozenset.intersection(*map(references, found)), called=identifiers | words)


def _listed(response: Response, kind: str) -> Iterable[str]:
    """The identifiers of what a list shows: of its objects, or of the links of a page to things of its kind (`/gifts/7`)."""
    if media_type(response) != "text/html":
        shown = _shown(response)
        return shown.identifiers if shown is not None else ()
    links = re.finditer(rf"/{re.escape(kind)}/([\w-]{{1,64}})(?![\w-])", text_of(response)) if kind else ()
    return (each[1] for each in islice(links, _MOST_OBJECTS))


def _outermost(document: Any) -> list[Object]:
    """The objects with an identifier, and not those within them. The whole answer is none where it holds others: it may be
    counted itself.
    """
    found: list[Object] = []
    todo: list[Any] = [document]
    while todo and len(found) < _MOST_OBJECTS:
        here = todo.pop()
        if isinstance(here, dict) and here is not document and _identifier(here):
            found.append(here)
        elif isinstance(here, dict | list):
            todo += here.values() if isinstance(here, dict) else here[:_MOST_OBJECTS]
    alone = isinstance(document, dict) and not found and _identifier(document)
    return [document] if alone else found


def _identifier(shown: Object) -> str:
    values = (shown.get(name) for name in (*IDENTIFIERS, *_CALLED))
    return next((str(value) for value in values if isinstance(value, str | int) and not isinstance(value, bool)), "")
