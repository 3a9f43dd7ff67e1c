"""Where a request holds points at all: its target, its headers, its body; and how each is put back."""

from typing import Final

import msgspec

from gatecrash.core.message import Request
from gatecrash.core.point import upper
from gatecrash.core.points.charset import charset_of
from gatecrash.core.points.codec import LEAF, Codec, Limits, Part, Unreadable, text
from gatecrash.core.points.formats.cookie import COOKIE
from gatecrash.core.points.formats.header import HEADER, credentials_offset
from gatecrash.core.points.formats.path import ACTION
from gatecrash.core.points.naming import distinct
from gatecrash.core.points.registry import TARGET, coding

IN_TARGET: Final = -1
IN_BODY: Final = -2
_AUTHORIZATION: Final = frozenset({"AUTHORIZATION", "PROXY-AUTHORIZATION"})


class Buffer(msgspec.Struct):
    """Bytes of a request with the parts that one codec finds in them; the parts' steps begin at the request.

    slot: IN_TARGET, IN_BODY, or the header's position.
    """

    codec: Codec
    data: bytes
    slot: int
    parts: list[Part]


class Plain(Codec):
    """A body as it came."""

    step = "post"

    def encode(self, _data: bytes, _part: Part, value: bytes, /) -> bytes:
        """The value itself."""
        return value

    def remove(self, _data: bytes, _part: Part, /) -> bytes | None:
        """An empty body."""
        return b""


class Coded(Codec):
    """A body under a content coding."""

    step = "post"

    def __init__(self, codec: Codec) -> None:
        """codec: what reads the coding."""
        self._codec = codec

    def encode(self, data: bytes, part: Part, value: bytes, /) -> bytes:
        """The value, compressed anew."""
        return self._codec.encode(data, part, value)

    def remove(self, _data: bytes, part: Part, /) -> bytes | None:
        """An empty body, compressed."""
        return self._codec.encode(b"", part, b"")


PLAIN: Final = Plain()


def target_buffers(request: Request, limits: Limits, codecs: tuple[Codec, ...] = TARGET) -> list[Buffer]:
    """The target as each of its codecs reads it. Raises Unreadable where it is longer than a body may be."""
    target = request.target
    if len(target) > limits.body:
        raise Unreadable(f"longer than {limits.body} bytes")
    return [Buffer(codec, target, IN_TARGET, codec.parts(target, limits, limits.levels)) for codec in codecs]


def header_buffers(request: Request, only: str = "") -> list[Buffer]:
    """Every header with its whole value; or those of one name in capitals."""
    buffers: list[Buffer] = []
    parts: list[Part] = []
    for slot, (raw, value) in enumerate(request.headers):
        name = upper(text(raw))
        if only and name != only:
            continue
        size = len(value)
        inner = credentials_offset(value) if name in _AUTHORIZATION else 0
        part = Part(("header", name), 0, size, value, 0, size, LEAF, inner)
        parts.append(part)
        buffers.append(Buffer(HEADER, value, slot, [part]))
    distinct(parts)
    return buffers


def cookie_buffers(request: Request, limits: Limits) -> list[Buffer]:
    """Every Cookie header with its cookies, which are told apart across headers (RFC 9113 section 8.2.3)."""
    buffers = [
        Buffer(COOKIE, value, slot, COOKIE.parts(value, limits, limits.levels))
        for slot, (name, value) in enumerate(request.headers)
        if name.lower() == b"cookie"
    ]
    if buffers:
        distinct([part for buffer in buffers for part in buffer.parts])
    return buffers


def body_buffer(request: Request, limits: Limits) -> Buffer:
    """The body behind its content coding; an empty body has none. Raises Unreadable."""
    body = request.body
    if len(body) > limits.body:
        raise Unreadable(f"longer than {limits.body} bytes")
    named, codec = coding(request)
    if not named or not body:
        return _uncoded(request, body, limits)
    if codec is None:
        raise Unreadable(f"the content coding {named} is not read")
    decoded = codec.parts(body, limits, limits.levels)[0].value
    return Buffer(Coded(codec), body, IN_BODY, [Part(("post",), 0, len(body), decoded, 0, len(body))])


def _uncoded(request: Request, body: bytes, limits: Limits) -> Buffer:
    charset = charset_of(request, body)
    if charset is not None:
        try:
            return Buffer(charset, body, IN_BODY, charset.parts(body, limits, limits.levels))
        except Unreadable:
            pass  # then it is bytes
    return Buffer(PLAIN, body, IN_BODY, [Part(("post",), 0, len(body), body, 0, len(body))])


def buffers_for(request: Request, steps: tuple[str, ...], limits: Limits) -> list[Buffer]:
    """The buffers in which a point can be, and no others. Raises Unreadable."""
    location = steps[0] if steps else ""
    if location == "header" and len(steps) > 1:
        return (
            cookie_buffers(request, limits) if steps[1:3] == ("COOKIE", "cookie") else header_buffers(request, steps[1])
        )
    if location == "post":
        return [body_buffer(request, limits)]
    codec = _TARGET_CODECS.get(location)
    return target_buffers(request, limits, (codec,)) if codec is not None else []


_TARGET_CODECS: Final[dict[str, Codec]] = {codec.step: codec for codec in TARGET} | {"action_ext": ACTION}


_LENGTH: Final = b"content-length"


def put_back(request: Request, slot: int, data: bytes | None) -> Request:
    """The request with the data of one slot replaced; None takes a header away."""
    if slot == IN_TARGET:
        return msgspec.structs.replace(request, target=data or b"")
    if slot == IN_BODY:
        return _with_body(request, data or b"")
    headers = request.headers
    if data is None:
        return msgspec.structs.replace(request, headers=headers[:slot] + headers[slot + 1 :])
    return msgspec.structs.replace(request, headers=(*headers[:slot], (headers[slot][0], data), *headers[slot + 1 :]))


def _with_body(request: Request, body: bytes) -> Request:
    headers = request.headers
    if len(body) != len(request.body):
        size = b"%d" % len(body)
        # Every payload in a body pays for this; lengths are compared first, and pairs that stay are not made anew.
        headers = tuple(
            [pair if len(pair[0]) != 14 or pair[0].lower() != _LENGTH else (pair[0], size) for pair in headers]
        )
    return msgspec.structs.replace(request, headers=headers, body=body)
