"""Which pages stand near a path: those that begin as it does, found by what they begin with and not by comparing them all."""

from collections import defaultdict
from functools import lru_cache
from itertools import takewhile
from typing import Generic, TypeVar

_MOST_KNOWN = 4_000
# Paths that are alike for so long are equally near.
_DEEPEST = 16

Key = TypeVar("Key")


class Beginnings(Generic[Key]):
    """Things by the beginnings of their paths, in the order in which they came."""

    def __init__(self) -> None:
        """Nothing came yet."""
        self._below: defaultdict[tuple[bytes, ...], dict[Key, None]] = defaultdict(dict)
        self._at: dict[Key, tuple[bytes, ...]] = {}

    def put(self, key: Key, path: bytes) -> None:
        """A thing is at this path."""
        steps = self._at[key] = _steps(path)
        for length in range(min(len(steps), _DEEPEST) + 1):
            self._below[steps[:length]][key] = None

    def drop(self, key: Key) -> None:
        """It is gone."""
        steps = self._at.pop(key)
        for length in range(min(len(steps), _DEEPEST) + 1):
            below = self._below[steps[:length]]
            del below[key]
            if not below:
                del self._below[steps[:length]]

    def nearest(self, path: bytes) -> dict[Key, None]:
        """All of them, the nearest first, as `nearness` has it."""
        steps = _steps(path)
        known = self._below.get(steps[:_DEEPEST], {})
        found = {key: None for key in known if self._at[key] == steps}
        for length in range(min(len(steps), _DEEPEST), -1, -1):
            found |= self._below.get(steps[:length], {})  # what is there already stays where it is
        return found


def nearness(path: bytes, other: bytes) -> int:
    """How many segments two paths begin with alike; the same path is nearer than any."""
    ones, others = _steps(path), _steps(other)
    if ones == others:
        return len(ones) + 1
    alike = 0
    for one, another in zip(ones, others, strict=False):
        if one != another:
            break
        alike += 1
    return alike


@lru_cache(_MOST_KNOWN)
def _steps(path: bytes) -> tuple[bytes, ...]:
    """The segments of a path; those of each page are asked for once for every other."""
    return tuple(path.strip(b"/").split(b"/"))


def steps_in_common(path: bytes, other: bytes) -> int:
    """How many steps two paths have in common from their beginning."""
    steps = zip(path.split(b"/"), other.split(b"/"), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], steps))
