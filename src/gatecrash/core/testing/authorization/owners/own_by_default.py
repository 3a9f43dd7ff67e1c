"""What is each caller's own where a header does not say whose it is: who he is was known, and the header is believed all the same."""

from collections.abc import Generator

from gatecrash.core.errors import UserError
from gatecrash.core.message import Request, Response
from gatecrash.core.points.rewrite import remove
from gatecrash.core.testing.authorization.callers.holder import holder_values, values_of
from gatecrash.core.testing.authorization.callers.identity import Identity
from gatecrash.core.testing.authorization.objects.leaves import leaves
from gatecrash.core.testing.authorization.objects.named import Named
from gatecrash.core.testing.dialogues.asking import ask, ask_as, response_of
from gatecrash.core.testing.oracles.refused import is_good
from gatecrash.core.testing.probe import Answer, Situation, TestRequest

# Beside whose it is, so much must be another's in another's.
_LEAST_APART = 2

_Told = dict[tuple[str, ...], str]


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
    if not (is_good(mine) and is_good(theirs)):
        return ""
    own, others, given = _told(mine), _told(theirs), _told(seen)
    called = values_of(other, situation)
    whose = [at for at, value in own.items() if value == named.value and others.get(at, "").lower() in called]
    apart = [at for at, value in own.items() if others.get(at, value) != value and given.get(at) == value]
    if not any(given.get(at) == named.value for at in whose) or len(apart) < _LEAST_APART:
        return ""
    return f"without {named.point[-1]} the same address tells each caller of himself"


def _without(request: Request, named: Named) -> Request | None:
    try:
        return remove(request, named.point)
    except UserError:
        return None


def _told(response: Response) -> _Told:
    """What an answer tells once, by its name."""
    told: dict[tuple[str, ...], set[str]] = {}
    for leaf in leaves(response):
        told.setdefault(leaf.path, set()).add(leaf.value)
    return {path: min(values) for path, values in told.items() if path and len(values) == 1}
