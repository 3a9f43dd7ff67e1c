"""The body of a call of gRPC or gRPC-Web: framed messages of Protocol Buffers, read without their description.

Steps: those of JSON, with the numbers of fields in the place of names (`json_obj 3`); a field that occurs several times is
numbered with `json_array`, and so are messages where a body has several. A text's value is its bytes, a number's is its
decimal digits; numbers of a fixed size are passed over. Writing at a text makes a text, at a number a number; the lengths of
all that is around it fit again. Messages that are packed are not read.

References: gRPC over HTTP2 (Length-Prefixed-Message); gRPC-Web (its trailers are a frame of their own, and its text is Base64);
protobuf.dev, "Encoding".
"""

import base64
import binascii
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final, NamedTuple
from urllib.parse import unquote

from gatecrash.core.errors import UnwritableValue
from gatecrash.core.points.codec import CONTAINER, LEAF, OPAQUE, Codec, Limits, Part, Unreadable
from gatecrash.core.points.protobuf import (
    DELIMITED,
    VARINT,
    Field,
    NoMessage,
    as_varint,
    delimited,
    fields,
    is_message,
    is_text,
    varint,
)

NUMBER: Final = 10
_HEAD, _PACKED, _TRAILERS = 5, 0x01, 0x80
_WHOLE_NUMBER: Final = re.compile(rb"-?[0-9]{1,20}")
_MOST_DEEP: Final = 16


class Frame(NamedTuple):
    """One message. start, end: of its bytes behind the flag and the length."""

    flag: int
    start: int
    end: int


class _Place(NamedTuple):
    """A value: its steps, its field, and the fields around it from the outermost in, each within the payload of the one before."""

    steps: tuple[str, ...]
    frame: Frame
    around: tuple[Field, ...]
    field: Field
    value: bytes


class Grpc(Codec):
    """Reads the frames of a body. text: they are in Base64."""

    step = "grpc"

    def __init__(self, *, text: bool) -> None:
        self._text = text

    def looks(self, _data: bytes, /) -> bool:
        """Never unasked: the type of the body says it."""
        return False

    def parts(self, data: bytes, limits: Limits, levels: int, /) -> list[Part]:
        """Every value in its order. Raises Unreadable."""
        found: list[Part] = []
        several: set[tuple[str, ...]] = set()
        for place in _places(_unwrapped(data, text=self._text), min(levels, _MOST_DEEP)):
            if place.steps[-2:-1] == ("json_array",) and place.steps[:-2] not in several:
                several.add(place.steps[:-2])
                found.append(Part(place.steps[:-2], 0, len(data), b"", 0, len(data), CONTAINER, OPAQUE))
            kind = NUMBER if place.field.kind == VARINT else LEAF
            found.append(Part(place.steps, 0, len(data), place.value, 0, len(data), kind))
            if len(found) > limits.points:
                break
        return found

    def encode(self, data: bytes, part: Part, value: bytes, /) -> bytes:
        """The body with the value there. Raises UnwritableValue where a number is wanted, or several values are named."""
        plain = _unwrapped(data, text=self._text)
        place = next((each for each in _places(plain, _MOST_DEEP) if each.steps == part.steps), None)
        if place is None:
            raise UnwritableValue("several values are not written at once")
        if place.field.kind == VARINT and _WHOLE_NUMBER.fullmatch(value) is None:
            raise UnwritableValue("a number is wanted there")
        return self._wrapped(_with(plain, place, value))

    def insert(self, data: bytes, part: Part, value: bytes, /) -> bytes:
        """As any value: what stands there has a length, whatever it is."""
        return self.encode(data, part, value)

    def remove(self, data: bytes, part: Part, /) -> bytes | None:
        """The body without the value; nothing where several are meant."""
        plain = _unwrapped(data, text=self._text)
        place = next((each for each in _places(plain, _MOST_DEEP) if each.steps == part.steps), None)
        return None if place is None else self._wrapped(_with(plain, place, None))

    def _wrapped(self, plain: bytes) -> bytes:
        return base64.b64encode(plain) if self._text else plain


