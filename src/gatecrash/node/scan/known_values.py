"""Values that name things on the target, learned from its answers: a list's identifiers, and those of what was created.

`GET /items` teaches what may stand for `{item_id}` in `/items/{item_id}`; so does the answer of `POST /items`, and its
Location. A name met anywhere (`owner_id`) stands for a parameter or a body's field of that name where no path teaches
better. Requests that change something take what was created here before what was there already.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import unquote, urlsplit

import msgspec
import orjson

from gatecrash.core.errors import GatecrashError
from gatecrash.core.message import Request, Response
from gatecrash.core.point import Point
from gatecrash.core.points.rewrite import rewrite
from gatecrash.core.points.walk import read
from gatecrash.core.testing.ordering import is_safe
from gatecrash.formats.draft import Draft, Hole, names_a_thing

MOST_OF_A_LIST = 5
MOST_BYTES = 1024 * 1024
MOST_OF_A_NAME = 20
DEEPEST = 4

# The members of an object that name it, after the parameter's own name.
_NAMING = ("id", "uuid", "guid", "oid", "key", "slug", "code", "name")

# Steps of a body's point that name no member.
_STEPS = frozenset({"post", "json_doc", "json_obj", "json_array", "form_urlencoded", "0"})

Path = tuple[str, ...]
Scalar = str | int


class KnownValues:
    """What the answers of one run taught so far."""

    def __init__(self) -> None:
        """Nothing is known yet."""
        self._listed: defaultdict[Path, list[Any]] = defaultdict(list)
        self._created: defaultdict[Path, list[Any]] = defaultdict(list)
        self._by_name: defaultdict[str, list[Scalar]] = defaultdict(list)

    def learn(self, request: Request, response: Response) -> None:
        """Take what a good answer names."""
        if not 200 <= response.status < 400:
            return
        path = segments(request)
        creating = request.method.upper() == "POST"
        location = response.first(b"Location")
        if creating and location is not None:
            behind = _segments(urlsplit(location.decode("latin-1")).path)
            if behind[:-1] == path and behind[-1]:
                self._created[path].append(behind[-1])
        body = _json(response)
        if body is None:
            return
        into = self._created if creating else self._listed
        for one in _things(body):
            if len(into[path]) < MOST_OF_A_LIST:
                into[path].append(one)
        self._names(body, _singular(path), 0)

    def filled(self, draft: Draft, *, again: bool = False) -> Draft:
        """The draft with better values in its holes; itself where none is known. again: those that were shown, too."""
        request = draft.request
        safe = is_safe(request)
        for hole in sorted(draft.holes, key=lambda hole: hole.point):
            if hole.given and not again:
                continue
            value = next(self._candidates(hole, draft, request, created_first=not safe), None)
            if value is not None:
                request = _written(request, hole, str(value))
        return draft if request is draft.request else msgspec.structs.replace(draft, request=request)

    def names(self, draft: Draft) -> bool:
        """Whether the values in all holes of the draft name something, as answers tell."""
        return bool(draft.holes) and all(self._knows(draft, hole) for hole in draft.holes)

    def _knows(self, draft: Draft, hole: Hole) -> bool:
        known = self._candidates(hole, draft, draft.request, created_first=False)
        return read(draft.request, hole.point) in {str(one).encode("utf-8", "surrogatepass") for one in known}

    def _candidates(self, hole: Hole, draft: Draft, request: Request, *, created_first: bool) -> Iterator[Scalar]:
        if hole.point[0] == "path":
            place = int(hole.point[1])
            path = segments(request)[:place]
            stores = (self._created, self._listed) if created_first else (self._listed, self._created)
            for store in stores:
                # The newest of what was created is the likeliest to be there still.
                things = reversed(store[path]) if store is self._created else store[path]
                for thing in things:
                    yield from _naming(thing, hole.name, _singular(path))
            if plain(hole.name) in _NAMING:
                yield from self._by_name[_singular(path) + plain(hole.name)]
        if plain(hole.name) not in _NAMING:
            yield from self._by_name[plain(hole.name)]
        elif hole.point[0] == "post":
            yield from self._of_body(hole, draft, request)

    def _of_body(self, hole: Hole, draft: Draft, request: Request) -> Iterator[Scalar]:
        """For a body's `id`: of what holds it; at the top the thing at the address, where there is one to be changed."""
        holder = next((step for step in reversed(hole.point[:-1]) if step not in _STEPS), "")
        if holder:
            yield from self._by_name[_singular((holder,)) + plain(hole.name)]
        elif request.method.upper() in ("PUT", "PATCH"):
            path = segments(request)
            at_its_end = Point(("path", str(len(path) - 1)))
            yield from path[-1:] if any(other.point == at_its_end for other in draft.holes) else ()

    def _names(self, value: Any, thing: str, depth: int) -> None:
        """Note every member that names something: by its own name, and `id` by what has it."""
        if depth > DEEPEST:
            return
        if isinstance(value, list):
            for one in value[:MOST_OF_A_LIST]:
                self._names(one, thing, depth + 1)
        elif isinstance(value, dict):
            for name, one in value.items():
                if _is_scalar(one) and names_a_thing(name):
                    self._note(plain(name) if plain(name) not in _NAMING else thing + plain(name), one)
                elif isinstance(one, dict | list):
                    self._names(one, plain(name.removesuffix("s")), depth + 1)

    def _note(self, name: str, value: Scalar) -> None:
        if len(self._by_name[name]) < MOST_OF_A_NAME:
            self._by_name[name].append(value)


