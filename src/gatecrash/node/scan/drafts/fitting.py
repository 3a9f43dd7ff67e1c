"""Which of the values that answers taught may stand in a hole, and what those are called that say themselves what they name.

Servers that show `Q2FyZDo1MTA=` count their cards all the same: where nothing but a number may stand, the one within such
an identifier is meant. It names a card, too, where a member `item` has it.
"""

import re
from collections.abc import Iterable, Iterator

from gatecrash.core.testing.authorization.objects.global_ids import GlobalId
from gatecrash.formats.draft import Hole

_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


def is_uuid(text: str) -> bool:
    """Whether a text is a UUID, which of all things names one alone."""
    return _UUID.fullmatch(text) is not None


def fitting(hole: Hole, known: Iterable[str | int]) -> Iterator[str | int]:
    """The known values that fit the hole, each written as its type wants it: a number also out of a global identifier."""
    for one in known:
        if not hole.counted or isinstance(one, int) or one.isdigit():
            yield one
        else:
            told = GlobalId.read(one)
            if told is not None and told.inner.isdigit():
                yield told.inner


def names_told_by(value: str | int, called: str) -> tuple[str, ...]:
    """By which name an identifier is asked for besides, as it says itself: `cardid` of what stands in `item {id}`."""
    told = GlobalId.read(value) if isinstance(value, str) else None
    return (f"{told.thing}id",) if told is not None and f"{told.thing}id" != called else ()
