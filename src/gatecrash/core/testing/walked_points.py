"""The points of a request, walked once: planning asks a dozen times for those of the same baseline."""

from functools import lru_cache

from gatecrash.core.message import Request
from gatecrash.core.points.found import Found
from gatecrash.core.points.walk import walk

LONGEST = 64 * 1024
"""Of requests with a longer body (bytes) one is remembered: more would hold too much."""


def walked(request: Request) -> tuple[Found, ...]:
    """Every point that `walk` finds, names left out."""
    return _walked(request) if len(request.body) <= LONGEST else _walked_long(request)


@lru_cache(32)
def _walked(request: Request) -> tuple[Found, ...]:
    return tuple(walk(request).points)


@lru_cache(1)
def _walked_long(request: Request) -> tuple[Found, ...]:
    return tuple(walk(request).points)
