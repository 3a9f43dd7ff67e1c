"""What lists of GraphQL are asked by, as most servers write it: pages by cursors, and objects that compare.

A page is asked for in one direction: `first` with `after`, or `last` with `before`, and a made-up cursor leads to nothing. Of an
object whose fields compare one value (`{eq, contains, gt}`) one is asked by, for a row would have to fit all of them.
References: GraphQL Cursor Connections, section 4; the filters of generated schemas (`_eq`, `equals`, `contains`).
"""

import re
from collections.abc import Collection, Iterable
from typing import Any, Final

FIRST: Final = "first"
_OTHER_WAYS: Final = frozenset({"after", "before", "last"})
_COMPARES: Final = re.compile(
    r"_*(?:eq|equals?|is|in|not?|neq?|nin|not_?(?:in|equals?)|[gl]te?|i?contains|n?i?like|starts_?with|ends_?with|i?regex|matches|exact)",
    re.IGNORECASE,
)
# The likeliest to find something, the first that is there.
_LIKELIEST: Final = ("eq", "equals", "equal", "is", "exact", "contains", "like", "icontains", "ilike", "startswith")
_JOINS: Final = re.compile(r"_*(?:and|or|not|nor)", re.IGNORECASE)
_LEAST: Final = 2


def without_other_ways(names: Collection[str], arguments: Iterable[Any]) -> list[Any]:
    """The arguments without those that ask for another page than the first one; all where no page is asked for."""
    given = zip(names, arguments, strict=True)
    return [each for name, each in given if FIRST not in names or name not in _OTHER_WAYS]


def compares(name: str) -> bool:
    """Whether a field of a filter compares, and says nothing of what."""
    return _COMPARES.fullmatch(name) is not None


def asked_by(names: Collection[str]) -> list[str]:
    """The fields of a filter to ask by: of comparisons (`eq`, `lt`) the likeliest one, of any others all but `and`, `or`, `not`."""
    if len(names) < _LEAST or not all(map(compares, names)):
        return [name for name in names if not _JOINS.fullmatch(name)] or list(names)
    plain = {name.replace("_", "").lower(): name for name in names}
    return [next((plain[word] for word in _LIKELIEST if word in plain), next(iter(names)))]
