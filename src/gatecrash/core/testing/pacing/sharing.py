"""One limit per host among several nodes: how much each may send, so that their sum never exceeds it.

A node that is told less goes on counting as much as it had until it says that it holds to less, and has done so for a
whole window. So a part that is taken from one node reaches another only when nothing of it can be on its way any more.
"""

from collections.abc import Sequence


def part_of(limit: int, place: int, active: int) -> int:
    """The even part, of `active` nodes, of the one at this place; the first ones get what cannot be divided."""
    return limit // active + (place < limit % active)


def granted(part: int, limit: int, own: int, others: Sequence[int]) -> int:
    """What a node may have now. part: what it is due. own, others: what it, and each other node, may still be sending.

    0 where all is held by others; a node that has something keeps one request a second, however many there are.
    """
    free = max(0, limit - sum(others))
    return max(min(part, free), min(own, 1))
