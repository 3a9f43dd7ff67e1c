"""What says that it cancels something: a GraphQL mutation or a function that is called so (`cancelVisit`, `visit.cancel`).

What was booked or ordered before and is called off is as good as deleted: nobody can call it on again.
"""

from functools import lru_cache

from gatecrash.core.message import Request
from gatecrash.core.testing.effects.spoken import MOST_KEPT
from gatecrash.core.testing.operations.graphql import deed_of, only_queries
from gatecrash.core.words.english import in_english

_CANCELS = frozenset({"cancel", "revoke", "withdraw", "void"})
# `withdrawMoney` takes money out, and nothing back.
_OF_MONEY = frozenset({"money", "funds", "cash", "amount", "balance", "credits"})


@lru_cache(MOST_KEPT)
def cancels(request: Request) -> bool:
    """Whether what is called by its name says that it cancels something."""
    deed = tuple(map(in_english, deed_of(request)))
    return not _CANCELS.isdisjoint(deed[:1]) and _OF_MONEY.isdisjoint(deed) and not only_queries(request)
