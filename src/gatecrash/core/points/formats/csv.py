"""Comma-separated values, and those with tabs, semicolons or bars between them (RFC 4180).

Steps: `csv_row` N, then `csv_column` N, both from 0; whether the first row holds names is not asked, since a row's number
shall not depend on what stands in another. The first row tells what stands between the values. A value with quotes keeps
them; any other gets them where it holds what would divide it.
"""

import re
from typing import Final

from gatecrash.core.points.codec import LEAF, Codec, Limits, Part, Unreadable

QUOTED: Final = 10

_MARKS: Final = (b",", b";", b"\t", b"|")
_QUOTED: Final = re.compile(rb'"(?:[^"]|"")*+"')
_FIRST_LINE: Final = re.compile(rb'(?:"(?:[^"]|"")*+"|[^"\r\n])*+')
_BARE: Final[dict[bytes, re.Pattern[bytes]]] = {mark: re.compile(rb"[^\r\n" + mark + rb"]*+") for mark in _MARKS}
# Whatever might be taken for a mark is quoted, so that a written value never changes which mark it is.
_DIVIDES: Final = re.compile(rb'[,;\t|"\r\n]|^ | \Z')
# What programs call columns; and two lines at the least, or any sentence with a comma would be a table.
_TABLE: Final = re.compile(
    rb"(?:\xef\xbb\xbf)?+\"?[A-Za-z_][\w .-]{0,39}+\"?(?:[,;\t|]\"?[A-Za-z_][\w .-]{0,39}+\"?){1,99}+\r?\n[^\r\n]",
    re.ASCII,
)


class Csv(Codec):
    """Reads rows; every value is a part."""

    step = "csv"
    first_bytes = b'"ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz\xef'

    def looks(self, data: bytes, /) -> bool:
        """Whether a value is a table with a row of names, all its rows equally long."""
        if b"\n" not in data or _TABLE.match(data) is None or b"\x00" in data:
            return False
        try:
            parts = self.parts(data, Limits(points=1_000), 2)
        except Unreadable:
            return False
        lengths = {row: int(column) for _, row, _, column in (part.steps for part in parts)}
        # The last of too many may have been cut off.
        if len(parts) > 1_000:
            lengths.popitem()
        return len(set(lengths.values())) == 1

    def parts(self, data: bytes, limits: Limits, _levels: int, /) -> list[Part]:
        """The values, row by row; empty lines hold none. Raises Unreadable where a quote is not closed."""
        parts: list[Part] = []
        mark = _mark_of(data)
        position = 3 if data.startswith(b"\xef\xbb\xbf") else 0
        row = column = 0
        while position < len(data) and len(parts) <= limits.points:
            if column == 0 and data[position] in b"\r\n":
                position += 1
                continue
            part = _cell(data, position, mark)
            part.steps = ("csv_row", str(row), "csv_column", str(column))
            parts.append(part)
            position = part.finish
            if data.startswith(mark, position):
                position += 1
                column += 1
                if position < len(data):
                    continue
                parts.append(
                    Part(("csv_row", str(row), "csv_column", str(column)), position, position, b"", position, position)
                )
            row, column = row + 1, 0
        return parts

    def encode(self, _data: bytes, part: Part, value: bytes, /) -> bytes:
        """The value, in quotes where it had some or needs them."""
        if part.kind != QUOTED and _DIVIDES.search(value) is None:
            return value
        return b'"' + value.replace(b'"', b'""') + b'"'

    def remove(self, data: bytes, part: Part, /) -> bytes | None:
        """An empty value: without its place, those behind it would move into other columns."""
        return data[: part.begin] + data[part.finish :]


def _mark_of(data: bytes) -> bytes:
    """What the first row has most of, outside of quotes; a comma where it has nothing of the kind."""
    found = _FIRST_LINE.match(data.lstrip(b"\r\n"))
    line = _QUOTED.sub(b"", found[0] if found else b"")
    return max(_MARKS, key=line.count)


def _cell(data: bytes, start: int, mark: bytes) -> Part:
    """The value that begins at a position."""
    if data.startswith(b'"', start):
        match = _QUOTED.match(data, start)
        if match is None or data[match.end() : match.end() + 1] not in (b"", b"\r", b"\n", mark):
            raise Unreadable(f"a quote at byte {start} that is not closed before the end of its value")
        value = match[0][1:-1].replace(b'""', b'"')
        return Part((), start, match.end(), value, start, match.end(), QUOTED)
    match = _BARE[mark].match(data, start)
    end = match.end() if match else start
    return Part((), start, end, data[start:end], start, end, LEAF)


CSV = Csv()
