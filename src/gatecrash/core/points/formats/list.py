"""Several values in one, with commas, semicolons or bars between them: `ids=1,2,3`, `Accept-Language: de-DE,de;q=0.9`.

Steps: `list` N. Nothing is taken for a list unasked, since any sentence with a comma would be one; a point names it.
"""

import re
from typing import Final

from gatecrash.core.errors import UnwritableValue
from gatecrash.core.points.codec import Codec, Limits, Part, Unreadable

_MARKS: Final = (b",", b";", b"|")
# Blanks only behind a mark, and no brackets or quotes: that is what tells a list from a text and from what programs write.
_LIST: Final = re.compile(
    rb"""[^\s"'<>(){},]++(?:, ?+[^\s"'<>(){},]++)++"""
    rb"""|[^\s"'<>(){},;]++(?:; ?+[^\s"'<>(){},;]++)++"""
    rb"""|[^\s"'<>(){},;|]++(?:\|[^\s"'<>(){},;|]++)++"""
)
_LONGEST: Final = 512


class List(Codec):
    """Reads the values between the first kind of mark that the data has."""

    step = "list"

    def looks(self, data: bytes, /) -> bool:
        """Whether a value may be a list: short, two values at the least, none empty, no blank within one."""
        return len(data) <= _LONGEST and _LIST.fullmatch(data) is not None

    def parts(self, data: bytes, limits: Limits, _levels: int, /) -> list[Part]:
        """The values without the blanks before them. Raises Unreadable where there is no mark."""
        mark = _mark_of(data)
        parts: list[Part] = []
        position = 0
        for number, piece in enumerate(data.split(mark, limits.points + 1)[: limits.points + 1]):
            value = piece.lstrip(b" ")
            finish = position + len(piece)
            parts.append(Part((str(number),), finish - len(value), finish, value, position, finish))
            position = finish + 1
        return parts

    def encode(self, data: bytes, _part: Part, value: bytes, /) -> bytes:
        """The value as it is. Raises UnwritableValue for one that would be divided: lists have no way to quote."""
        mark = _mark_of(data)
        if any(each in value for each in _MARKS[: _MARKS.index(mark) + 1]) or value.startswith(b" "):
            raise UnwritableValue("a value in a list cannot hold what stands between the values")
        return value

    def remove(self, data: bytes, part: Part, /) -> bytes | None:
        """The list without the value and one mark."""
        if part.finish < len(data):
            return data[: part.begin] + data[part.finish + 1 :].lstrip(b" ")
        return data[: part.begin - 1] if part.begin else None


def _mark_of(data: bytes) -> bytes:
    for mark in _MARKS:
        if mark in data:
            return mark
    raise Unreadable("no values with marks between them")


LIST = List()
