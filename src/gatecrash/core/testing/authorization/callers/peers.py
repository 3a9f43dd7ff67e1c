"""The few identities that a probe asks as, where several may see no more than the first as far as their ranks say."""

from gatecrash.core.testing.authorization.callers.identity import Identity
from gatecrash.core.testing.authorization.callers.oneself import HIGH, TENANT
from gatecrash.core.testing.authorization.ranks.role_sections import HAS_ROLE

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


def _rules(other: Identity, own: Identity) -> bool:
    """Whether somebody has a higher role that the first has not, as far as they do not belong to different tenants."""
    roles = {known for known in other.known if known.startswith(HAS_ROLE) and HIGH.search(known)}
    ones, others = ({known for known in each.known if known.startswith(TENANT)} for each in (own, other))
    is_elsewhere = bool(ones) and bool(others) and ones.isdisjoint(others)
    return bool(roles - set(own.known)) and not is_elsewhere
