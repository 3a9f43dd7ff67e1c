"""A foreign object requested below the sender's own tenant or account: `/orgs/{own}/items/{foreign}`.

Where a tenant or an account stands above the object, most applications look whether the caller belongs to it. Some look no
further, and find the object by its own number alone. Elsewhere the number counts within the tenant, and is another object there:
before anything is written below the other's own, he must have read there what the owner reads.
"""

from collections.abc import Generator
from typing import NamedTuple

from gatecrash.core.inventory.identifiers import look_of
from gatecrash.core.message import Request, Response
from gatecrash.core.testing.authorization.callers.holder import holder_values, values_of
from gatecrash.core.testing.authorization.callers.identity import Identity
from gatecrash.core.testing.authorization.callers.oneself import TENANT
from gatecrash.core.testing.authorization.objects.named import Named, asking_for, list_above, listing, named_objects
from gatecrash.core.testing.authorization.owners.listed_containers import below_listed, names_container
from gatecrash.core.testing.authorization.owners.ownership import (
    concerns,
    is_of_tenant,
    is_private,
    is_published,
    listed_apart,
    names_owner,
    tells_as_much,
)
from gatecrash.core.testing.dialogues.asking import ask, ask_as, response_of
from gatecrash.core.testing.oracles.refused import is_good
from gatecrash.core.testing.probe import Answer, Situation, TestRequest

_MOST_TRIED = 2


class Reached(NamedTuple):
    """A request moved below the other's own, where he reads the owner's object. evidence: what says that it is the owner's."""

    request: Request
    evidence: str


def below_ones_own(
    situation: Situation, named: Named, other: Identity, request: Request | None = None
) -> list[Request]:
    """The request for the same object, below the other identity's own tenant or account; none where nothing stands above it.

    named: what names the object. request: one for another of its kind; the baseline where none is given.
    """
    own, theirs = holder_values(situation), values_of(other, situation)
    given = request or situation.baseline.request
    asked: list[Request] = [given]
    for above in _above(given, named, own):
        instead = _counterparts(above.value.lower(), own, theirs)
        asked = [moved for each in asked for value in instead if (moved := asking_for(each, above, value)) is not None]
    return [each for each in asked if each != given][:_MOST_TRIED]


def reached_below(
    situation: Situation, named: Named, other: Identity, request: Request
) -> Generator[TestRequest, Answer, Reached | None]:
    """The changing request moved to where the other reads what its owner does, if it is surely the owner's."""
    direct = below_ones_own(situation, named, other, request)
    for moved in direct or (yield from below_listed(situation, named, other, request)):
        mine = response_of((yield from ask(listing(request, request.target), "control")))
        theirs = response_of((yield from ask_as(listing(moved, moved.target), other.name, "control")))
        if is_good(mine) and is_good(theirs) and tells_as_much(mine, theirs):
            evidence = yield from evidence_below(situation, mine, other, named, moved)
            if evidence:
                return Reached(moved, evidence)
    return None


def evidence_below(
    situation: Situation, shown: Response, other: Identity, named: Named, moved: Request
) -> Generator[TestRequest, Answer, str]:
    """What says that an object is the owner's, in words; empty where nothing does. shown: how its owner reads it.

    moved: the request for it below the other's own.
    """
    if concerns(shown, values_of(other, situation)) or is_published(shown):
        return ""
    own = holder_values(situation)
    of_tenant = is_of_tenant(shown, frozenset(value for value in own if value.startswith(TENANT)))
    private = is_private(shown, own)
    if private and (of_tenant or names_owner(shown, own)):
        return (
            "it names its owner or the owner's tenant, as the application tells the owner about himself, and is private"
        )
    request = situation.baseline.request
    # What somebody made may be for everybody to read.
    is_of_owner = private or of_tenant or names_owner(shown, own, makers=False)
    if named.point[0] != "path" or not (is_of_owner or names_container(request, moved, named, shown)):
        return ""
    mine = response_of((yield from ask(_list_of(request, named), "control")))
    theirs = response_of((yield from ask_as(_list_of(moved, named), other.name, "control")))
    if is_good(theirs) and listed_apart(mine, theirs, named.value, request.path):
        return "the list above it shows it to its owner, and the other's own does not show it"
    return ""


def _list_of(request: Request, named: Named) -> Request:
    """The question for the list that an object of the path stands in."""
    return listing(request, list_above(request, named.point))


def _above(request: Request, named: Named, own: frozenset[str]) -> list[Named]:
    """What the request names beside the object that is its sender's: in the path what stands before it, else a parameter or a header."""
    found = [each for each in named_objects(request, own) if each.point != named.point]
    return [
        each for each in found if {each.value.lower(), TENANT + each.value.lower()} & own and _stands_above(each, named)
    ]


def _stands_above(above: Named, named: Named) -> bool:
    if above.point[0] == named.point[0] == "path":
        return int(above.point[1]) < int(named.point[1])
    return above.point[0] != "path"


def _counterparts(value: str, own: frozenset[str], theirs: frozenset[str]) -> list[str]:
    """What the other is called where the sender is called so: his tenant for a tenant, else names of the same look."""
    if TENANT + value in own:
        return sorted(each.removeprefix(TENANT) for each in theirs if each.startswith(TENANT))
    return sorted(each for each in theirs if "=" not in each and _look(each) == _look(value))


def _look(value: str) -> tuple[str | None, bool]:
    return look_of(value), value.isdigit()
