"""A foreign object requested below the sender's own tenant or account: `/orgs/{own}/items/{foreign}`.

Where a tenant or an account stands above the object, most applications look whether the caller belongs to it. Some look no
further, and find the object by its own number alone. Elsewhere the number counts within the tenant, and is another object there:
before anything is written below the other's own, he must have read there what the owner reads.
"""

from collections.abc import Generator
from typing import NamedTuple

from gatecrash.core.inventory.identifiers import look_of
from gatecrash.core.message import Request, Response, reading
from gatecrash.core.testing.asking import ask, ask_as, response_of
from gatecrash.core.testing.authorization.callers.holder import holder_values, tenant_words, values_of
from gatecrash.core.testing.authorization.callers.oneself import PLACE, TENANT
from gatecrash.core.testing.authorization.objects.named import asking_for, kind_of, list_above, listing, named_objects
from gatecrash.core.testing.authorization.owners.listed_containers import below_listed, names_container
from gatecrash.core.testing.authorization.owners.listed_elsewhere import linked_as, listed_elsewhere
from gatecrash.core.testing.authorization.owners.own_list import is_kept_kind
from gatecrash.core.testing.authorization.owners.ownership import (
    concerns,
    is_of_tenant,
    is_published,
    listed_apart,
    names_owner,
)
from gatecrash.core.testing.authorization.owners.private_fields import is_private
from gatecrash.core.testing.authorization.owners.told_facts import tells_as_much
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.known.objects import Named
from gatecrash.core.testing.known.page import landing_of
from gatecrash.core.testing.oracles.outcomes.refused import is_good
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
        instead = counterparts(above.value, own, theirs)
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
    is_of_owner = private or of_tenant or names_owner(shown, own, makers=False) or _is_kept_there(request, named)
    if named.point[0] != "path" or not (is_of_owner or names_container(request, moved, named, shown)):
        return ""
    for path, place in _lists_above(request, moved, named, own):
        asked, mine = yield from read_place(listing(request, path))
        # The other's own stands at an address of the same form.
        place += b"/" if asked.target != path else b""
        theirs = response_of((yield from ask_as(listing(moved, place), other.name, "control")))
        if is_good(mine):
            is_apart = is_good(theirs) and listed_apart(mine, theirs, named.value, request.path)
            return "the list above it shows it to its owner, and the other's own does not show it" if is_apart else ""
    beside = yield from listed_elsewhere(situation, other, named, linked_as(request, named))
    where = beside.where if not beside.shared else b""
    return f"{where.decode('latin-1')} shows it to its owner, and does not show it to the other" if where else ""


def _is_kept_there(request: Request, named: Named) -> bool:
    """Whether an object is kept by who has it, or stands in something that is: a paper of an invoice."""
    above = (each for each in named_objects(request) if each.point[0] == "path" and _stands_above(each, named))
    return any(is_kept_thing(request, each) for each in (named, *above))


def is_kept_thing(request: Request, named: Named) -> bool:
    """Whether things of a kind are kept by who has them, and stand in no catalogue that several choose from."""
    return is_kept_kind(kind_of(request, named))


def _lists_above(request: Request, moved: Request, named: Named, own: frozenset[str]) -> list[tuple[bytes, bytes]]:
    """Where the object may be listed, to its owner and below the other's own: above it, and at the owner's own name (`/acme/`)."""
    above = [(list_above(request, named.point), list_above(moved, named.point))]
    for word in own_words(request, named, own)[:1]:
        count = int(word.point[1]) + 2
        above.append((b"/".join(request.path.split(b"/")[:count]), b"/".join(moved.path.split(b"/")[:count])))
    return above


def read_place(page: Request) -> Generator[TestRequest, Answer, tuple[Request, Response]]:
    """A page as its owner reads it, with the slash behind its address where the application wants one."""
    shown = response_of((yield from ask(page, "control")))
    if landing_of(page, shown) != page.target + b"/":
        return page, shown
    page = reading(page, page.target + b"/")
    return page, response_of((yield from ask(page, "control")))


def _above(request: Request, named: Named, own: frozenset[str]) -> list[Named]:
    """What the request names beside the object that is its sender's: in the path what stands before it, else a parameter or a header."""
    found = [
        each for each in named_objects(request, own | _places(own) | tenant_words(own)) if each.point != named.point
    ]
    return [each for each in found if _is_own(each, own) and _stands_above(each, named)]


def _is_own(named: Named, own: frozenset[str]) -> bool:
    """Whether something is called as the sender is, or as his tenant, or stands where he alone was recorded."""
    value = named.value.lower()
    return bool({value, TENANT + value, *({PLACE + value} if named.point[0] == "path" else ())} & own)


def _places(known: frozenset[str]) -> frozenset[str]:
    """The words of addresses below which somebody alone was recorded."""
    return frozenset(each.removeprefix(PLACE) for each in known if each.startswith(PLACE))


def own_words(request: Request, named: Named, own: frozenset[str]) -> list[Named]:
    """The sender's own names in the path, up to what names the object, the nearest first."""
    if named.point[0] != "path":
        return []
    found = [each for each in named_objects(request, own | _places(own)) if each.point[0] == "path"]
    found = [each for each in found if int(each.point[1]) <= int(named.point[1]) and not each.value.isdigit()]
    return [each for each in reversed(found) if _is_own(each, own)]


def _stands_above(above: Named, named: Named) -> bool:
    if above.point[0] == named.point[0] == "path":
        return int(above.point[1]) < int(named.point[1])
    return above.point[0] != "path"


def counterparts(value: str, own: frozenset[str], theirs: frozenset[str]) -> list[str]:
    """What the other is called where the sender is called so: his tenant for a tenant, else names of the same look.
    What is known of both is in small letters: in capitals where an address writes the sender so (`C100`).
    """
    called = value.lower()
    kind = next((kind for kind in (TENANT, PLACE) if kind + called in own), "")
    if kind:
        found = sorted(each.removeprefix(kind) for each in theirs if each.startswith(kind))
    else:
        found = sorted(each for each in theirs if "=" not in each and _look(each) == _look(called))
    return [each.upper() for each in found] if value.isupper() else found


def _look(value: str) -> tuple[str | None, bool, bool]:
    """A full name (`Lake House`) is not what an address calls somebody (`lakehouse`)."""
    return look_of(value), value.isdigit(), " " in value
