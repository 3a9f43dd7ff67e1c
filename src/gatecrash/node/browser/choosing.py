"""Which of a page's controls is used next, so that each does what it does once and a list of a thousand rows has an end.

chosen = choosing.next(controls, route)     None where nothing is left there
"""

import re
from collections import Counter
from collections.abc import Iterable

import msgspec

from gatecrash.core.words.named import Words

_ALIKE, _OF_A_SHAPE = 2, 6
_NUMBERS = re.compile(r"\d+")
_ENDS = Words(r"(?:log|sign)[-\s_]?(?:out|off)\b", re.IGNORECASE)
# Where they lead back to what was there, or take away what is there, they come last.
_LATE = Words(
    r"^(?:x|\u00d7|\u2715|close|cancel|dismiss|back|reset|clear)$|delete|remove|discard|previous|language",
    re.IGNORECASE,
)


class Control(msgspec.Struct, frozen=True):
    """Something to be clicked on, or a field in which Enter is pressed. top: it stands in a dialog before the page. frame: what is
    around every page: its menus.
    """

    at: int
    kind: str
    text: str
    shape: str
    top: bool = False
    frame: bool = False


class Choosing:
    """What was used already."""

    def __init__(self) -> None:
        self._used: Counter[tuple[str, ...]] = Counter()

    def next(self, controls: Iterable[Control], route: str) -> Control | None:
        """The next to be used. What ends the session is never."""
        left = [each for each in controls if self._is_new(each, route) and not _ENDS.search(each.text)]
        chosen = min(left, key=_rank, default=None)
        if chosen is not None:
            self._used.update(_keys(chosen, route))
        return chosen

    def _is_new(self, control: Control, route: str) -> bool:
        alike, shape = _keys(control, route)
        return self._used[alike] < (_ALIKE if not control.frame else 1) and self._used[shape] < _OF_A_SHAPE


def _keys(control: Control, route: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    place = "" if control.frame else route
    return (place, control.kind, control.shape, _NUMBERS.sub("0", control.text)), (place, control.kind, control.shape)


def _rank(control: Control) -> tuple[bool, bool, int, bool]:
    """In a dialog first, then what sends a form."""
    order = ("submit", "enter", "click")
    return not control.top, _LATE.search(control.text.strip()) is not None, order.index(control.kind), control.frame
