"""MessagePack documents (github.com/msgpack/msgpack/blob/master/spec.md), with the steps of JSON, whose values they hold.

A text's or a binary value is its bytes; a number, true, false and nil are read as JSON writes them. Writing at a text makes
a text. Writing at anything else keeps numbers and literals what they are, and makes a text of the rest. Raw is JSON, put
into MessagePack: `{"$ne": 1}` becomes a map. Times and other extensions are values that are not looked into.
"""

import re
import struct
from typing import Final

import msgspec

from gatecrash.core.points.codec import (
    CONTAINER,
    LEAF,
    LIMITS,
    NAMED,
    OPAQUE,
    Codec,
    Limits,
    Part,
    Unreadable,
    splice,
    text,
)
from gatecrash.core.points.naming import distinct

STRING: Final = 10
BINARY: Final = 11
EXTENSION: Final = 12

# First byte: how many bytes tell the length behind it. Extensions have one more for their kind.
_SIZED: Final = {0xC4: 1, 0xC5: 2, 0xC6: 4, 0xC7: 1, 0xC8: 2, 0xC9: 4, 0xD9: 1, 0xDA: 2, 0xDB: 4}
_CONTAINERS: Final = {0xDC: 2, 0xDD: 4, 0xDE: 2, 0xDF: 4}
_LITERALS: Final = {0xC0: b"null", 0xC2: b"false", 0xC3: b"true"}
_NUMBERS: Final = {
    0xCA: ">f",
    0xCB: ">d",
    0xCC: ">B",
    0xCD: ">H",
    0xCE: ">I",
    0xCF: ">Q",
    0xD0: ">b",
    0xD1: ">h",
    0xD2: ">i",
    0xD3: ">q",
}
_FIXED_EXTENSIONS: Final = {0xD4: 1, 0xD5: 2, 0xD6: 4, 0xD7: 8, 0xD8: 16}
_KEEPS: Final = re.compile(rb"-?(?:0|[1-9][0-9]{0,18}+)(?:\.[0-9]++)?+(?:[eE][+-]?[0-9]++)?+|true|false|null")


class MessagePack(Codec):
    """Reads a document; each member and element is a part, containers before what they hold."""

    step = "msgpack"

    def looks(self, _data: bytes, /) -> bool:
        """Never unasked: nearly any bytes begin like a document."""
        return False

    def parts(self, data: bytes, limits: Limits, levels: int, /) -> list[Part]:
        """The document, then every value in it. Raises Unreadable."""
        reader = _Reader(data, limits.points, levels)
        if reader.item((), 0) != len(data) and not reader.is_full:
            raise Unreadable("bytes behind the end of the document")
        return distinct(reader.parts)

    def encode(self, _data: bytes, part: Part, value: bytes, /) -> bytes:
        """A text, bytes, or a number or literal where the place held no text and the value is one."""
        if part.kind == BINARY:
            return _headed(value, (0xC4, 0xC5, 0xC6))
        if part.kind in (STRING, NAMED) or _KEEPS.fullmatch(value) is None:
            return _headed(value, (0xD9, 0xDA, 0xDB))
        return _from_json(value)

    def insert(self, _data: bytes, _part: Part, value: bytes, /) -> bytes:
        """What the JSON text says; a text where it is none."""
        return _from_json(value)

    def name(self, data: bytes, part: Part, /) -> Part | None:
        """A member's name; an element has none."""
        if part.begin == part.start:
            return None
        reader = _Reader(data, 1, 1)
        end = reader.item((), part.begin)
        return Part((), part.begin, end, reader.parts[0].value, part.begin, part.finish, NAMED, OPAQUE)

    def remove(self, data: bytes, part: Part, /) -> bytes | None:
        """The document without the member or element, one less counted in what held it."""
        holder = _holder(data, part)
        if holder is None:
            return None
        first = data[holder.start]
        width = _CONTAINERS.get(first, 0)
        left = splice(data, part.begin, part.finish, b"")
        if not width:
            return splice(left, holder.start, holder.start + 1, bytes((first - 1,)))
        count = int.from_bytes(data[holder.start + 1 : holder.start + 1 + width], "big") - 1
        return splice(left, holder.start + 1, holder.start + 1 + width, count.to_bytes(width, "big"))


