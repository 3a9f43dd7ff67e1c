"""The same object asked for below what is the asker's own: `/orgs/{own}/items/{foreign}`.

Where a tenant or an account stands above the object, most applications look whether the caller belongs to it. Some look no
further, and find the object by its own number alone.
"""

from gatecrash.core.inventory.identifiers import look_of
from gatecrash.core.message import Request
from gatecrash.core.testing.authorization.holder import holder_values, values_of
from gatecrash.core.testing.authorization.identity import Identity
from gatecrash.core.testing.authorization.objects import Named, asking_for, named_objects
from gatecrash.core.testing.authorization.oneself import TENANT
from gatecrash.core.testing.probe import Situation

_MOST_TRIED = 2


def below_ones_own(situation: Situation, named: Named, other: Identity) -> list[Request]:
    """The request for the same object, below the other identity's own tenant or account; none where nothing stands above it.

    named: what names the object.
    """
    own, theirs = holder_values(situation), values_of(other, situation)
    asked: list[Request] = [situation.baseline.request]
    for above in _above(situation.baseline.request, named, own):
        instead = _counterparts(above.value.lower(), own, theirs)
        asked = [moved for each in asked for value in instead if (moved := asking_for(each, above, value)) is not None]
    return [each for each in asked if each != situation.baseline.request][:_MOST_TRIED]


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
