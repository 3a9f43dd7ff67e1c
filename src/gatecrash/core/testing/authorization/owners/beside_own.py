"""Objects of others that one user alone is given beside his own: by the numbers next to it, or identifiers that a page shows."""

from collections.abc import Generator, Iterable

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.asking import ask, response_of
from gatecrash.core.testing.authorization.callers.holder import holder_values
from gatecrash.core.testing.authorization.objects.named import asking_for, listing, neighbours
from gatecrash.core.testing.authorization.openness.access import Access
from gatecrash.core.testing.authorization.owners.own_list import is_shown_to_all, leaves_out, list_of, shows_only_own
from gatecrash.core.testing.authorization.owners.owner_evidence import is_kept_by_one
from gatecrash.core.testing.authorization.owners.ownership import names_owner, owners
from gatecrash.core.testing.authorization.owners.private_fields import is_private
from gatecrash.core.testing.known.objects import Named
from gatecrash.core.testing.oracles.outcomes.refused import refusal
from gatecrash.core.testing.probe import Answer, Situation, TestRequest

LEAST_OWNERS = 2
# Where each has several objects, the nearest numbers may be the caller's own.
_REACH, _LEAST_ASKED = 5, 4


def is_own(request: Request, response: Response, values: frozenset[str]) -> bool:
    """Whether an answer names the caller as the owner of what is private, or stands where people keep what is theirs."""
    kept = is_private(response, values) or is_kept_by_one(request, values)
    return bool(values) and kept and names_owner(response, values)


def is_listed(situation: Situation, named: Named) -> bool:
    """Whether an object that names the caller as its owner stands in a list, which may show each caller his own."""
    response = situation.baseline.response
    named_there = response is not None and names_owner(response, holder_values(situation))
    return named_there and list_of(situation, named) is not None


def given(
    access: Access, named: Named, candidates: Iterable[str], values: frozenset[str]
) -> Generator[TestRequest, Answer, dict[str, Exchange]]:
    """What candidates give away, by its owner: others than the caller, in the very fields that name him in his own."""
    foreign: dict[str, Exchange] = {}
    for value in candidates:
        asked = asking_for(access.request, named, value)
        exchange = None if asked is None else (yield from ask(asked))
        owner = "" if exchange is None else _owner_beside(access, response_of(exchange), values)
        if owner and exchange is not None:
            foreign.setdefault(owner, exchange)
        if len(foreign) >= LEAST_OWNERS:
            break
    return foreign


def left_out(
    access: Access, named: Named, values: frozenset[str]
) -> Generator[TestRequest, Answer, dict[str, Exchange]]:
    """Objects of others beside the own one, by their numbers, that the caller's list leaves out, which names nobody but him."""
    target = list_of(access.situation, named)
    foreign: dict[str, Exchange] = {}
    if target is None:
        return foreign
    listed = response_of((yield from ask(listing(access.request, target), "control")))
    if not shows_only_own(listed, named, values):
        return foreign
    for number, value in enumerate(neighbours(named.value, _REACH)):
        asked = asking_for(access.request, named, value) if leaves_out(listed, value) else None
        if asked is None or is_shown_to_all(access.situation, named, value):
            continue
        if len(foreign) >= LEAST_OWNERS or (number >= _LEAST_ASKED and not foreign):
            break
        exchange = yield from ask(asked)
        if _owner_beside(access, response_of(exchange), values, private=False):
            foreign[value] = exchange
    return foreign


def _owner_beside(access: Access, theirs: Response, values: frozenset[str], *, private: bool = True) -> str:
    """The other owner that an answer of the same kind names in the very fields that name the caller in the own one.

    private: it must hold what people keep to themselves, or stand where they keep what is theirs.
    """
    mine = access.good
    if theirs.status != mine.status or refusal(theirs, mine):
        return ""
    if private and not is_private(theirs) and not is_kept_by_one(access.request, values):
        return ""
    fields = [path for path, value in owners(mine).items() if value in values]
    named = [owners(theirs).get(path, "") for path in fields]
    return "|".join(named) if named and all(each and each not in values for each in named) else ""
