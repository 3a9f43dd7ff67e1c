"""The tap's connection to the application: reads its answers and hands them to the client's side."""

import asyncio
from typing import Protocol, cast

from gatecrash.core.message import Headers
from gatecrash.node.http1.body import NO_BODY, Body, response_body
from gatecrash.node.http1.head import BrokenMessage, ResponseHead
from gatecrash.node.http1.reader import MessageReader
from gatecrash.node.observe.back_pressure import set_reading
from gatecrash.node.observe.route import Origin
from gatecrash.node.observe.whole import WholeAnswer, WholeAnswers
from gatecrash.node.upstream_proxy import UpstreamProxy


class Client(Protocol):
    """The client's side, as the upstream sees it."""

    def answer_started(self, head: ResponseHead, body: Body) -> None:
        """The final head (or 101) came. body: how its body is delimited."""
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

    def answer_whole(self, answer: WholeAnswer, data: bytes) -> bool:
        """An answer came in one read; false where it has to be handed over in parts."""
        ...

    def flush(self) -> None:
        """All that one read brought was handed over."""
        ...

    def upstream_full(self, full: bool) -> None:
        """The upstream's buffer is full, or has room again."""
        ...

    def upstream_switched(self, transport: asyncio.Transport, rest: bytes) -> None:
        """The answer was 101: the transport is the client's to use; rest came behind the answer."""
        ...

    def upstream_lost(self, upstream: "UpstreamConnection", failure: str) -> None:
        """The connection is gone; failure: "" after an orderly end, `closed` or `broken`."""
        ...


class UpstreamConnection(asyncio.Protocol):
    """One connection to one origin, for one client: connection-bound credentials (NTLM) must never be shared.

    used: requests it carried. reusable: one more may follow. switched: the client's side agreed to leave HTTP.
    """

    def __init__(self, client: Client, origin: Origin) -> None:
        self.origin = origin
        self.used = 0
        self.reusable = True
        self.switched = False
        self.transport: asyncio.Transport | None = None
        self._client = client
        self._method = ""
        self._interim = False
        self._answering = False
        self._broke = ""  # what was wrong with the answer
        self._whole = WholeAnswers()
        self._reader: MessageReader[ResponseHead] = MessageReader(self, self._whole.read)

    @property
    def open(self) -> bool:
        """Whether bytes can be written."""
        return self.transport is not None and not self.transport.is_closing()

    def leads_to(self, origin: Origin) -> bool:
        """Whether one more request to there may be sent."""
        same = self.origin is origin or self.origin == origin
        return self.reusable and same and self.transport is not None and not self.transport.is_closing()

    def ask(self, method: str, head: bytes) -> None:
        """Starts a request."""
        assert self.transport is not None
        self._method = method
        self._answering = True
        self.used += 1
        self._reader.next()
        self.transport.write(head)

    def write(self, data: bytes) -> None:
        """More of the request."""
        if self.open:
            assert self.transport is not None
            self.transport.write(data)

    @property
    def ending(self) -> str:
        """How it ended without an answer, for a sentence about the application."""
        return (
            f"answered with something that is not HTTP. {self._broke}" if self._broke else "closed without an answer."
        )

    def read(self, *, on: bool) -> None:
        """Stops reading, or reads on."""
        set_reading(self.transport, on=on)

    def drop(self) -> None:
        """Closes at once and tells nobody."""
        self._answering = False
        self.reusable = False
        self._client = _NOBODY
        if self.transport is not None:
            self.transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Connected."""
        self.transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        """A part of an answer; bytes that nobody asked for end the connection."""
        if not self._answering:
            self.drop_idle()
            return
        try:
            if self._reader.fresh and self._is_whole(data):
                return
            self._reader.feed(data)
        except BrokenMessage as error:
            self._broke = str(error)
            self.drop_idle()
            return
        self._client.flush()
        if self.switched and self.transport is not None:
            client, self._client = self._client, _NOBODY
            client.upstream_switched(self.transport, self._reader.rest)

    def _is_whole(self, data: bytes) -> bool:
        """Hands over an answer that is this data and no more; false where it is not, or the client needs it in parts."""
        answer = self._whole.of(data) if self._method != "HEAD" else None
        if answer is None:
            return False
        self._answering = False  # before the client is told, since it may ask for the next one
        taken = self._client.answer_whole(answer, data)
        self._answering = self._answering or not taken
        return taken

    def drop_idle(self) -> None:
        """Closes; the loss is reported as usual."""
        self.reusable = False
        if self.transport is not None:
            self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """The end of an answer that is delimited by it, or a failure."""
        self.reusable = False
        if self._answering and exc is None:
            self._reader.close()
            self._client.flush()
        client, self._client = self._client, _NOBODY
        client.upstream_lost(self, "broken" if self._broke else "closed" if self._answering else "")

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
            return NO_BODY
        if not head.keep_alive:
            self.reusable = False
        body = response_body(head, self._method)
        self._client.answer_started(head, body)
        return None if self.switched else body

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


class ForwardedConnection(UpstreamConnection):
    """To a server of plain HTTP through an upstream proxy, which is asked in absolute form."""

    def __init__(self, client: Client, origin: Origin, proxy: UpstreamProxy) -> None:
        super().__init__(client, origin)
        self._proxy = proxy

    def ask(self, method: str, head: bytes) -> None:
        """Starts a request."""
        super().ask(method, self._proxy.absolute(head, self.origin.host, self.origin.port))


class _Nobody:
    """Hears for a client that has gone or a connection that was dropped."""

    def answer_started(self, head: ResponseHead, body: Body) -> None: ...
    def interim(self, head: ResponseHead) -> None: ...
    def answer_piece(self, piece: bytes) -> None: ...
    def answer_ended(self, trailers: Headers) -> None: ...
    def answer_whole(self, answer: WholeAnswer, data: bytes) -> bool:  # noqa: ARG002 - nobody looks
        return True

    def flush(self) -> None: ...
    def upstream_full(self, full: bool) -> None: ...
    def upstream_switched(self, transport: asyncio.Transport, rest: bytes) -> None: ...
    def upstream_lost(self, upstream: "UpstreamConnection", failure: str) -> None: ...


_NOBODY = _Nobody()