def segments(request: Request) -> Path:
    """The decoded segments of a request's path."""
    return _segments(request.path.decode("latin-1"))


def plain(name: str) -> str:
    """A name without case and signs: `user_id`, `userId` and `User-ID` are one."""
    return "".join(sign for sign in name.lower() if sign.isalnum())


def _segments(path: str) -> Path:
    return tuple(unquote(segment) for segment in path.strip("/").split("/"))


def _things(body: Any) -> Iterator[Any]:
    """What an answer lists, or the one thing that it is: at its top or one member below (`{"data": […]}`)."""
    if isinstance(body, list):
        yield from body[:MOST_OF_A_LIST]
    elif isinstance(body, dict):
        lists = [one for one in body.values() if isinstance(one, list) and one and isinstance(one[0], dict)]
        for one in lists:
            yield from one[:MOST_OF_A_LIST]
        yield body
        yield from (one for one in body.values() if isinstance(one, dict))


def _naming(thing: Any, name: str, resource: str) -> Iterator[Scalar]:
    """The values in a thing that may stand for a parameter of this name."""
    if _is_scalar(thing):
        yield thing
        return
    if not isinstance(thing, dict):
        return
    members = {plain(str(key)): one for key, one in thing.items() if _is_scalar(one)}
    wanted = plain(name)
    behind = wanted.removeprefix(resource) if resource and wanted != resource else wanted
    for key in dict.fromkeys((wanted, behind, *_NAMING)):
        if key in members:
            yield members[key]


def _written(request: Request, hole: Hole, value: str) -> Request:
    """The request with the value in the hole; itself where it holds that value already, or cannot."""
    encoded = value.encode("utf-8", "surrogatepass")
    try:
        if read(request, hole.point) == encoded:
            return request
        return rewrite(request, hole.point, encoded)
    except GatecrashError:
        return request


def _singular(path: Iterable[str]) -> str:
    """What a path's last word lists, in the singular: `("users",)` lists a `user`."""
    last = plain((*path,)[-1]) if path else ""
    if last.endswith("ies"):
        return last[:-3] + "y"
    return last[:-2] if last.endswith(("sses", "xes", "ches")) else last.removesuffix("s")


def _is_scalar(value: Any) -> bool:
    return (isinstance(value, str) and 0 < len(value) <= 256) or (
        isinstance(value, int) and not isinstance(value, bool)
    )


def _json(response: Response) -> Any:
    if not response.body or len(response.body) > MOST_BYTES or response.first(b"Content-Encoding"):
        return None
    try:
        return orjson.loads(response.body)
    except orjson.JSONDecodeError:
        return None
