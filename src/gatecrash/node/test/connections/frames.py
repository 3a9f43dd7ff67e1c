"""One side of an open WebSocket, without I/O and without extensions: `websockets` reads and writes its frames (RFC 6455 section 5).

Talk().hear(data)     the whole messages in what came, and what was heard of its end
Talk().say(b"hello")  a text message; end() bids farewell
Talk().due()          the bytes to be sent by now: what was said, and what pings and the other's farewell ask for
"""

import logging
from typing import Final, NamedTuple

from websockets.frames import CloseCode, Frame, Opcode
from websockets.protocol import Protocol, Side, State

TEXT, BINARY, CLOSE = Opcode.TEXT, Opcode.BINARY, Opcode.CLOSE
LONGEST: Final = 8 * 1024 * 1024
"""Bytes of one message."""

# The library would write all that is said into a log whose level lets it.
_SILENT = logging.getLogger(f"{__name__}.silent")
_SILENT.disabled = True


class BrokenFrame(Exception):
    """What came is no frame, or one of a message that is longer than anything that is read."""


class Message(NamedTuple):
    """A whole message, or the other's farewell with its code in two bytes. opcode: TEXT, BINARY or CLOSE."""

    opcode: Opcode
    data: bytes


class Talk:
    """What a client says and hears, or with `server` what the other side does."""

    def __init__(self, *, server: bool = False) -> None:
        self._protocol = Protocol(Side.SERVER if server else Side.CLIENT, max_size=LONGEST, logger=_SILENT)
        self._opcode = TEXT
        self._pieces: list[bytes] = []

    def hear(self, data: bytes) -> list[Message]:
        """The messages that are whole now; nothing is heard behind a farewell. Raises BrokenFrame."""
        self._protocol.receive_data(data)
        found: list[Message] = []
        for event in self._protocol.events_received():
            message = self._taken(event) if isinstance(event, Frame) else None
            if message is not None:
                found.append(message)
        if not found and self._protocol.parser_exc is not None:
            raise BrokenFrame(str(self._protocol.parser_exc))
        return found

    def say(self, data: bytes) -> None:
        """One text message, where the other has not bidden farewell."""
        if self._protocol.state is State.OPEN:
            self._protocol.send_text(data)

    def end(self, code: int = CloseCode.NORMAL_CLOSURE) -> None:
        """A farewell, where none was said."""
        if self._protocol.state is State.OPEN:
            self._protocol.send_close(code)

    def due(self) -> bytes:
        """What is to be sent now."""
        return b"".join(self._protocol.data_to_send())

    def _taken(self, part: Frame) -> Message | None:
        """A frame's part in its message; control frames may stand between the frames of one (section 5.4)."""
        if part.opcode is CLOSE:
            return Message(CLOSE, bytes(part.data))
        if part.opcode not in (TEXT, BINARY, Opcode.CONT):
            return None
        self._opcode = self._opcode if part.opcode is Opcode.CONT else part.opcode
        self._pieces.append(bytes(part.data))
        if not part.fin:
            return None
        whole = Message(self._opcode, b"".join(self._pieces))
        self._pieces = []
        return whole
