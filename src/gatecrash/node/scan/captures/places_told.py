"""What stands in an answer now where the same answer told something else when it was recorded.

Members are the same by their name, entries of a list by what they say otherwise, and by their place where they say
nothing of the kind.
"""

from collections.abc import Collection, Iterator
from typing import Any, NamedTuple

MOST_ENTRIES = 50
DEEPEST = 12


class Told(NamedTuple):
    """A value that is another now. place: the members that lead to it, from the top or from the entry of a list that it is in."""

    place: tuple[str, ...]
    old: str
    new: str


def told_anew(told: Any, now: Any, left_out: Collection[str] = (), place: tuple[str, ...] = ()) -> Iterator[Told]:
    """Each value that is another now. left_out: entries of lists that tell one of these are none of them."""
    if isinstance(told, dict) and isinstance(now, dict):
        for name in (name for name in told if name in now and len(place) < DEEPEST):
            yield from told_anew(told[name], now[name], left_out, (*place, name))
    elif isinstance(told, list) and isinstance(now, list):
        for one, other in _beside(told, now, left_out):
            yield from told_anew(one, other, left_out)
    elif told != now and type(told) is type(now) and isinstance(told, str | int):
        yield Told(place, str(told), str(now))


def _beside(told: list[Any], now: list[Any], left_out: Collection[str]) -> Iterator[tuple[Any, Any]]:
    """The entries of both lists that are the same ones."""
    old = [one for one in told if not any(str(value) in left_out for value in _values(one))][:MOST_ENTRIES]
    new = dict(enumerate(now[:MOST_ENTRIES]))
    for place, one in enumerate(old):
        # The entry's own place stands last: it decides among those that are as much alike.
        best = max(new, key=lambda other: (_alike(one, new[other]), other == place), default=None)
        if best is not None and (_alike(one, new[best]) or len(old) == len(now)):
            yield one, new.pop(best)


def _alike(one: Any, other: Any) -> int:
    """How many members say the same in both, those that say yes or no left out."""
    if not isinstance(one, dict) or not isinstance(other, dict):
        return 0
    return sum(
        other.get(name) == value
        for name, value in one.items()
        if isinstance(value, str | int | float) and not isinstance(value, bool)
    )


def _values(one: Any) -> list[Any]:
    return list(one.values()) if isinstance(one, dict) else [one]
