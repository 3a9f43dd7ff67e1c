"""What was found out about a text is remembered: a target answers most payloads with the same few pages.

Bounded twice, by the number of entries and by their length: a page of a megabyte is seldom sent again byte by byte.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Concatenate, ParamSpec, TypeVar, cast

LONGEST = 16 * 1024
ENTRIES = 128

Data = TypeVar("Data", str, bytes)
Found = TypeVar("Found")
Rest = ParamSpec("Rest")


def remembered(find: Callable[Concatenate[Data, Rest], Found]) -> Callable[Concatenate[Data, Rest], Found]:
    """A pure function whose findings on short texts are remembered. Its other arguments must be hashable."""
    known = cast("Callable[Concatenate[Data, Rest], Found]", lru_cache(ENTRIES)(find))

    def recall(data: Data, /, *args: Rest.args, **kwargs: Rest.kwargs) -> Found:
        return known(data, *args, **kwargs) if len(data) <= LONGEST else find(data, *args, **kwargs)

    return recall
