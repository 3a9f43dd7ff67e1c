"""Lists of people in which their reader stands himself, beside others: those of his station, his class, his team.

lists_its_readers(situation, other, named, mine, theirs)     whether the two lists of an object are such ones

What one such list shows of somebody is told to all who stand in it. That another list leaves him out says where he
belongs, and not that what he is called is his alone.
"""

import re

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.authorization.callers.holder import holder_values, values_of
from gatecrash.core.testing.authorization.objects.named import kind_of
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.known.objects import Named
from gatecrash.core.testing.oracles.leaves import leaves
from gatecrash.core.testing.probe import Situation

# Fewer digits number a user and an order alike: the first customer's first order.
_LEAST_DIGITS = 5
_PEOPLE = re.compile(
    r"user|person|people|employee|member|staff|student|pupil|teacher|volunteer|colleague|profile|player"
)


def lists_its_readers(situation: Situation, other: Identity, named: Named, mine: Response, theirs: Response) -> bool:
    """Whether both lists show their reader, and one of them somebody else beside him."""
    request = situation.baseline.request
    places = {leaf.path for leaf in leaves(mine) if leaf.value == named.value}
    ones, others = _entries(mine, places), _entries(theirs, places)
    stand = _stands(holder_values(situation), ones, request, named) and _stands(
        values_of(other, situation), others, request, named
    )
    return stand and max(len(ones), len(others)) > 1


def _entries(shown: Response, places: set[tuple[str, ...]]) -> frozenset[str]:
    return frozenset(leaf.value.lower() for leaf in leaves(shown) if leaf.path in places)


def _stands(values: frozenset[str], entries: frozenset[str], request: Request, named: Named) -> bool:
    """Whether somebody is among those listed, by what he is known to be called."""
    found = values & entries
    tells = any(not each.isdigit() or len(each) >= _LEAST_DIGITS for each in found)
    return tells or (bool(found) and _PEOPLE.fullmatch(kind_of(request, named)) is not None)
