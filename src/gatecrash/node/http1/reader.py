"""Cuts a connection's bytes into messages, one at a time: the next one starts only when it is asked for."""

from typing import Generic, Protocol, TypeVar

from gatecrash.core.message import Headers
from gatecrash.node.http1.body import Body
from gatecrash.node.http1.head import MAX_HEAD, BrokenMessage, end_of_head

Head = TypeVar("Head")
HeadIn = TypeVar("HeadIn", contravariant=True)
HeadOut = TypeVar("HeadOut", covariant=True)


_LINE_ENDS = b"\r\n"
_TLS_HANDSHAKE = b"\x16"  # RFC 8446 section 5.1: no message of HTTP begins so


class Reads(Protocol[HeadOut]):
    """Reads a head's bytes."""

    def __call__(self, head: bytes, /) -> HeadOut:
        """The head; raises BrokenMessage."""
        ...


class Sink(Protocol[HeadIn]):
    """Whoever takes the messages."""

    def head_received(self, head: HeadIn) -> Body | None:
        """A head came; the answer says how its body is read, None that no more is to be read as messages (a tunnel)."""
        ...

    def body_received(self, piece: bytes) -> None:
        """A piece of the body came."""
        ...

    def message_complete(self, trailers: Headers) -> None:
        """The message ended."""
        ...


class MessageReader(Generic[Head]):
    """Feeds a sink with one message after the other.

    After `message_complete` it waits: what arrives is held until `next()`, so that a pipelined request is not looked at
    before its turn. rest: bytes not yet read. waiting: a message ended and the next was not asked for. idle: between two
    messages, nothing held.
    """

    __slots__ = ("_body", "_feeding", "_read", "_sink", "rest", "waiting")

    def __init__(self, sink: Sink[Head], read: Reads[Head]) -> None:
        self.rest = b""
        self._sink = sink
        self._read = read
        self._body: Body | None = None
        self.waiting = False
        self._feeding = False

    @property
    def idle(self) -> bool:
        """Whether nothing of a message was seen that is not finished."""
        return self._body is None and not self.rest

    @property
    def fresh(self) -> bool:
        """Whether the next byte is a message's first one, and is read as soon as it comes."""
        return self._body is None and not self.rest and not self.waiting

    def next(self) -> None:
        """Goes on to the next message, with what is held. Raises BrokenMessage."""
        self.waiting = False
        if self.rest and not self._feeding:
            self.feed(b"")

    def feed(self, data: bytes) -> None:
        """Takes what arrived. Raises BrokenMessage.

        Reads on while the sink asks for the next message: a loop, or many short messages would exhaust the stack. One
        function for all of it, since all traffic passes here and calls were half of its cost.
        """
        if self.waiting or self._feeding:
            self.rest += data
            return
        self._feeding = True
        sink = self._sink
        try:
            while True:
                body = self._body
                if body is None:
                    data = self._head(data)
                    body = self._body
                    if body is None:
                        return
                if not body.done:
                    if not data:
                        return
                    piece, data = body.feed(data)
                    if piece:
                        sink.body_received(piece)
                    if not body.done:
                        return
                # Set before the sink is told: it may call next() at once.
                self._body = None
                self.waiting = True
                self.rest = data
                sink.message_complete(body.trailers)
                if self.waiting or not self.rest:
                    return
                data = b""
        finally:
            self._feeding = False

    def close(self) -> bool:
        """The connection ended; whether the message that was under way is whole (and then completed)."""
        if self.waiting or self._body is None:
            return self.waiting or not self.rest
        body = self._body
        if not body.close():
            return False
        self._body = None
        self.waiting = True
        self._sink.message_complete(body.trailers)
        return True

    def _head(self, data: bytes) -> bytes:
        """Reads a head if it is whole; returns the bytes behind it."""
        if self.rest:
            data = self.rest + data
            self.rest = b""
        if data and data[0] in _LINE_ENDS:
            # Empty lines before a message are skipped (RFC 9112 section 2.2): old clients send one after a body.
            data = data.lstrip(b"\r\n")
        end, start = end_of_head(data) or (len(data), 0)
        if end > MAX_HEAD:
            raise BrokenMessage("The head is over 256 KiB.", too_large=True)
        if not start:
            if data[:1] == _TLS_HANDSHAKE:  # it would wait for ever, for an end of line that never comes
                raise BrokenMessage(
                    "TLS was begun where plain HTTP is spoken: the address begins with http://, not https://."
                )
            self.rest = data
            return b""
        body = self._body = self._sink.head_received(self._read(data[:end]))
        if body is None:
            self.waiting = True
            self.rest = data[start:]
            return b""
        return data[start:]
