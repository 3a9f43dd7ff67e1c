"""The frames of WebSockets (RFC 6455 section 5), without I/O and without extensions.

Frames().feed(data)     the whole messages and control frames in what came
frame(TEXT, b"hello")   one frame as a client sends it
"""

import secrets
from typing import NamedTuple

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
_CONTINUED, _CONTROL = 0, 8
_FINAL, _RESERVED, _OPCODE, _MASKED, _LENGTH = 0x80, 0x70, 0x0F, 0x80, 0x7F
_TWO_BYTES, _EIGHT_BYTES = 126, 127
LONGEST = 8 * 1024 * 1024


class BrokenFrame(Exception):
    """What came is no frame, or one that is longer than anything that is read."""


class Message(NamedTuple):
    """A whole message, or a control frame. opcode: TEXT, BINARY, CLOSE, PING or PONG."""

    opcode: int
    data: bytes


def frame(opcode: int, data: bytes) -> bytes:
    """One final frame, masked by a fresh key, as a client's must be."""
    size, key = len(data), secrets.token_bytes(4)
    if size < _TWO_BYTES:
        length = bytes((_MASKED | size,))
    elif size < 1 << 16:
        length = bytes((_MASKED | _TWO_BYTES,)) + size.to_bytes(2, "big")
    else:
        length = bytes((_MASKED | _EIGHT_BYTES,)) + size.to_bytes(8, "big")
    return bytes((_FINAL | opcode,)) + length + key + _masked(data, key)


class Frames:
    """What one side says, cut into messages."""

    def __init__(self) -> None:
        self._held = b""
        self._opcode = _CONTINUED
        self._pieces: list[bytes] = []

    def feed(self, data: bytes) -> list[Message]:
        """The messages that are whole now. Raises BrokenFrame."""
        self._held += data
        found: list[Message] = []
        while (cut := _cut(self._held)) is not None:
            first, payload, self._held = cut
            message = self._taken(first, payload)
            if message is not None:
                found.append(message)
        return found

    def _taken(self, first: int, payload: bytes) -> Message | None:
        """A frame's part in its message; control frames may stand between the frames of one (section 5.4)."""
        opcode = first & _OPCODE
        if first & _RESERVED:
            raise BrokenFrame("an extension was not agreed upon")
        if opcode >= _CONTROL:
            return Message(opcode, payload)
        self._opcode = opcode or self._opcode
        self._pieces.append(payload)
        if sum(map(len, self._pieces)) > LONGEST:
            raise BrokenFrame("the message is too long")
        if not first & _FINAL:
            return None
        whole = Message(self._opcode, b"".join(self._pieces))
        self._pieces = []
        return whole


def _cut(held: bytes) -> tuple[int, bytes, bytes] | None:
    """The first byte and the payload of the first frame, and what stands behind it; None where it is not whole."""
    if len(held) < 2:
        return None
    begin, size = 2, held[1] & _LENGTH
    if size >= _TWO_BYTES:
        begin = 4 if size == _TWO_BYTES else 10
        if len(held) < begin:
            return None
        size = int.from_bytes(held[2:begin], "big")
    if size > LONGEST:
        raise BrokenFrame("the frame is too long")
    # No server masks (section 5.1); what does so all the same can be read.
    key = held[begin : begin + 4] if held[1] & _MASKED else b""
    begin += 4 if held[1] & _MASKED else 0
    if len(held) < begin + size:
        return None
    payload = held[begin : begin + size]
    return held[0], _masked(payload, key) if key else payload, held[begin + size :]


def _masked(data: bytes, key: bytes) -> bytes:
    pad = (key * (len(data) // 4 + 1))[: len(data)]
    return (int.from_bytes(data, "big") ^ int.from_bytes(pad, "big")).to_bytes(len(data), "big")
