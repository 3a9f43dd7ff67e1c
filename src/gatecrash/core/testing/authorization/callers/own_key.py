"""Answers that show somebody the very key that he came with: what stands beside it there is about himself.

shows_own_key(exchange, values)     whether an account's own address gives back what its reader was let in by
"""

import re
from collections.abc import Iterable
from typing import Final

from gatecrash.core.message import Exchange
from gatecrash.core.testing.oracles.leaves import leaves
from gatecrash.core.testing.oracles.outcomes.refused import is_good

_LEAST: Final = 16
# A key has an address and a number of its own, too, which say nothing of whose it is.
_ONE_ACCOUNT: Final = re.compile(
    rb"/(?:users?|accounts?|customers?|clients?|members?|profiles?|people|persons?|merchants?|partners?)/[^/]+/?$",
    re.IGNORECASE,
)


def shows_own_key(exchange: Exchange, values: Iterable[str]) -> bool:
    """Whether one account's address gives back one of the values that its reader was let in by. A list of accounts
    shows the others' keys as well.
    """
    request, response = exchange.request, exchange.response
    if response is None or not is_good(response) or request.method.upper() != "GET":
        return False
    if _ONE_ACCOUNT.search(request.path) is None:
        return False
    keys = {key for value in values if len(key := value.rpartition(" ")[2]) >= _LEAST}
    told = leaves(response) if keys else ()
    places = [leaf.path for leaf in told if leaf.value in keys]
    return len(places) == 1 and sum(leaf.path == places[0] for leaf in told) == 1
