"""The tap's connection to the application: reads its answers and hands them to the client's side."""

import asyncio
from typing import Protocol, cast

from gatecrash.core.message import Headers
from gatecrash.node.http1.body import Body, LengthBody, response_body
from gatecrash.node.http1.head import BrokenMessage, ResponseHead, read_response_head
from gatecrash.node.http1.reader import MessageReader
from gatecrash.node.observe.route import Origin


class Client(Protocol):
    """The client's side, as the upstream sees it."""

    def answer_started(self, head: ResponseHead) -> None:
        """The final head (or 101) came."""
        ...

    def interim(self, head: ResponseHead) -> None:
        """An interim answer came."""
        ...

    def answer_piece(self, piece: bytes) -> None:
        """A piece of the body came."""
        ...

    def answer_ended(self, trailers: Headers) -> None:
        """The answer is whole."""
        ...

    def raw_from_upstream(self, data: bytes) -> None:
        """Bytes of a tunnel."""
        ...

    def flush(self) -> None:
        """All that one read brought was handed over."""
        ...

    def upstream_full(self, full: bool) -> None:
        """The upstream's buffer is full, or has room again."""
        ...

    def upstream_eof(self) -> None:
        """A tunnel's other end closed its direction."""
        ...

    def upstream_lost(self, upstream: "UpstreamConnection", failure: str) -> None:
        """The connection is gone; failure: "" after an orderly end, `closed` or `broken`."""
        ...


class UpstreamConnection(asyncio.Protocol):
    """One connection to one origin, for one client: connection-bound credentials (NTLM) must never be shared.

    used: requests it carried. reusable: one more may follow. raw: a tunnel.
    """

    def __init__(self, client: Client, origin: Origin, *, raw: bool = False) -> None:
        self.origin = origin
        self.used = 0
        self.reusable = True
        self.raw = raw
        self.transport: asyncio.Transport | None = None
        self._client = client
        self._method = ""
        self._interim = False
        self._answering = False
        self._broken = False
        self._reader: MessageReader[ResponseHead] = MessageReader(self, read_response_head)

    @property
    def open(self) -> bool:
        """Whether bytes can be written."""
        return self.transport is not None and not self.transport.is_closing()

    def ask(self, method: str, head: bytes) -> None:
        """Starts a request."""
        assert self.transport is not None
        self._method = method
        self._answering = True
        self.used += 1
        if self._reader.waiting:
            self._reader.next()
        self.transport.write(head)

    def write(self, data: bytes) -> None:
        """More of the request, or of a tunnel."""
        if self.open:
            assert self.transport is not None
            self.transport.write(data)

    def write_eof(self) -> bool:
        """Closes our direction of a tunnel; false where the transport cannot (TLS), so that all of it must go."""
        if not self.open or self.transport is None or not self.transport.can_write_eof():
            return False
        self.transport.write_eof()
        return True

    def read(self, *, on: bool) -> None:
        """Stops reading, or reads on."""
        if self.transport is None or self.transport.is_closing():
            return
        if on:
            self.transport.resume_reading()
        else:
            self.transport.pause_reading()

    def drop(self) -> None:
        """Closes at once and tells nobody."""
        self._answering = False
        self.raw = False
        self.reusable = False
        self._client = _NOBODY
        if self.transport is not None:
            self.transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Connected."""
        self.transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        """A part of an answer or of a tunnel; bytes that nobody asked for end the connection."""
        if self.raw:
            self._client.raw_from_upstream(data)
            return
        if not self._answering:
            self.drop_idle()
            return
        try:
            self._reader.feed(data)
        except BrokenMessage:
            self._broken = True
            self.drop_idle()
            return
        self._pass_rest()
        self._client.flush()

    def _pass_rest(self) -> None:
        """What came behind the head of a 101 belongs to the tunnel already."""
        if self.raw and self._reader.rest:
            rest, self._reader.rest = self._reader.rest, b""
            self._client.raw_from_upstream(rest)

    def drop_idle(self) -> None:
        """Closes; the loss is reported as usual."""
        self.reusable = False
        if self.transport is not None:
            self.transport.abort()

    def eof_received(self) -> bool | None:
        """A tunnel may be half-closed; an answer ends here (TLS cannot stay half open)."""
        if not self.raw or self.transport is None or self.transport.get_extra_info("ssl_object") is not None:
            return None
        self._client.upstream_eof()
        return True

    def connection_lost(self, exc: Exception | None) -> None:
        """The end of an answer that is delimited by it, or a failure."""
        self.reusable = False
        if self._answering and not self.raw and exc is None:
            self._reader.close()
            self._client.flush()
        client, self._client = self._client, _NOBODY
        client.upstream_lost(self, "broken" if self._broken else "closed" if self._answering else "")

    def pause_writing(self) -> None:
        """The application reads slower than the client sends."""
        self._client.upstream_full(True)

    def resume_writing(self) -> None:
        """It caught up."""
        self._client.upstream_full(False)

    def head_received(self, head: ResponseHead) -> Body | None:
        """Interim answers are passed on; 101 ends the messages and starts a tunnel."""
        self._interim = head.status < 200 and head.status != 101
        if self._interim:
            self._client.interim(head)
            return LengthBody(0)
        if not head.keep_alive:
            self.reusable = False
        self._client.answer_started(head)
        return None if self.raw else response_body(head, self._method)

    def body_received(self, piece: bytes) -> None:
        """A piece of the body."""
        self._client.answer_piece(piece)

    def message_complete(self, trailers: Headers) -> None:
        """The answer ended; bytes behind it make the connection useless."""
        if self._interim:
            self._reader.next()
            return
        self._answering = False
        if self._reader.rest:
            self.reusable = False
        self._client.answer_ended(trailers)

    def start_tunnel(self) -> None:
        """From now on bytes pass as they are."""
        self.raw = True
        self._answering = False


class _Nobody:
    """Hears for a client that has gone or a connection that was dropped."""

    def answer_started(self, head: ResponseHead) -> None: ...
    def interim(self, head: ResponseHead) -> None: ...
    def answer_piece(self, piece: bytes) -> None: ...
    def answer_ended(self, trailers: Headers) -> None: ...
    def raw_from_upstream(self, data: bytes) -> None: ...
    def flush(self) -> None: ...
    def upstream_full(self, full: bool) -> None: ...
    def upstream_eof(self) -> None: ...
    def upstream_lost(self, upstream: "UpstreamConnection", failure: str) -> None: ...


_NOBODY = _Nobody()
