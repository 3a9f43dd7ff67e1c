"""A request that made an object, and which object that was: as its answer calls it, or as its body named it."""

import re
from collections.abc import Sequence
from functools import lru_cache

from gatecrash.core.message import Request, Response
from gatecrash.core.points.walk import walk
from gatecrash.core.testing.authorization.objects.creations import WORDS, is_long
from gatecrash.core.testing.authorization.objects.named import named_fields
from gatecrash.core.testing.known.objects import Made, Named
from gatecrash.core.testing.operations.graphql import address_of, words_of
from gatecrash.core.testing.operations.questions import called, what_is_called
from gatecrash.core.testing.oracles.leaves import Leaf, leaves
from gatecrash.core.words.deeds import makes_such

# A record may show hundreds of addresses before the one that deletes what its first made.
MOST_KEPT = 2_000
_MOST_ABOVE = 4
_LEAST_NAME = 3
TO_MAKE = re.compile(r"create|add|new|make|save|submit|v\d+|\d+")
_ACCOUNTS = frozenset({"user", "account", "member", "customer"})
_REGISTERS = re.compile(rb"register|sign-?_?up|enrol")
_CALLED_SO = re.compile(r"(?:id|no|nr|number|ref|key|code|slug|name|title|handle)$", re.IGNORECASE)
_OF_A_KIND = re.compile(r"(\w{3,}?)_?(?:Id|ID|id)")
_IDENTIFIERS = ("id", "uuid", "guid", "_id", "uid", "number", "slug", "key", "name")


def identified(asked: Request, told: Sequence[Leaf]) -> list[Made]:
    """What made an object by what its answer calls an identifier; none where it calls nothing so."""
    places = {leaf.path[-1]: leaf for leaf in reversed(told)}
    found = next((places[name] for name in _IDENTIFIERS if name in places), None)
    return [Made(asked, found.path, found.value)] if found else []


def naming(told: list[Leaf], values: set[str]) -> Leaf | None:
    """Which of an answer's leaves names what was made: the one that is called an identifier, before any other.

    Beside an identifier of another value a number that is called otherwise (`{"id": 5, "quantity": 2}`) says something else.
    """
    named = {leaf.path[:-1] for leaf in told if leaf.path[-1].lower() in _IDENTIFIERS}
    found = [
        leaf
        for leaf in told
        if leaf.value in values
        and (not leaf.value.isdigit() or leaf.path[:-1] not in named or _CALLED_SO.search(leaf.path[-1]))
    ]
    # Of several fields with one value, as a description's made-up ones are, a note is the last that names it.
    likely = [leaf for leaf in found if leaf.path[-1].lower() in _IDENTIFIERS]
    likely += [leaf for leaf in found if _CALLED_SO.search(leaf.path[-1])]
    return next(iter((*likely, *found)), None)


@lru_cache(2 * MOST_KEPT)
def told_by(response: Response) -> tuple[Leaf, ...]:
    """What an answer tells by names; the same one is met several times."""
    return tuple(leaf for leaf in leaves(response) if leaf.path and len(leaf.path) <= _MOST_ABOVE)


def called_in_its_body(asked: Request, wanted: set[str]) -> list[Made]:
    """What made an object that its body gave the name which stands in addresses; a number may be of anything."""
    sent = ((one.point, one.value.decode("utf-8", "replace")) for one in walk(asked).points if not one.container)
    found = [
        (point, name) for point, name in sent if point[0] == "post" and name in wanted and len(name) >= _LEAST_NAME
    ]
    return [Made(asked, (), name, point) for point, name in found[:1] if not name.isdigit()]


def may_be_its_number(leaf: Leaf, asked: Request, kinds: set[str]) -> bool:
    """Whether an identifier of an answer can be of the kind that is deleted: a short number is also an account's and an order's."""
    if is_long(leaf.value):
        return True
    words = [word for word in WORDS.findall(address_of(asked).lower()) if not TO_MAKE.fullmatch(word)]
    said = [words[-1] if words else "", what_is_called(asked), *(name.lower() for name in leaf.path[-2:])]
    if any(kind in word for kind in kinds for word in said) or any(makes_such(said[0], kind) for kind in kinds):
        return True
    return not _ACCOUNTS.isdisjoint(kinds) and _REGISTERS.search(asked.path.lower()) is not None


def is_called_for(asked: Request, value: str, kinds: set[str]) -> bool:
    """Whether a function or a mutation was given the object by its identifier. A short number may be that of another
    kind of thing, which it is called after: the first review of the first event (`addReview(eventId: 1)`) has its
    number.
    """
    if not (called(asked) or words_of(asked)):
        return False
    given = (each for each in named_fields(asked) if each.value == value)
    return any(is_long(value) or not _is_of_another(each, kinds) for each in given)


def _is_of_another(given: Named, kinds: set[str]) -> bool:
    stem = _OF_A_KIND.fullmatch(given.point[-1])
    return stem is not None and not any(kind in stem[1].lower() for kind in kinds)


def standing_above(asked: Request) -> set[str]:
    """What the address of a request names is there before it makes something: the tenant of `/orgs/4/docks`."""
    return set(asked.path.decode("latin-1").split("/"))
