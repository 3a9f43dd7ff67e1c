"""Lists of somebody who looks after what others have: a steward's list shows all vehicles of the company, a driver's
the one that he drives.

Users of one rank may have different functions, by the application's own words for their roles. What the list of the one shows and
that of the other does not is then no sign of whose it is, where the other's things stand in the first list, too.
"""

from gatecrash.core.message import Response
from gatecrash.core.testing.authorization.callers.holder import common_tenants
from gatecrash.core.testing.authorization.ranks.role_sections import HAS_ROLE
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.oracles.leaves import leaves
from gatecrash.core.testing.probe import Situation


def oversees(situation: Situation, other: Identity, mine: Response, theirs: Response, value: str) -> bool:
    """Whether the sender's list may be one of others' things. mine, theirs: the list as both are shown it. value: what
    it shows of the object.

    Colleagues of one tenant may have nothing at all in theirs.
    """
    own = situation.identities[0]
    if not _differ(own, other):
        return False
    fields = {leaf.path for leaf in leaves(mine) if leaf.value == value}
    shown, others = (_values(response, fields) for response in (mine, theirs))
    return others <= shown and bool(others or common_tenants(other, situation))


def _differ(one: Identity, other: Identity) -> bool:
    """Whether both have a role that is known, and not the same one."""
    roles = [{known for known in each.known if known.startswith(HAS_ROLE)} for each in (one, other)]
    return all(roles) and roles[0].isdisjoint(roles[1])


def _values(response: Response, fields: set[tuple[str, ...]]) -> frozenset[str]:
    return frozenset(leaf.value for leaf in leaves(response) if leaf.path in fields)
