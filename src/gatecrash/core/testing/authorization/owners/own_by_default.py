"""What is each caller's own where a header does not say whose it is: who he is was known, and the header is believed all the same.

Where nothing is told without the header, each is told of himself with his own number in it.
"""

from collections.abc import Generator

from gatecrash.core.errors import UserError
from gatecrash.core.message import Request, Response
from gatecrash.core.points.rewrite import remove
from gatecrash.core.testing.asking import ask, ask_as, response_of
from gatecrash.core.testing.authorization.callers.holder import holder_values, values_of
from gatecrash.core.testing.authorization.objects.named import asking_for
from gatecrash.core.testing.authorization.owners.own_above import counterparts
from gatecrash.core.testing.authorization.owners.ownership import names_of_owner
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.known.objects import Named
from gatecrash.core.testing.oracles.leaves import leaves
from gatecrash.core.testing.oracles.outcomes.refused import is_good
from gatecrash.core.testing.probe import Answer, Situation, TestRequest

# Beside whose it is, so much must be another's in another's.
_LEAST_APART = 2

_Told = dict[tuple[str, ...], frozenset[str]]


def own_by_default(
    situation: Situation, other: Identity, named: Named, seen: Response
) -> Generator[TestRequest, Answer, str]:
    """What says that a header holds its sender's own number in place of the caller, in words; empty where nothing does.

    seen: what the other was given with it. Whom a field of a query names somebody may be meant to look at; a header
    that no page has a place for is only ever sent by programs about themselves.
    """
    if named.point[0] != "header" or named.value.lower() not in holder_values(situation):
        return ""
    bare = _without(situation.baseline.request, named)
    if bare is None:
        return ""
    mine = response_of((yield from ask(bare, "control")))
    theirs = response_of((yield from ask_as(bare, other.name, "control")))
    told = f"without {named.point[-1]} the same address tells each caller of himself"
    if not is_good(mine) and not is_good(theirs) and _calls_its_owner(named):
        mine = response_of((yield from ask(situation.baseline.request, "control")))
        theirs = yield from _of_himself(situation, other, named)
        told = f"with his own number in {named.point[-1]} each caller is told of himself"
    return told if is_good(mine) and is_good(theirs) and _are_apart(situation, other, named, mine, theirs, seen) else ""


def _calls_its_owner(named: Named) -> bool:
    """Whether a header is called after an owner (`X-User-Id: 7`); a small number alone may as well be a shop's (`X-Store: 7`)."""
    return bool(names_of_owner({named.point[-1]: named.value}))


def _of_himself(situation: Situation, other: Identity, named: Named) -> Generator[TestRequest, Answer, Response]:
    """What the other is told with his own number in the header; a refusal where it is not known."""
    instead = counterparts(named.value, holder_values(situation), values_of(other, situation))
    asked = asking_for(situation.baseline.request, named, instead[0]) if instead else None
    return response_of((yield from ask_as(asked, other.name, "control"))) if asked is not None else Response(404)


def _are_apart(
    situation: Situation, other: Identity, named: Named, mine: Response, theirs: Response, seen: Response
) -> bool:
    """Whether each of two answers names its reader, and the other was given what the owner's alone says."""
    own, others, given = _told(mine), _told(theirs), _told(seen)
    called, value = values_of(other, situation), frozenset({named.value})
    whose = [at for at, told in own.items() if told == value and {each.lower() for each in others.get(at, ())} & called]
    apart = [at for at, told in own.items() if told.isdisjoint(others.get(at, told)) and given.get(at) == told]
    return any(given.get(at) == value for at in whose) and len(apart) >= _LEAST_APART


def _without(request: Request, named: Named) -> Request | None:
    try:
        return remove(request, named.point)
    except UserError:
        return None


def _told(response: Response) -> _Told:
    """What an answer tells, by its name; of several entries each once."""
    told: dict[tuple[str, ...], set[str]] = {}
    for leaf in leaves(response):
        told.setdefault(leaf.path, set()).add(leaf.value)
    return {path: frozenset(values) for path, values in told.items() if path}