class _Reader:
    """One pass over one document."""

    def __init__(self, data: bytes, points: int, levels: int) -> None:
        self.parts: list[Part] = []
        self.is_full = False
        self._data = data
        self._points = points
        self._levels = levels
        self._leaves = 0

    def item(self, steps: tuple[str, ...], position: int, begin: int = -1) -> int:
        """Note the value that begins at a position; give the position behind it. begin: of its name, where it has one."""
        begin = position if begin < 0 else begin
        first = self._bytes(position, 1)[0]
        if 0x80 <= first <= 0x9F or first in _CONTAINERS:
            return self._container(steps, position, begin)
        start, end, kind = self._extent(first, position)
        value = self._data[start:end] if kind in (STRING, BINARY, EXTENSION) else self._scalar(first, position)
        self._leaves += 1
        self.parts.append(Part(steps, position, end, value, begin, end, kind, OPAQUE if kind == EXTENSION else 0))
        return end

    def _container(self, steps: tuple[str, ...], position: int, begin: int) -> int:
        if len(steps) // 2 >= self._levels:
            raise Unreadable(f"nested more than {self._levels} levels deep")
        first = self._data[position]
        width = _CONTAINERS.get(first, 0)
        count = int.from_bytes(self._bytes(position + 1, width), "big") if width else first & 0x0F
        is_map = first in (0xDE, 0xDF) or first < 0x90
        part = Part(steps, position, position, b"", begin, position, CONTAINER)
        self.parts.append(part)
        end = position + 1 + width
        for number in range(count):
            if self._leaves > self._points or len(self.parts) > 4 * self._points:
                self.is_full = True
                break
            end = self._member(steps, end) if is_map else self.item((*steps, "json_array", str(number)), end)
        part.end = part.finish = end
        return end

    def _member(self, steps: tuple[str, ...], position: int) -> int:
        first = self._bytes(position, 1)[0]
        if 0x80 <= first <= 0x9F or first in _CONTAINERS:
            raise Unreadable(f"a name at byte {position} that is a container")
        start, end, kind = self._extent(first, position)
        name = self._data[start:end] if kind in (STRING, BINARY, EXTENSION) else self._scalar(first, position)
        return self.item((*steps, "json_obj", text(name)), end, position)

    def _extent(self, first: int, position: int) -> tuple[int, int, int]:
        """Where a value's own bytes begin and end, and its kind."""
        size, width, kind = 0, 0, LEAF
        if 0xA0 <= first <= 0xBF:
            size, kind = first & 0x1F, STRING
        elif first in _SIZED:
            width = _SIZED[first]
            size = int.from_bytes(self._bytes(position + 1, width), "big") + (0xC7 <= first <= 0xC9)
            kind = STRING if first >= 0xD9 else EXTENSION if first >= 0xC7 else BINARY
        elif first in _FIXED_EXTENSIONS:
            size, kind = _FIXED_EXTENSIONS[first] + 1, EXTENSION
        elif first in _NUMBERS:
            size = struct.calcsize(_NUMBERS[first])
        elif first == 0xC1:
            raise Unreadable(f"a byte at {position} that begins nothing")
        start = position + 1 + width
        self._bytes(start, size)
        return start, start + size, kind

    def _scalar(self, first: int, position: int) -> bytes:
        if first in _LITERALS:
            return _LITERALS[first]
        form = _NUMBERS.get(first)
        if form is None:
            return b"%d" % (first if first < 0x80 else first - 0x100)
        number: int | float = struct.unpack_from(form, self._data, position + 1)[0]
        return msgspec.json.encode(number)

    def _bytes(self, position: int, size: int) -> bytes:
        found = self._data[position : position + size]
        if len(found) != size:
            raise Unreadable(f"the document ends within the value at byte {position}")
        return found


def _headed(value: bytes, kinds: tuple[int, int, int]) -> bytes:
    """The value behind the shortest head of its kind."""
    size = len(value)
    if size < 32 and kinds[0] == 0xD9:
        return bytes((0xA0 | size,)) + value
    if size < 0x100:
        return bytes((kinds[0], size)) + value
    if size < 0x10000:
        return bytes((kinds[1],)) + size.to_bytes(2, "big") + value
    return bytes((kinds[2],)) + size.to_bytes(4, "big") + value


def _from_json(value: bytes) -> bytes:
    try:
        return msgspec.msgpack.encode(msgspec.json.decode(value))
    except (msgspec.MsgspecError, OverflowError, RecursionError, UnicodeError):
        return _headed(value, (0xD9, 0xDA, 0xDB))


def _holder(data: bytes, part: Part) -> Part | None:
    """The innermost container around a part; None around the document itself."""
    around = [
        each
        for each in MESSAGE_PACK.parts(data, LIMITS, LIMITS.levels)
        if each.kind == CONTAINER and each.start < part.begin and part.finish <= each.end
    ]
    return around[-1] if around else None


MESSAGE_PACK = MessagePack()
