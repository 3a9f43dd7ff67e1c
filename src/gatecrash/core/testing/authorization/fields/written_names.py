"""How a request writes the names that answers write otherwise: `FirstName` for `first_name`, `profile_city` for `city`.

manner_of(["first_name"], ["firstName"])        writes `is_admin` as `isAdmin`; None where both write their names alike
shared_prefix(["profile_name", "profile_city"]) "profile_"
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from gatecrash.core.words.names import plain, words_in

# Behind these, or before a capital, the second part of a name begins.
_BOUNDARY = re.compile(r"(?<=[._:$\-\]])(?=[A-Za-z])|(?<=[a-z0-9])(?=[A-Z])")
_LEAST_OF_ONE = 2

Manner = Callable[[str], str]
"""Writes a name as a request does."""


def by_plain(shown: Mapping[str, Any]) -> dict[str, Any]:
    """The values of an object by their names' plain forms."""
    return {plain(name): value for name, value in shown.items()}


def _pascal(name: str) -> str:
    return "".join(map(str.capitalize, words_in(name)))


def _camel(name: str) -> str:
    first, *others = words_in(name) or [""]
    return first + "".join(map(str.capitalize, others))


_MANNERS: tuple[Manner, ...] = (
    lambda name: "_".join(words_in(name)),
    _camel,
    _pascal,
    lambda name: "-".join(words_in(name)),
    lambda name: "_".join(words_in(name)).upper(),
    lambda name: "".join(words_in(name)),
    lambda name: "".join(words_in(name)).upper(),
)


def manner_of(shown: Iterable[str], sent: Iterable[str]) -> Manner | None:
    """The one manner that tells all of the sent names that are shown otherwise from how they are shown; None where none does."""
    written = {plain(name): name for name in sent}
    names = [name for name in shown if plain(name) in written]
    if all(written[plain(name)] == name for name in names):
        return None
    fitting = (each for each in _MANNERS if all(each(name) == written[plain(name)] for name in names))
    return next(fitting, None)


def shared_prefix(names: Iterable[str]) -> str:
    """What at least half of the names, and two of them, begin with before their own word; empty where there is nothing of that kind."""
    every = list(names)
    found = Counter(
        name[: boundary.start()] for name in every for boundary in _BOUNDARY.finditer(name) if boundary.start()
    )
    often = [
        prefix
        for prefix, times in found.items()
        if times >= max(_LEAST_OF_ONE, len(every) / 2) and times == max(found.values())
    ]
    return max(often, key=len, default="")
