"""Values that name things on the target, learned from its answers: a list's identifiers, and those of what was created.

`GET /items` teaches what may stand for `{item_id}` in `/items/{item_id}`; so does the answer of `POST /items`, and its Location, and
the request itself where its body says what the new thing is called. A name met anywhere (`owner_id`, or whatever a draft's path asks
for: `username`) stands for a parameter or a body's field of that name where no path teaches better, and what one was filled with for
another of its name. Requests that change something take what was created here before what was there already. What a safe request asks
by is taken from a row of the nearest list. What names an account is the one who is signed in, where the application says who he is.
"""

import re
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Set
from itertools import chain
from typing import Any
from urllib.parse import unquote, urlsplit

import msgspec

from gatecrash.core.errors import GatecrashError
from gatecrash.core.inventory.identifiers import singular
from gatecrash.core.message import Request, Response
from gatecrash.core.point import Point
from gatecrash.core.points.found import Found
from gatecrash.core.points.rewrite import rewrite
from gatecrash.core.points.walk import read, walk
from gatecrash.core.statuses import CREATED
from gatecrash.core.testing.authorization.openness.access import may_be_repeated
from gatecrash.core.testing.authorization.ranks.ranked_functions import raises_accounts
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.operations.graphql import words_of
from gatecrash.core.words.names import plain
from gatecrash.formats.draft import Draft, Hole, Taught, names_a_thing
from gatecrash.node.scan.accounts.oneself import Oneself
from gatecrash.node.scan.drafts.called_things import made_by_call
from gatecrash.node.scan.drafts.filters import asked_at, asked_for
from gatecrash.node.scan.drafts.fitting import fitting, is_uuid, names_told_by
from gatecrash.node.scan.drafts.listed_rows import MOST_OF_A_LIST, json_in, rows_of, things_of, told_of
from gatecrash.node.scan.drafts.path_things import (
    NAMING,
    WRAPPING,
    numbers,
    singular_at,
    thing_at,
    thing_told,
    values_naming,
)
from gatecrash.node.scan.drafts.shown_again import is_scalar, shown_again
from gatecrash.node.scan.drafts.told_addresses import LedTo, addresses_in

MOST_OF_A_NAME = 20
_IDS = 4  # of the members that name a thing those that do nothing else
LEAST_ALIKE, DEEPEST = 4, 4

# Those of them that whoever makes a thing chooses himself.
_GIVEN = frozenset({"code", "key", "name", "slug"})

# Steps of a body's point that name no member.
_STEPS = frozenset({"post", "json_doc", "json_obj", "json_array", "form_urlencoded", "0"})

ACCOUNTS = re.compile(r"users?|accounts?|members?|profiles?", re.IGNORECASE)

_NONE: Set[str] = frozenset()
Path = tuple[str, ...]
Scalar = str | int
Named = defaultdict[str, list[Scalar]]