def told(body: bytes, *, text: bool) -> dict[str, Any] | None:
    """What an answer says: the values of its message by their numbers, and its trailers; None where it cannot be read."""
    try:
        plain = _unwrapped(body, text=text)
        found = list(_frames(plain))
        messages = [_document(plain[each.start : each.end], _MOST_DEEP) for each in found if each.flag == 0]
    except (Unreadable, NoMessage):
        return None
    document: dict[str, Any] = messages[0] if len(messages) == 1 else {"messages": messages} if messages else {}
    for each in found:
        if each.flag & _TRAILERS:
            for line in plain[each.start : each.end].decode("utf-8", "replace").splitlines():
                name, sign, value = line.partition(":")
                document |= {name.strip().lower(): unquote(value.strip())} if sign else {}
    return document


def _unwrapped(data: bytes, *, text: bool) -> bytes:
    """The frames; of Base64 each piece may have its own padding, as it comes piece by piece."""
    if not text:
        return data
    try:
        return b"".join(base64.b64decode(piece, validate=True) for piece in re.findall(rb"[^=\s]+={0,2}", data))
    except binascii.Error as error:
        raise Unreadable("no Base64") from error


def _frames(data: bytes) -> Iterator[Frame]:
    position = 0
    while position < len(data):
        start = position + _HEAD
        end = start + int.from_bytes(data[position + 1 : start], "big")
        if end > len(data):
            raise Unreadable("a frame that ends behind the body")
        if data[position] & _PACKED:
            raise Unreadable("a message that is packed")
        yield Frame(data[position], start, end)
        position = end


def _places(data: bytes, deep: int) -> Iterator[_Place]:
    messages = [each for each in _frames(data) if not each.flag & _TRAILERS]
    for number, frame in enumerate(messages):
        above = ("json_array", str(number)) if len(messages) > 1 else ()
        try:
            yield from _within(data[frame.start : frame.end], above, frame, (), deep)
        except NoMessage as error:
            raise Unreadable(str(error)) from error


def _within(
    message: bytes, above: tuple[str, ...], frame: Frame, around: tuple[Field, ...], deep: int
) -> Iterator[_Place]:
    held = fields(message)
    often, seen = Counter(each.number for each in held), Counter[int]()
    for field in held:
        steps = (*above, "json_obj", str(field.number))
        if often[field.number] > 1:
            steps = (*steps, "json_array", str(seen[field.number]))
            seen[field.number] += 1
        payload = message[field.start : field.end]
        if field.kind == DELIMITED and deep > 1 and is_message(payload):
            yield from _within(payload, steps, frame, (*around, field), deep - 1)
        elif field.kind in (DELIMITED, VARINT):
            yield _Place(steps, frame, around, field, _value(message, field))


def _value(message: bytes, field: Field) -> bytes:
    return b"%d" % varint(message, field.start)[0] if field.kind == VARINT else message[field.start : field.end]


def _with(data: bytes, place: _Place, value: bytes | None) -> bytes:
    """The body with another value, or without it: from the innermost message outwards, each length anew."""
    frame = place.frame
    messages = [data[frame.start : frame.end]]
    for field in place.around:
        messages.append(messages[-1][field.start : field.end])
    inner, field = messages.pop(), place.field
    if value is None:
        inner = inner[: field.tag] + inner[field.end :]
    elif field.kind == VARINT:
        inner = inner[: field.start] + as_varint(int(value)) + inner[field.end :]
    else:
        inner = delimited(inner, field, value)
    for outer, around in zip(reversed(messages), reversed(place.around), strict=True):
        inner = delimited(outer, around, inner)
    head = bytes((frame.flag,)) + len(inner).to_bytes(_HEAD - 1, "big")
    return data[: frame.start - _HEAD] + head + inner + data[frame.end :]


def _document(message: bytes, deep: int) -> dict[str, Any]:
    """A message by the numbers of its fields, each of several in a list."""
    found: dict[str, list[Any]] = {}
    for field in fields(message):
        payload = message[field.start : field.end]
        value: Any = payload.hex()
        if field.kind == VARINT:
            value = varint(message, field.start)[0]
        elif field.kind == DELIMITED and deep > 1 and is_message(payload):
            value = _document(payload, deep - 1)
        elif field.kind == DELIMITED and is_text(payload):
            value = payload.decode()
        found.setdefault(str(field.number), []).append(value)
    return {number: values[0] if len(values) == 1 else values for number, values in found.items()}


GRPC, GRPC_TEXT = Grpc(text=False), Grpc(text=True)
