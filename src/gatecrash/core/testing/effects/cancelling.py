"""What says that it cancels something: a GraphQL mutation or a function that is called so (`cancelVisit`, `visit.cancel`), or
an address whose last word does (`POST /visits/7/cancel`, `/cancel-visit/7`).

What was booked or ordered before and is called off is as good as deleted: nobody can call it on again.
"""

import re
from functools import lru_cache

from gatecrash.core.inventory.identifiers import is_identifier
from gatecrash.core.message import Request
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.effects.spoken import MOST_KEPT
from gatecrash.core.testing.operations.graphql import deed_of, only_queries
from gatecrash.core.words.english import in_english
from gatecrash.core.words.names import words_in

_CANCELS = frozenset({"cancel", "revoke", "withdraw", "void"})
# `withdrawMoney` takes money out, and nothing back.
_OF_MONEY = frozenset({"money", "funds", "cash", "amount", "balance", "credits"})
# By an address these do it to what the address names: a body says how much is withdrawn, or which token is revoked (RFC 7009).
_BY_ADDRESS_ALONE = frozenset({"revoke", "withdraw"})
_STEP = re.compile(r"[/:]")


@lru_cache(MOST_KEPT)
def cancels(request: Request) -> bool:
    """Whether what is called by its name, or the last word of the address, says that it cancels something."""
    deed = tuple(map(in_english, deed_of(request)))
    if not deed:
        return not is_safe(request) and _cancels_at_address(request)
    return not _CANCELS.isdisjoint(deed[:1]) and _OF_MONEY.isdisjoint(deed) and not only_queries(request)


def _cancels_at_address(request: Request) -> bool:
    path = in_english(request.path.decode("ascii", "backslashreplace"))
    steps = [step for step in _STEP.split(path) if step and not is_identifier(step)]
    words = words_in(steps[-1]) if steps else ()
    said = _CANCELS.intersection(words[:1])
    return bool(said) and _OF_MONEY.isdisjoint(words) and not (request.body and said <= _BY_ADDRESS_ALONE)
