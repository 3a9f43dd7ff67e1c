"""The few identities that a probe asks as, where several may see no more than the first as far as their ranks say."""

from collections.abc import Callable, Generator, Sequence
from typing import TypeVar

from gatecrash.core.testing.authorization.callers.identity import Identity
from gatecrash.core.testing.authorization.callers.oneself import HIGH, TENANT
from gatecrash.core.testing.authorization.ranks.role_sections import HAS_ROLE
from gatecrash.core.testing.dialogues.asking import NotSignedIn
from gatecrash.core.testing.probe import Answer, TestRequest
from gatecrash.core.testing.verdict import Outcome, Verdict

_Told = TypeVar("_Told")

MOST_PEERS = 2
"""A colleague of the first may have what is his; whoever comes after may belong elsewhere."""


def peers_of(identities: tuple[Identity, ...]) -> tuple[Identity, ...]:
    """The first few of such identities, all of one rank. Who rules them by the application's own words, as where a
    profile gives no ranks, is one of them only where there is nobody else.
    """
    if not identities:
        return ()
    own, *others = identities
    below = [each for each in others if each.rank <= own.rank]
    highest = max((each.rank for each in below), default=0)
    equal = [each for each in below if each.rank == highest]
    ordinary = [each for each in equal if not _rules(each, own)]
    return tuple(ordinary[:MOST_PEERS] or equal[:1])


def as_each(
    others: Sequence[Identity],
    asked_as: Callable[[Identity], Generator[TestRequest, Answer, _Told]],
    is_end: Callable[[_Told], bool],
) -> Generator[TestRequest, Answer, _Told]:
    """What came of it as one after the other, until one ends it. Who cannot be signed in keeps nobody from being asked as, and
    leaves it undecided where no other ends it.
    """
    told: list[_Told] = []
    out: NotSignedIn | None = None
    for other in others:
        try:
            told.append((yield from asked_as(other)))
        except NotSignedIn as missing:
            out = out or missing
            continue
        if is_end(told[-1]):
            return told[-1]
    if out is not None:
        raise out
    return told[-1]


def as_all(
    others: Sequence[Identity],
    asked_as: Callable[[Identity], Generator[TestRequest, Answer, Verdict]],
    is_kept: Callable[[Verdict], bool],
) -> Generator[TestRequest, Answer, Verdict]:
    """The same as all of them: what one may do is nothing that is found, where another is kept from it. Some rule chooses
    him then, as the seller whom an order's buyer pays.
    """
    found: list[Verdict] = []

    def told_of(other: Identity) -> Generator[TestRequest, Answer, Verdict]:
        verdict = yield from asked_as(other)
        found.extend([verdict] * (verdict.outcome is Outcome.VULNERABLE))
        return verdict

    def is_end(verdict: Verdict) -> bool:
        return is_kept(verdict) or (verdict.outcome is Outcome.INCONCLUSIVE and not found)

    try:
        last = yield from as_each(others, told_of, is_end)
    except NotSignedIn:
        if not found:
            raise
        return found[0]
    return last if is_kept(last) or not found else found[0]


def is_not_safe(verdict: Verdict) -> bool:
    """Whether a verdict is worth no further identity."""
    return verdict.outcome is not Outcome.SAFE


def _rules(other: Identity, own: Identity) -> bool:
    """Whether somebody has a higher role that the first has not, as far as they do not belong to different tenants."""
    roles = {known for known in other.known if known.startswith(HAS_ROLE) and HIGH.search(known)}
    ones, others = ({known for known in each.known if known.startswith(TENANT)} for each in (own, other))
    is_elsewhere = bool(ones) and bool(others) and ones.isdisjoint(others)
    return bool(roles - set(own.known)) and not is_elsewhere