class KnownValues:
    """What the answers of one run taught so far."""

    def __init__(
        self, wanted: Iterable[str] = (), accounts: Iterable[Path] = (), oneself: Oneself | None = None
    ) -> None:
        """Nothing is known yet. wanted: names that are worth noting wherever they are met, as drafts' paths ask for
        them. accounts: where accounts are made. oneself: who is signed in, where something is known of him.
        """
        self._accounts = frozenset(accounts)
        self._wanted = frozenset(map(plain, wanted)) - frozenset(NAMING)
        self._rows: defaultdict[Path, list[Any]] = defaultdict(list)
        self._listed: defaultdict[Path, list[list[Any]]] = defaultdict(list)
        self._created: defaultdict[Path, list[list[Any]]] = defaultdict(list)
        self._linked: defaultdict[Path, deque[list[Any]]] = defaultdict(lambda: deque(maxlen=MOST_OF_A_LIST))
        self._led_to = LedTo()
        self._by_name: Named = defaultdict(list)
        self._made_by_name: Named = defaultdict(list)
        self._oneself = oneself or Oneself()
        self._filled: dict[str, Scalar] = {}
        self._posted: defaultdict[Path, set[str]] = defaultdict(set)
        self._listed_before: defaultdict[Path, set[Scalar | None]] = defaultdict(set)

    def learn(self, request: Request, response: Response, thing: str = "") -> None:
        """Take what a good answer names. thing: what it is about, where the path does not say so."""
        if not 200 <= response.status < 400:
            return
        self._oneself.learn(request, response)
        path = segments(request)
        creating = request.method.upper() == "POST" and not may_be_repeated(request)
        if creating:
            self._posted[path] |= {text for each in walk(request).points if (text := _text(each))}
        body = json_in(response)
        if not creating and body is not None:
            self._find_made(path, rows_of(body))
        location = response.first(b"Location")
        if creating and location is not None:
            behind = _segments(urlsplit(location.decode("latin-1")).path)
            if len(behind) > 1 and behind[-1]:
                self._created[behind[:-1]].append([behind[-1]])
        said = self._said(request) if creating else {}
        if body is None:
            if said:
                self._created[path].append([said])
            return
        self._follow(body, creating=creating)
        into = self._created if creating else self._listed
        if len(into[path]) < MOST_OF_A_LIST:
            into[path].append([*things_of(body), *([said] if said else [])])
        if not creating:
            shown = self._rows[asked_at(segments(request), request)]
            shown += rows_of(body)[: MOST_OF_A_LIST - len(shown)]
        made, told_here = made_by_call(request, body)
        about = thing or made or thing_told(path, body)
        # RFC 9110, 15.3.2: what a PUT below a thing adds to it, as `/goods/7/reviews` does, was made as well.
        makes = creating or response.status == CREATED
        sent = {one.value.decode("utf-8", "replace") for one in walk(request).points} if makes else _NONE
        for told in told_of(body) if thing else [told_here]:
            if makes:
                self._names(told, about, 0, self._made_by_name, sent)
            self._names(told, about, 0)
            self._oneself.meet(told, about)

    def keep(self, taught: Iterable[Taught], response: Response) -> None:
        """Take what whoever saved a request keeps of its good answer, before what is called so elsewhere."""
        body = json_in(response) if taught and 200 <= response.status < 400 else None
        for each in taught:
            value, values = each.value_in(body), self._by_name[plain(each.name)]
            if value is not None:
                values[:] = [value, *(other for other in values if other != value)][:MOST_OF_A_NAME]

    def _follow(self, body: Any, *, creating: bool) -> None:
        """Take what the addresses in an answer name: none of it was made here, as an order's answer leads to its
        customer.
        """
        for told in addresses_in(body):
            if told.above:
                self._linked[told.above].append([told.last])
            self._led_to.learn(told, creating=creating)
            for name, value in told.named:
                if names_a_thing(name) or plain(name) in self._wanted:
                    _note(self._by_name[plain(name)], value)

    def filled(self, draft: Draft, *, again: bool = False, own: bool = False) -> Draft:
        """The draft with better values in its holes; itself where none is known. again: those that were shown, too. own: what
        was created here before what was there, for safe requests too, and before what the document shows.
        """
        request = draft.request
        safe = may_be_repeated(request)
        for hole in sorted(draft.holes, key=lambda hole: hole.point):
            if hole.loose or (hole.given and not (again or own)):
                continue
            known = self._candidates(hole, draft, request, created_first=own or not safe)
            # The newest account may be anybody's: one's own is what others can be asked for.
            if hole.given and not again and self._own(hole, draft, request) is None:
                known = self._created_at(hole, request) if safe else self._created_anywhere(hole, request)
                known = chain(known, self._led_to.at(segments(request), hole, creating=True)) if safe else known
            elsewhere = self._filled.get(hole.name) if safe and plain(hole.name) not in NAMING else None
            value = next(fitting(hole, known), elsewhere)
            if value is not None:
                self._filled[hole.name] = value
                request = _written(request, hole, str(value))
        request = self._asking(draft.holes, request, own=own) if safe else request
        return draft if request is draft.request else msgspec.structs.replace(draft, request=request)

    def _said(self, request: Request) -> dict[str, str]:
        """What the body of a creating request calls the new thing, by the names that paths ask for."""
        found = [one for one in walk(request).points if one.point[0] == "post" and not one.container and one.value]
        about = thing_at(segments(request))
        said = {plain(one.point[-1]): one.value.decode("utf-8", "replace") for one in found}
        named = {about + name: value for name, value in said.items() if name in _GIVEN}
        bare = {name.removeprefix(about): value for name, value in said.items() if about}
        return {name: value for name, value in (bare | named | said).items() if name in self._wanted}

    def _created_at(self, hole: Hole, request: Request) -> Iterator[Scalar]:
        """What names the things that were created at the path before the hole, or are called as the query does; the newest first."""
        if hole.point[0] == "path":
            path = segments(request)[: int(hole.point[1])]
            for told in reversed(self._created[path]):
                yield from values_naming(told, hole.name, singular_at(path))
        elif hole.point[0] == "get" and plain(hole.name) not in NAMING:
            yield from reversed(self._made_by_name[plain(hole.name)])

    def _created_anywhere(self, hole: Hole, request: Request) -> Iterator[Scalar]:
        """The same, and then what was created at other paths for such things: an example's own number is somebody's."""
        yield from self._created_at(hole, request)
        path = segments(request)[: int(hole.point[1])] if hole.point[0] == "path" else ()
        for told in self._created_as(path):
            yield from values_naming(told, hole.name, singular_at(path))

    def _created_as(self, path: Path) -> Iterator[list[Any]]:
        """What was created at other paths that end in the same word: who is deleted at `/staff/members` joined at `/members`, or
        wherever accounts are made. What was there before is somebody's.
        """
        of_accounts = bool(path) and ACCOUNTS.fullmatch(path[-1]) is not None
        for other, things in self._created.items():
            joined = of_accounts and other in self._accounts
            if path and other != path and (other[-1:] == path[-1:] or joined):
                yield from reversed(things)

    def lists(self, request: Request) -> bool:
        """Whether the address of a request has shown rows."""
        return bool(self._rows.get(asked_at(segments(request), request)))

    def names(self, draft: Draft) -> bool:
        """Whether the values in all holes of the draft name something, as answers tell."""
        naming = [hole for hole in draft.holes if not hole.loose]
        return bool(naming) and all(self.knows(draft, hole) for hole in naming)

    def _find_made(self, path: Path, rows: list[Any]) -> None:
        """Of what a list shows since something was made there, and did not before, what says what was sent is that."""
        named = {next(values_naming([row], "id", singular_at(path)), None): row for row in rows}
        if path not in self._posted:
            self._listed_before[path] |= named.keys()
            told = [each for things in self._created.values() for told in things for each in told]
            self._created[path] += [[row] for row in shown_again(rows, told) if [row] not in self._created[path]]
        elif path in self._listed_before:
            fresh = [named[name] for name in named.keys() - self._listed_before[path] - {None}]
            self._created[path] += [[row] for row in fresh if not self._posted[path].isdisjoint(map(str, row.values()))]

    def made(self, draft: Draft) -> bool:
        """Whether the innermost of what a draft names was made here, or what there is one of at its address."""
        path = segments(draft.request)
        # All that is called by a name has one address, which is no thing's.
        is_a_things = path in self._posted and singular_at(path) == plain(path[-1])
        if is_a_things and not words_of(draft.request):
            return True
        naming = [hole for hole in draft.holes if not hole.loose]
        in_path = [hole for hole in naming if hole.point[0] == "path"]
        innermost = [max(in_path, key=lambda hole: int(hole.point[1]))] if in_path else naming
        return bool(naming) and all(self.was_made(hole, draft) for hole in innermost)

    def was_made(self, hole: Hole, draft: Draft) -> bool:
        request, name = draft.request, plain(hole.name)
        path = segments(request)[: int(hole.point[1])] if hole.point[0] == "path" else ()
        thing = singular_at(path)
        made = [*self._created_anywhere(hole, request), *self._made_by_name.get(thing + name, ())]
        made += [] if name in NAMING else self._made_by_name.get(name, ())
        # Whoever is signed in has an account that was made for the tests, where some are made at all.
        own = self._own(hole, draft, request) if self._accounts else None
        made += [] if own is None else [own]
        return read(request, hole.point) in {str(one).encode("utf-8", "surrogatepass") for one in made}

    def _asking(self, holes: Iterable[Hole], request: Request, *, own: bool) -> Request:
        """The request with filters that the nearest list answers: at its own path, or at one above it. own: by oneself first."""
        path = asked_at(segments(request), request)
        rows = next((rows for end in range(len(path), 0, -1) if (rows := self._rows.get(path[:end]))), [])
        values = {hole.name: (read(request, hole.point) or b"").decode("utf-8", "replace") for hole in holes}
        mine = self._oneself.filters(holes) if own else {}
        for hole, value in (asked_for(holes, rows, values) | mine).items():
            request = _written(request, hole, value)
        return request

    def knows(self, draft: Draft, hole: Hole) -> bool:
        known = fitting(hole, self._candidates(hole, draft, draft.request, created_first=False))
        return read(draft.request, hole.point) in {str(one).encode("utf-8", "surrogatepass") for one in known}

    def _own(self, hole: Hole, draft: Draft, request: Request) -> Scalar | None:
        """What the sender is called there. Whoever is tested may do no more than others: another that was made is raised instead."""
        if raises_accounts(request) and next(self._created_anywhere(hole, request), None) is not None:
            return None
        path = segments(request)[: int(hole.point[1])] if hole.point[0] == "path" else ()
        own = self._oneself.value_of(hole, draft, singular_at(path), joined=path in self._accounts)
        return own if own is not None else self._oneself.asked_of(hole, draft)

    def _candidates(self, hole: Hole, draft: Draft, request: Request, *, created_first: bool) -> Iterator[Scalar]:
        place = int(hole.point[1]) if hole.point[0] == "path" else 0
        path = segments(request)[:place]
        own = self._own(hole, draft, request)
        if own is not None:
            yield own
        if hole.point[0] == "path":
            # The newest of what was created is the likeliest to be there still.
            stores = [reversed(self._created[path]), iter(self._listed[path])]
            if not is_safe(request):
                stores.insert(1, self._created_as(path))
            for store in (*(stores if created_first else reversed(stores)), self._linked[path]):
                for told in store:
                    yield from values_naming(told, hole.name, singular_at(path))
            if plain(hole.name) in NAMING:
                yield from self._named(singular_at(path) + plain(hole.name), created_first=created_first)
                yield from self._called_otherwise(hole, request, singular_at(path))
            elif plain(hole.name) == singular_at(path):  # `/vans/{van}` by what others call `van_id`
                for key in NAMING[:_IDS]:
                    yield from self._named(plain(hole.name) + key, created_first=created_first)
        yield from self._led_to.at(segments(request), hole)
        if plain(hole.name) not in NAMING:
            yield from self._named(plain(hole.name), created_first=created_first)
            yield from self._alike(plain(hole.name))
        elif hole.point[0] == "post":
            yield from self._of_body(hole, draft, request)

    def _named(self, name: str, *, created_first: bool) -> Iterator[Scalar]:
        yield from reversed(self._made_by_name[name]) if created_first else ()
        stores = [self._created, self._listed] if created_first else [self._listed]
        for path, things in chain.from_iterable(store.items() for store in stores):
            if numbers(name, singular_at(path)):  # others mention things that the caller's own list does not have
                for told in things:
                    yield from values_naming(told, name, singular_at(path))
        yield from self._by_name[name]

    def _called_otherwise(self, hole: Hole, request: Request, thing: str) -> Iterator[Scalar]:
        """For `/cars/{uuid}` what others call `car_id`, where it is a UUID as the one that was asked by, which no other thing has."""
        if is_uuid((read(request, hole.point) or b"").decode("latin-1")):
            names = (thing + key for key in NAMING[:_IDS] if key != plain(hole.name))
            yield from (each for name in names for each in self._by_name[name] if is_uuid(str(each)))

    def _alike(self, name: str) -> Iterator[Scalar]:
        """For a name that no answer has, what is named nearly so: `menu_item_id` is the `id` of what `/menu` lists, and what
        `/track-order` is asked for an order's.
        """
        stem = name.removesuffix("id")
        if self._by_name.get(name) or stem == name:
            return
        for known, values in list(self._by_name.items()):
            thing = known.removesuffix("id")
            if thing != known and len(thing) >= LEAST_ALIKE and (stem.startswith(thing) or stem.endswith(thing)):
                yield from values

    def _of_body(self, hole: Hole, draft: Draft, request: Request) -> Iterator[Scalar]:
        """For a body's `id`: of what holds it; at the top the thing at the address, where there is one to be changed, or one of
        the list there, else of what is done something to (`/notes/archive`), or with several (`/batch/notes` with `ids`).
        """
        holder = next((step for step in reversed(hole.point[:-1]) if step not in _STEPS), "")
        path = segments(request)
        several = singular(plain(holder)) == plain(hole.name)
        if holder and not several:
            yield from self._by_name[singular_at((holder,)) + plain(hole.name)]
        elif request.method.upper() in ("PUT", "PATCH"):
            at_its_end = Point(("path", str(len(path) - 1)))
            yield from path[-1:] if any(other.point == at_its_end for other in draft.holes) else ()
            if singular_at(path) != plain(path[-1]):
                yield from self._named(singular_at(path) + plain(hole.name), created_first=True)
        elif several or singular_at(path) == plain(path[-1]):
            for word in reversed(path):
                yield from self._named(singular_at((word,)) + plain(hole.name), created_first=True)

    def _names(self, value: Any, thing: str, depth: int, into: Named | None = None, sent: Set[str] = _NONE) -> None:
        """Note every member that names something: by its own name, and `id` by what has it. into: of what was made, where what
        was shown before is none, nor what was sent and stands within (`post {id}` of a new comment).
        """
        if depth > DEEPEST:
            return
        if isinstance(value, list):
            for one in value[:MOST_OF_A_LIST]:
                self._names(one, thing, depth + 1, into, sent)
        elif isinstance(value, dict):
            for name, one in value.items():
                if is_scalar(one) and (names_a_thing(name) or plain(name) in self._wanted):
                    called = plain(name) if plain(name) not in NAMING else thing + plain(name)
                    for each in (called, *names_told_by(one, called)):
                        if into is None or not (one in self._by_name[each] or (depth and str(one) in sent)):
                            _note((self._by_name if into is None else into)[each], one)
                elif isinstance(one, dict | list):
                    inside = thing if plain(name) in WRAPPING else singular(plain(name))
                    self._names(one, inside, depth + 1, into, sent)


def _text(found: Found) -> str:
    """A text that a body holds, long enough to tell something by it; empty for none."""
    text = found.value.decode("utf-8", "replace") if found.point[0] == "post" and not found.container else ""
    return text if len(text) >= LEAST_ALIKE and not text.isdigit() else ""


def _note(values: list[Scalar], value: Scalar) -> None:
    if len(values) < MOST_OF_A_NAME:
        values.append(value)


def segments(request: Request) -> Path:
    """The decoded segments of a request's path."""
    return _segments(request.path.decode("latin-1"))


def _segments(path: str) -> Path:
    return tuple(unquote(segment) for segment in path.strip("/").split("/"))


def _written(request: Request, hole: Hole, value: str) -> Request:
    """The request with the value in the hole; itself where it holds that value already, or cannot."""
    encoded = value.encode("utf-8", "surrogatepass")
    try:
        if read(request, hole.point) == encoded:
            return request
        return rewrite(request, hole.point, encoded)
    except GatecrashError:
        return request
