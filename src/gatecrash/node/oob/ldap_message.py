"""What a directory's client says and hears until it has told whom it looks for, as bytes (RFC 4511, section 4).

A small reader of our own: one message after the other, of which the bind and the search alone are told apart. Every bind is
taken, no object is ever there: a client learns nothing and loads nothing.
"""

import asyncio
from typing import NamedTuple

SEQUENCE = 0x30
BIND, SEARCH = 0x60, 0x63
_BOUND, _FOUND = 0x61, 0x65
_NUMBER, _TEXT = 0x02, 0x04
_SUCCESS, _NO_SUCH_OBJECT = 0, 32
_LONG_FORM, _MOST_LENGTH_BYTES = 0x80, 4
_LONGEST = 16 * 1024


class Message(NamedTuple):
    """A client's message. kind: the operation's tag. base: of a search, the name of the object it begins at."""

    number: bytes
    kind: int
    base: str = ""


async def read_message(reader: asyncio.StreamReader, begun: bytes = b"") -> Message | None:
    """The next message; None where it is none. begun: what of it was read already, its first byte or nothing.

    Raises asyncio.IncompleteReadError where the client goes away.
    """
    tag = begun or await reader.readexactly(1)
    first = await reader.readexactly(1)
    more = await reader.readexactly(_more(first[0]))
    length = int.from_bytes(more or first, "big")
    if tag[0] != SEQUENCE or length > _LONGEST:
        return None
    content = await reader.readexactly(length)
    number, rest = _taken(content, _NUMBER)
    if number is None or not rest:
        return None
    asked, _ = _taken(rest, rest[0])
    base = _taken(asked, _TEXT)[0] if asked is not None and rest[0] == SEARCH else None
    return Message(number, rest[0], (base or b"").decode("utf-8", "replace"))


def answer(message: Message) -> bytes:
    """A bind succeeds, and what is looked for is not there. Nothing to any other message."""
    kinds = {BIND: (_BOUND, _SUCCESS), SEARCH: (_FOUND, _NO_SUCH_OBJECT)}
    if message.kind not in kinds:
        return b""
    kind, code = kinds[message.kind]
    result = bytes((0x0A, 1, code, _TEXT, 0, _TEXT, 0))
    told = bytes((_NUMBER, len(message.number))) + message.number + bytes((kind, len(result))) + result
    return bytes((SEQUENCE, len(told))) + told


def _more(length: int) -> int:
    """How many bytes of a length follow its first; 0 where that is all of it, or too much."""
    many = length - _LONG_FORM
    return many if 0 < many <= _MOST_LENGTH_BYTES else 0


def _taken(data: bytes, tag: int) -> tuple[bytes | None, bytes]:
    """The content of the first element, and what follows it; None where it has another tag or is cut short."""
    if len(data) < 2 or data[0] != tag:
        return None, b""
    more = _more(data[1])
    begin = 2 + more
    length = int.from_bytes(data[2:begin] if more else data[1:2], "big")
    content = data[begin : begin + length]
    return (content, data[begin + length :]) if len(content) == length else (None, b"")
