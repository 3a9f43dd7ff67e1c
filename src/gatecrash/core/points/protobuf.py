"""Messages of Protocol Buffers as they are on the wire, without their description (protobuf.dev, "Encoding").

A message says of each value its number and how long it is, not what it means: what is delimited by its length is a text
where it is one, else a message where it can be read as one, else bytes (`is_message` has the exception).
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

VARINT, FIXED64, DELIMITED, FIXED32 = 0, 1, 2, 5
_LARGEST_FIELD: Final = (1 << 29) - 1
_LONGEST_VARINT: Final = 10
_BITS: Final = (1 << 64) - 1
_FIXED: Final = {FIXED64: 8, FIXED32: 4}
_BLANKS: Final = frozenset(b"\t\n\r")
_FIRST_TEXT: Final = 1 << 3 | DELIMITED
_FIRST_PRINTABLE, _DELETE = 0x20, 0x7F


class NoMessage(Exception):
    """The bytes are no message."""


class Field(NamedTuple):
    """One value. start, end: of its payload, behind its tag and, where it is delimited, its length. tag: where that begins."""

    number: int
    kind: int
    tag: int
    start: int
    end: int


def fields(data: bytes) -> list[Field]:
    """The values of a message in their order. Raises NoMessage."""
    return list(_fields(data))


def _fields(data: bytes) -> Iterator[Field]:
    position = 0
    while position < len(data):
        tag, behind = varint(data, position)
        number, kind = tag >> 3, tag & 7
        if not 1 <= number <= _LARGEST_FIELD:
            raise NoMessage("a field without a number")
        start = behind
        if kind == VARINT:
            end = varint(data, behind)[1]
        elif kind == DELIMITED:
            size, start = varint(data, behind)
            end = start + size
        elif kind in _FIXED:
            end = start + _FIXED[kind]
        else:
            raise NoMessage("a group, or no kind of a field at all")
        if end > len(data):
            raise NoMessage("a field that ends behind the message")
        yield Field(number, kind, position, start, end)
        position = end


def varint(data: bytes, position: int) -> tuple[int, int]:
    """The number at a position, and the position behind it. Raises NoMessage."""
    number = shift = 0
    for at in range(position, min(len(data), position + _LONGEST_VARINT)):
        number |= (data[at] & 0x7F) << shift
        shift += 7
        if data[at] < 0x80:
            return number, at + 1
    raise NoMessage("a number without an end")


def as_varint(number: int) -> bytes:
    """A number of 64 bits as it is written; a negative one in two's complement."""
    left, written = number & _BITS, bytearray()
    while left >= 0x80:
        written.append(left & 0x7F | 0x80)
        left >>= 7
    written.append(left)
    return bytes(written)


def is_text(data: bytes) -> bool:
    """Whether bytes are a text: UTF-8 without control characters other than blanks."""
    if any((byte < _FIRST_PRINTABLE and byte not in _BLANKS) or byte == _DELETE for byte in data):
        return False
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def is_message(data: bytes) -> bool:
    """Whether bytes can be read as a message and are no text, or one that begins as a message with a text as its first field does:
    a line end is the tag of that, and what is longer than 31 bytes has a length that looks like a letter.
    """
    if not data or (is_text(data) and data[0] != _FIRST_TEXT):
        return False
    try:
        return bool(fields(data))
    except NoMessage:
        return False


def delimited(data: bytes, field: Field, payload: bytes) -> bytes:
    """The message with another payload in a field that is delimited by its length."""
    head = data[field.tag : field.start]
    tag = head[: varint(head, 0)[1]]
    return data[: field.tag] + tag + as_varint(len(payload)) + payload + data[field.end :]
