"""What a run's record knows of objects of a kind that a request changes: what made such ones, and what deletes them.

renewals = Renewals(makers)
renewals.see(exchange)      for each exchange of the run
renewals.of(request)        what makes one of the kind that a request changes, and what removes it again
in_path(request)            the identifier of what stands at the request's address
is_of_its_kind(request, named, maker)   whether an identifier is that of what the request changes and another makes
"""

from collections import OrderedDict
from functools import lru_cache

import msgspec

from gatecrash.core.message import Exchange, Request, unsigned
from gatecrash.core.statuses import FIRST_ERROR
from gatecrash.core.testing.authorization.objects.made import MOST_KEPT
from gatecrash.core.testing.authorization.objects.makers import Makers
from gatecrash.core.testing.authorization.objects.named import (
    list_above,
    named_fields,
    named_objects,
    only_reads,
    word_of,
)
from gatecrash.core.testing.effects.destruction import destroys
from gatecrash.core.testing.known.objects import UNKNOWN, Made, Named, Renewal
from gatecrash.core.testing.operations.graphql import words_of
from gatecrash.core.testing.operations.questions import called
from gatecrash.core.testing.oracles.outcomes.refused import refusal
from gatecrash.core.words.deeds import DELETES, MAKES

_CHANGING = ("PUT", "PATCH", "POST")
_AT_ITS_ADDRESS = ("PUT", "PATCH")
_LARGEST_SENT = 8_000


class Renewals:
    """The requests of one run that deleted one object each, newest last, a bounded number, beside those that made some."""

    def __init__(self, makers: Makers) -> None:
        """Begin with none."""
        self._makers = makers
        self._removals: OrderedDict[tuple[str, int, bytes, bytes], Request] = OrderedDict()
        self._changes: OrderedDict[tuple[str, int, bytes], Request] = OrderedDict()

    def see(self, exchange: Exchange) -> bool:
        """Keep what deleted or changed an object and was answered well; whether it was not known before."""
        request, response = exchange.request, exchange.response
        if response is None or response.status >= FIRST_ERROR or len(request.body) > _LARGEST_SENT:
            return False
        if request.method.upper() in _AT_ITS_ADDRESS and not destroys(request) and refusal(response) is None:
            self._changes[request.host, request.port, request.path] = unsigned(request)
            if len(self._changes) > MOST_KEPT:
                self._changes.popitem(last=False)
            return False
        if destroys(request) != "deletes":
            return False
        place = (request.host, request.port, request.target, request.body)
        is_new = place not in self._removals
        self._removals[place] = unsigned(request)
        if len(self._removals) > MOST_KEPT:
            self._removals.popitem(last=False)
        return is_new

    def of(self, request: Request) -> Renewal:
        """For a request that changes an object: what makes such ones, the nearest first. What names one is given it, and makes none."""
        changes = self._changing(request)
        if request.method.upper() not in _CHANGING or only_reads(request) or destroys(request):
            return Renewal(changes=changes) if changes else UNKNOWN
        makers = self._by_call(request) if _is_call(request) else self._at_its_list(request)
        if not makers:
            return Renewal(changes=changes) if changes else UNKNOWN
        return Renewal(makers, self._removal(makers[0].request if _is_call(request) else request), changes)

    def _changing(self, request: Request) -> tuple[Request, ...]:
        """What changes the object that stands at a request's address or right above it by another request."""
        if request.method.upper() not in (*_AT_ITS_ADDRESS, "DELETE"):
            return ()
        own = request.path.rstrip(b"/")
        found = (self._changes.get((request.host, request.port, path)) for path in (own, own.rpartition(b"/")[0]))
        return tuple(
            each for each in found if each is not None and (each.method, each.path) != (request.method, request.path)
        )

    def _by_call(self, request: Request) -> tuple[Made, ...]:
        """`createCard` for `updateCard`; for `updateCardTitle` as well, where the very card was made by it."""
        about, given = _about(request), {each.value for each in named_fields(request)}
        found = (each for each in self._makers.of(request) if _does(each.request) in MAKES)
        return tuple(
            each
            for each in found
            if (made := _about(each.request)) == about or (made == about[: len(made)] and each.was in given)
        )

    def _at_its_list(self, request: Request) -> tuple[Made, ...]:
        """`POST /notes` for `/notes/7` and what stands below it. What else the request names, in its query and its
        body, is of another kind.
        """
        named = in_path(request)
        if named is None:
            return ()
        above = list_above(request, named.point)
        target = above + b"/" + named.value.encode()
        asked: Request = msgspec.structs.replace(request, target=target, body=b"")
        return tuple(
            each for each in self._makers.of(asked) if each.path and named.value not in _named_by(each.request)
        )

    def _removal(self, request: Request) -> tuple[Request, Named] | None:
        own = (asked for place, asked in reversed(self._removals.items()) if place[:2] == (request.host, request.port))
        return next((both for each in own if (both := _removing(each, request)) is not None), None)


def in_path(request: Request) -> Named | None:
    """The last identifier of a request's path that is one by its look."""
    return next((each for each in reversed(named_objects(request)) if each.point[0] == "path" and each.sure), None)


def is_of_its_kind(request: Request, named: Named, maker: Request) -> bool:
    """Whether an identifier of a request is that of the very thing which it changes and another makes: not `boardId` of `updateCard`."""
    if _is_call(request):
        return word_of(named).lower() in ("", _about(maker)[-1])
    own = in_path(request)
    return own is not None and (named.point, named.value) == (own.point, own.value)


def _removing(asked: Request, request: Request) -> tuple[Request, Named] | None:
    """What deletes one of the kind that a request changes, or a call makes, and where it names it; None for anything else."""
    if _is_call(request):
        named = (
            [each for each in named_fields(asked) if is_of_its_kind(asked, each, request)] if _is_call(asked) else []
        )
        is_contrary = len(named) == 1 and _does(asked) in DELETES and _about(asked) == _about(request)
        return (asked, named[0]) if is_contrary else None
    own, taken = in_path(request), _taken_from(asked)
    if own is None or taken is None or taken[0] != list_above(request, own.point):
        return None
    return asked, taken[1]


@lru_cache(MOST_KEPT)  # each request that changes something looks through all that deletes
def _taken_from(asked: Request) -> tuple[bytes, Named] | None:
    """The path of the list that a request takes an object out of, and where it names that; None where it does not."""
    one = in_path(asked) if asked.method.upper() == "DELETE" else None
    # What stands below an object, `/notes/7/tags`, is not the object.
    if one is None or not asked.path.rstrip(b"/").endswith(b"/" + one.value.encode()):
        return None
    return list_above(asked, one.point), one


@lru_cache(MOST_KEPT)  # each request that changes something looks through all that makes such ones
def _named_by(maker: Request) -> frozenset[str]:
    """The identifiers that a request names."""
    return frozenset(each.value for each in (*named_objects(maker), *named_fields(maker)))


def _is_call(request: Request) -> bool:
    return len(called(request) or words_of(request)) > 1


def _does(request: Request) -> str:
    return (called(request) or words_of(request) or ("",))[0]


def _about(request: Request) -> tuple[str, ...]:
    return tuple(called(request) or words_of(request))[1:]
