"""The few identities that a probe asks as, where several may see no more than the first as far as their ranks say."""

from collections.abc import Callable, Generator, Sequence
from typing import NamedTuple, TypeVar

from gatecrash.core.message import Response
from gatecrash.core.testing.asking import NotSignedIn
from gatecrash.core.testing.authorization.callers.oneself import HIGH, TENANT
from gatecrash.core.testing.authorization.ranks.role_sections import HAS_ROLE
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.oracles.outcomes.refused import asks_to_sign_in
from gatecrash.core.testing.probe import Answer, TestRequest
from gatecrash.core.testing.verdict import Outcome, Verdict

_Told = TypeVar("_Told")

_FIRST_OF_STATE = 409

MOST_PEERS = 2
"""A colleague of the first may have what is his; whoever comes after may belong elsewhere."""


def peers_of(identities: tuple[Identity, ...]) -> tuple[Identity, ...]:
    """The first few of such identities, all of one rank, the highest. Who rules them by the application's own words, as
    where a profile gives no ranks, is one of them only where there is nobody else; and none of one who manages by
    another role.
    """
    if not identities:
        return ()
    own, *others = identities
    below = [each for each in others if each.rank <= own.rank]
    ordinary = _highest([each for each in below if not _rules(each, own)])
    return tuple(ordinary[:MOST_PEERS] or ([] if _roles(own) else _highest(below)[:1]))


def _highest(identities: Sequence[Identity]) -> list[Identity]:
    rank = max((each.rank for each in identities), default=0)
    return [each for each in identities if each.rank == rank]


def as_each(
    others: Sequence[Identity],
    asked_as: Callable[[Identity], Generator[TestRequest, Answer, _Told]],
    is_end: Callable[[_Told], bool],
) -> Generator[TestRequest, Answer, _Told]:
    """Ask as one identity after the other, until what one is told decides; the answers that were given.

    An identity that cannot be signed in is passed over; where none of the others decides, it is undecided.
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


class Did(NamedTuple):
    """What came of it as one of several.

    is_kept: he did not get it done, as somebody who is signed in. is_final: nothing that others get done changes it, as
    where it was done below what is his own.
    """

    verdict: Verdict
    is_kept: bool = False
    is_final: bool = False


def as_all(
    others: Sequence[Identity],
    asked_as: Callable[[Identity], Generator[TestRequest, Answer, Did]],
    *,
    ends_at_kept: bool = True,
) -> Generator[TestRequest, Answer, Verdict]:
    """The same as all of them: what one may do is nothing that is found, where another is kept from it. Some rule chooses
    him then, as the seller whom an order's buyer pays.

    ends_at_kept: whether nothing that a later one may do is final.
    """
    found: list[Verdict] = []
    kept: list[Verdict] = []

    def told_of(other: Identity) -> Generator[TestRequest, Answer, Did]:
        did = yield from asked_as(other)
        found.extend([did.verdict] * (did.verdict.outcome is Outcome.VULNERABLE))
        kept.extend([did.verdict] * did.is_kept)
        return did

    def is_end(did: Did) -> bool:
        over = did.is_kept and (ends_at_kept or bool(found))
        return over or did.is_final or (did.verdict.outcome is Outcome.INCONCLUSIVE and not found)

    try:
        last = yield from as_each(others, told_of, is_end)
    except NotSignedIn:
        if not found:
            raise
        last = Did(found[0])
    if last.is_final:
        return last.verdict
    return (kept or found or [last.verdict])[0]


def is_about_him(answered: Response) -> bool:
    """Whether what kept somebody is who he is: an earlier change may be in conflict with his, or too many were sent."""
    return answered.status < _FIRST_OF_STATE and not asks_to_sign_in(answered)


def is_not_safe(verdict: Verdict) -> bool:
    """Whether a verdict is worth no further identity."""
    return verdict.outcome is not Outcome.SAFE


def _rules(other: Identity, own: Identity) -> bool:
    """Whether somebody has a higher role that the first has not, as far as they do not belong to different tenants."""
    ones, others = ({known for known in each.known if known.startswith(TENANT)} for each in (own, other))
    is_elsewhere = bool(ones) and bool(others) and ones.isdisjoint(others)
    return bool(_roles(other) - set(own.known)) and not is_elsewhere


def _roles(one: Identity) -> set[str]:
    """His roles that manage others by their names."""
    return {known for known in one.known if known.startswith(HAS_ROLE) and HIGH.search(known)}
