"""A connection that opens a WebSocket: says what the opening's body holds, and hears what the server says.

A socket need not end, and neither side need say anything. So it is listened to until the server is quiet, and what it
said until then is the body of its answer, one message a line. With which code and why it closed (RFC 6455 section 7.4)
stands behind the answer's headers, as `WebSocket-Close`. A refusal is read as any other answer.
"""

import re

import msgspec

from gatecrash.core.message import Headers
from gatecrash.node.test.connections.connection import Bounds, TargetConnection
from gatecrash.node.test.connections.frames import CLOSE, BrokenFrame, Talk

FIRST_WORD, QUIET, LONGEST_TALK = 1.5, 0.5, 2.0
"""Seconds: for the first message, from one to the next, and for all of them."""

MOST_MESSAGES = 20
_LINE_ENDS = re.compile(rb"[\r\n]+")


class SocketTarget(TargetConnection):
    """A connection for one opening. said: what is sent through the socket, one text message a line."""

    def __init__(self, bounds: Bounds, said: bytes) -> None:
        super().__init__(bounds)
        self._to_say = said.split(b"\n") if said else []
        self._talk: Talk | None = None
        self._heard = 0
        self._opened = self._last = self._answered = 0.0

    def data_received(self, data: bytes) -> None:
        """A part of the answer, or of what is said behind it."""
        if self._talk is None:
            super().data_received(data)
        elif self._turn is not None:
            self._hear(data)

    def message_complete(self, trailers: Headers) -> None:
        """The head of an answer that agrees is all of it: what follows are frames."""
        turn = self._turn
        if turn is None or turn.head is None or turn.head.status != 101:
            super().message_complete(trailers)
            return
        self._talk, self.reusable = Talk(), False
        self._opened = self._last = self._loop.time()
        self._say()
        rest, self._reader.rest = self._reader.rest, b""
        self._hear(rest)

    def connection_lost(self, exc: Exception | None) -> None:
        """The end of a socket is the end of what is said."""
        if self._talk is not None and self._turn is not None:
            self._end("")
        super().connection_lost(exc)

    def _hear(self, data: bytes) -> None:
        assert self._talk is not None
        try:
            for message in self._talk.hear(data):
                if self._turn is None:
                    return
                if message.opcode is CLOSE:
                    self._close(message.data)
                    return
                self._keep(message.data)
                self._say()
            self._send_due()
        except BrokenFrame:
            self._end("broken")
            return
        if self._heard >= MOST_MESSAGES:
            self._bid_farewell()
        elif self._turn is not None:
            self._set_timer(self._due())

    def _keep(self, message: bytes) -> None:
        self._heard += 1
        self._last = self._loop.time()
        self._answered = self._answered or self._last
        self.body_received((b"\n" if self._heard > 1 else b"") + message)

    def _say(self) -> None:
        """The next of the messages: what is asked too early is refused by who wants to greet first."""
        if self._to_say and self._talk is not None:
            self._talk.say(self._to_say.pop(0))
            self._send_due()
            self._last, self._answered = self._loop.time(), 0.0

    def _send_due(self) -> None:
        due = self._talk.due() if self._talk is not None else b""
        if due and self._transport is not None and not self._transport.is_closing():
            self._transport.write(due)

    def _due(self) -> float:
        patience = QUIET if self._heard or self._to_say else FIRST_WORD
        return min(self._last + patience, self._opened + LONGEST_TALK)

    def _check_time(self) -> None:
        """The server is quiet: it is told the next, or the talk is over."""
        if self._talk is None:
            super()._check_time()
            return
        self._timer = None
        now = self._loop.time()
        if self._turn is None:
            return
        if self._to_say and now < self._opened + LONGEST_TALK:
            self._say()
        if self._due() > now:
            self._set_timer(self._due())
        else:
            self._bid_farewell()

    def _close(self, data: bytes) -> None:
        """The server closes. data: the code in two bytes and a text behind it, or nothing."""
        assert self._turn is not None
        assert self._turn.head is not None
        told = b" ".join(filter(None, (b"%d" % int.from_bytes(data[:2], "big") if data else b"", data[2:])))
        headers = (*self._turn.head.headers, (b"WebSocket-Close", _LINE_ENDS.sub(b" ", told)))
        self._turn.head = msgspec.structs.replace(self._turn.head, headers=headers)
        self._bid_farewell()

    def _bid_farewell(self) -> None:
        """The time that the target took is that to its first word, or to the first behind what it was told: it tells of some
        things for ever, and of others nothing.
        """
        if self._turn is not None:
            self._turn.ended = self._answered or self._last
        if self._talk is not None:
            self._talk.end()
        self._send_due()
        self._end("")
