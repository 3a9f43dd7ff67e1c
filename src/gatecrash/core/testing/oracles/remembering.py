"""What was found out about a text is remembered: a target answers most payloads with the same few pages.

Bounded twice, by the number of entries and by their length: a page of a megabyte is seldom sent again byte by byte.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import TypeVar, TypeVarTuple, cast

LONGEST = 16 * 1024
ENTRIES = 128

Data = TypeVar("Data", str, bytes)
Found = TypeVar("Found")
Rest = TypeVarTuple("Rest")


def remembered(find: Callable[[Data, *Rest], Found]) -> Callable[[Data, *Rest], Found]:
    """A pure function whose findings on short texts are remembered. Its other arguments must be hashable."""
    known = cast("Callable[[Data, *Rest], Found]", lru_cache(ENTRIES)(find))

    def recall(data: Data, *rest: *Rest) -> Found:
        return known(data, *rest) if len(data) <= LONGEST else find(data, *rest)

    return recall
