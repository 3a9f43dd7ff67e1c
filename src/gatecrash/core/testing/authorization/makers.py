"""Requests of a run that make objects, so that one may be made anew: what is deleted in a test is what the test made itself.

makers = Makers()
makers.see(exchange)            for each exchange of the run
makers.of(request)              those that made the object which a request names, or one of its kind
made.identifier(response)       which object another answer to the same says that it made
"""

from collections import OrderedDict
from typing import NamedTuple

import msgspec

from gatecrash.core.message import Exchange, Headers, Request, Response
from gatecrash.core.testing.authorization.leaves import Leaf, leaves
from gatecrash.core.testing.authorization.objects import named_fields, named_objects, only_reads
from gatecrash.core.testing.operations import words_of
from gatecrash.core.testing.oracles.refused import refusal
from gatecrash.core.testing.ordering import destroys

MOST_KEPT = 200
# Those that make something say what in a few words.
_LARGEST = 8_000
_LARGEST_SENT = 64_000
_FIRST_ERROR = 300
_MOST_ABOVE = 4
_IDENTIFIERS = ("id", "uuid", "guid", "_id", "uid", "number", "slug", "key", "name")


class Made(NamedTuple):
    """A request that made an object, without what says who sent it. path: the names that lead to its identifier in the answer.

    was: which object it made when it was recorded.
    """

    request: Request
    path: tuple[str, ...]
    was: str = ""

    def identifier(self, response: Response) -> str:
        """Which object an answer says that it made; empty where it says none, or what it said before: that is no new one."""
        if response.status >= _FIRST_ERROR or refusal(response) is not None:
            return ""
        told = next((leaf.value for leaf in leaves(response) if leaf.path == self.path), "")
        return told if told != self.was else ""


class Makers:
    """The requests of one run that made something, newest last, a bounded number."""

    def __init__(self) -> None:
        """Begin with none."""
        self._known: OrderedDict[tuple[str, int, bytes, bytes], tuple[Request, Response]] = OrderedDict()

    def see(self, exchange: Exchange) -> bool:
        """Keep a POST that was answered well and shortly, and destroys nothing; whether it was not known before."""
        request, response = exchange.request, exchange.response
        if (
            response is None
            or request.method.upper() != "POST"
            or len(response.body) > _LARGEST
            or len(request.body) > _LARGEST_SENT
        ):
            return False
        if response.status >= _FIRST_ERROR or refusal(response) is not None or destroys(request) or only_reads(request):
            return False
        place = (request.host, request.port, request.target, request.body)
        is_new = place not in self._known
        self._known[place] = (_bare(request), response)
        if len(self._known) > MOST_KEPT:
            self._known.popitem(last=False)
        return is_new

    def of(self, request: Request) -> tuple[Made, ...]:
        """Those whose answer holds an identifier that the request names, first; then those at the list that it stands in."""
        named = [*named_objects(request), *named_fields(request)]
        values, lists = {each.value for each in named}, {each.collection for each in named if each.collection}
        same: list[Made] = []
        alike: list[Made] = []
        for (host, port, *_), (asked, response) in reversed(self._known.items()):
            if (host, port) != (request.host, request.port):
                continue
            told = [leaf for leaf in leaves(response) if leaf.path and len(leaf.path) <= _MOST_ABOVE]
            exact = _naming(told, values - _above(asked))
            if exact is not None:
                same.append(Made(asked, exact.path, exact.value))
            elif asked.path in lists or _is_contrary(asked, request):
                places = {leaf.path[-1]: leaf for leaf in reversed(told)}
                found = next((places[name] for name in _IDENTIFIERS if name in places), None)
                alike += [Made(asked, found.path, found.value)] if found else []
        return (*same, *alike)


def _naming(told: list[Leaf], values: set[str]) -> Leaf | None:
    """Which of an answer's leaves names what was made: the one that is called an identifier, before any other."""
    found = [leaf for leaf in told if leaf.value in values]
    return next((leaf for leaf in found if leaf.path[-1].lower() in _IDENTIFIERS), found[0] if found else None)


def _above(asked: Request) -> set[str]:
    """What the address of a request names is there before it makes something: the tenant of `/orgs/4/docks`."""
    return set(asked.path.decode("latin-1").split("/"))


def _is_contrary(asked: Request, request: Request) -> bool:
    """Whether an operation of GraphQL makes what another deletes: `createCard` and `deleteCard`."""
    made, gone = words_of(asked), words_of(request)
    return len(made) > 1 and made[1:] == gone[1:] and made[0] in ("create", "add", "new", "make")


def _bare(request: Request) -> Request:
    headers: Headers = tuple(pair for pair in request.headers if pair[0].lower().startswith(b"content-"))
    bare: Request = msgspec.structs.replace(request, headers=headers)
    return bare
