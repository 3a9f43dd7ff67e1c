"""Names that became a parameter and are unlike the rest: an open one among guarded ones must not drown.

A parent with too many children becomes `/api/{api_id}`, and its names stay in the node. Each is still counted here by
itself: where one is asked for without authentication far more often than its siblings are, it leaves the group for a
template of its own, `/api/{open_api_id}`, and an open `/api/debug` is a row that says Missing rather than a hair's
breadth in another row's share. How far is far: by chance alone fewer than one in a million would look so (Chernoff's
bound on a binomial count), and at most half the siblings' share. Refused requests speak for nothing here: what answers
401 is not open.
"""

import math
from collections.abc import Hashable

from gatecrash.core.auth.memory import Memory

_REMEMBERED = 65_536
_LEAST_REQUESTS = 5
_ALL_BUT_CERTAIN = 0.999
_UNLIKELY = math.log(1e-6)


class Outliers:
    """Counts groups and their members, and tells which members stand apart. Bounded, not shared between threads."""

    def __init__(self, remembered: int = _REMEMBERED) -> None:
        """Remember at most so many members and as many groups."""
        # Each: requests, authenticated.
        self._groups: Memory[list[int]] = Memory(remembered)
        self._members: Memory[list[int]] = Memory(remembered)

    def count(self, group: Hashable, member: Hashable, *, authenticated: bool) -> None:
        """One accepted request to a member of a group."""
        for memory, key in ((self._groups, hash(group)), (self._members, hash((group, member)))):
            numbers = memory.recall(key)
            if numbers is None:
                numbers = [0, 0]
                memory.remember(key, numbers)
            numbers[0] += 1
            numbers[1] += authenticated

    def stands_apart(self, group: Hashable, member: Hashable) -> bool:
        """Whether the member is open where its group is not."""
        whole, part = self._groups.recall(hash(group)), self._members.recall(hash((group, member)))
        if whole is None or part is None:
            return False
        rest_requests, rest_authenticated = whole[0] - part[0], whole[1] - part[1]
        if part[0] < _LEAST_REQUESTS or rest_requests <= 0:
            return False
        return is_unlike(part[0], part[1], rest_authenticated / rest_requests)


def is_unlike(requests: int, authenticated: int, share: float) -> bool:
    """Whether so few authenticated among the requests would come by chance less than once in a million at that share."""
    part = authenticated / requests
    if 2 * part >= share:
        return False
    # A group without any exception so far is taken as all but certain: the first may be near.
    share = min(share, _ALL_BUT_CERTAIN)
    distance = 0.0 if not part else part * math.log(part / share)
    distance += (1 - part) * math.log((1 - part) / (1 - share))
    return -requests * distance < _UNLIKELY
