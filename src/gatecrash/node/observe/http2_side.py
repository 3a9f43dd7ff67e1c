"""The tap's two sides in HTTP/2: each stream of a client is one exchange and one stream towards the application.

Headers, data and trailers pass as they are (gRPC lives of its trailers); a reset passes as a reset. What arrives is
acknowledged only when it went on, so that flow control reaches from end to end.
"""

import asyncio
from typing import TYPE_CHECKING

from h2.errors import ErrorCodes
from h2.events import (
    DataReceived,
    Event,
    InformationalResponseReceived,
    RequestReceived,
    ResponseReceived,
    StreamEnded,
    StreamReset,
    TrailersReceived,
)

from gatecrash.core.message import Headers
from gatecrash.node.http1.head import BrokenMessage, Framing, RequestHead, ResponseHead, framing_of
from gatecrash.node.http2.connection import Http2Connection, joined_cookies, listed, pseudo
from gatecrash.node.observe.client_socket import address_of
from gatecrash.node.observe.passing import Passing, refusal_parts
from gatecrash.node.observe.route import Origin, Refused, http2_fields

if TYPE_CHECKING:
    from gatecrash.node.observe.tap import Tap

IDLE_SECONDS = 75.0


class _Stream:
    """One exchange. there: its number towards the application, 0 while it waits for its turn. observed: observers had it."""

    __slots__ = ("ended", "head", "here", "observed", "passing", "pieces", "there", "trailers", "whole_head")

    def __init__(self, here: int, head: Headers, passing: Passing, *, whole_head: bool) -> None:
        self.here = here
        self.there = 0
        self.head = head
        self.passing = passing
        self.whole_head = whole_head
        self.ended = False
        self.observed = False
        self.trailers: Headers = ()
        self.pieces: list[bytes] = []


class Http2Upstream(Http2Connection):
    """The application's side of one client's connection."""

    def __init__(self, client: "Http2Client", origin: Origin) -> None:
        super().__init__(client=True)
        self.origin = origin
        self._client = client

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Connected; an application that did not agree to HTTP/2 is told nothing."""
        tls = transport.get_extra_info("ssl_object")
        if tls is None or tls.selected_alpn_protocol() == "h2":
            super().connection_made(transport)

    def event(self, event: Event) -> None:
        """An answer's event, for its stream."""
        self._client.answered(event)

    def sent(self, source: int, size: int) -> None:
        """The client may send as much more."""
        self._client.credit(source, size)
        self._client.flush(pump=False)

    def lost(self, broken: bool) -> None:
        """The application left."""
        self._client.upstream_lost(self, broken)


class Http2Client(Http2Connection):
    """One client's connection in HTTP/2, all of it towards one origin.

    tunnelled: it is in a tunnel to there; else it came to the reverse proxy, where Host may have to change.
    """

    def __init__(self, tap: "Tap", name: str, origin: Origin, *, tunnelled: bool = True) -> None:
        super().__init__(client=False)
        self.name = name
        self._tap = tap
        self._origin = origin
        self._within = origin if tunnelled else None
        self._loop = asyncio.get_running_loop()
        self._streams: dict[int, _Stream] = {}
        self._there: dict[int, _Stream] = {}
        self._upstream: Http2Upstream | None = None
        self._connecting = False
        self._address = ""
        self._active = self._loop.time()

    def upstream(self, origin: Origin) -> Http2Upstream:
        """The application's side for a connection that was made for this client already."""
        self._upstream = Http2Upstream(self, origin)
        return self._upstream

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """A client came."""
        self._tap.connections.add(self)
        self._address = address_of(transport)
        super().connection_made(transport)

    def data_received(self, data: bytes) -> None:
        """Frames of the client; what they bring goes on in one write."""
        self._active = self._loop.time()
        super().data_received(data)
        if self._upstream is not None:
            self._upstream.flush()

    def lost(self, broken: bool) -> None:  # noqa: ARG002 - either way it is gone
        """The client went; what it still waited for is seen as requests without an answer."""
        self._tap.connections.discard(self)
        upstream, self._upstream = self._upstream, None
        if upstream is not None and upstream.transport is not None:
            upstream.transport.abort()
        for stream in list(self._streams.values()):
            self._forget(stream)

    # The request's events

    def event(self, event: Event) -> None:
        """An event of the client's."""
        if isinstance(event, RequestReceived):
            self._begin(event)
            return
        stream = self._streams.get(getattr(event, "stream_id", None) or 0)
        if stream is None:
            if isinstance(event, DataReceived):
                self.credit(event.stream_id or 0, len(event.data or b""))
        elif isinstance(event, DataReceived):
            self._body(stream, event.data or b"")
        elif isinstance(event, TrailersReceived):
            stream.trailers = listed(event.headers)
        elif isinstance(event, StreamEnded):
            self._request_ended(stream)
        elif isinstance(event, StreamReset):
            if stream.there and self._upstream is not None:
                self._upstream.reset(stream.there, event.error_code or ErrorCodes.CANCEL)
            self._forget(stream)

    def _begin(self, event: RequestReceived) -> None:
        number = event.stream_id or 0
        named, fields = pseudo(event.headers)
        headers = joined_cookies(fields)
        if not any(name == b"host" for name, _ in headers):
            headers = ((b"host", named.get(b":authority", self._origin.authority)), *headers)
        method = named.get(b":method", b"GET").decode("latin-1")
        try:
            head = RequestHead(method, named.get(b":path", b"/"), "2", headers, framing_of(headers))
            if method == "CONNECT":
                self._tap.connect_origin(head, self._within)
            route = self._tap.route(head, self._within)
        except BrokenMessage:
            self.reset(number, ErrorCodes.PROTOCOL_ERROR)
            return
        except Refused as refused:
            self._answer(number, refused.status, str(refused))
            return
        passing = Passing(head, route, self._tap.observations, self._loop.time(), self._address)
        fields = listed(event.headers)
        if self._within is None:
            fields = http2_fields(route, fields)
        stream = _Stream(number, fields, passing, whole_head=event.stream_ended is not None)
        self._streams[number] = stream
        self._send(stream)

    def _body(self, stream: _Stream, piece: bytes) -> None:
        stream.passing.keep_request(piece)
        if stream.there and self._upstream is not None:
            self._upstream.data(stream.there, piece, stream.here)
        elif stream.passing.discarding:
            self.credit(stream.here, len(piece))
            if not stream.passing.discard(piece):
                self.reset(stream.here, ErrorCodes.NO_ERROR)
                self._forget(stream)
        else:
            stream.pieces.append(piece)

    def _request_ended(self, stream: _Stream) -> None:
        stream.ended = True
        stream.passing.request_done = True
        stream.passing.ended = self._loop.time()
        if stream.there and self._upstream is not None and not stream.whole_head:
            self._upstream.finish(stream.there, stream.trailers)
        if stream.passing.response_done:
            self._forget(stream)

    # The answer's events

    def answered(self, event: Event) -> None:
        """An event of the application's."""
        stream = self._there.get(getattr(event, "stream_id", None) or 0)
        if stream is None:
            if isinstance(event, DataReceived) and self._upstream is not None:
                self._upstream.credit(event.stream_id or 0, len(event.data or b""))
        elif isinstance(event, ResponseReceived):
            self._answer_started(stream, event)
        elif isinstance(event, InformationalResponseReceived):
            self.headers(stream.here, listed(event.headers))
        elif isinstance(event, DataReceived):
            stream.passing.keep_response(event.data or b"")
            self.data(stream.here, event.data or b"", stream.there)
        elif isinstance(event, TrailersReceived):
            self.finish(stream.here, listed(event.headers))
            self._answer_ended(stream)
        elif isinstance(event, StreamEnded):
            if not stream.passing.response_done:
                self.finish(stream.here)
                self._answer_ended(stream)
        elif isinstance(event, StreamReset):
            if stream.passing.response_done and not event.error_code:
                self._read_rest(stream)
            else:
                self.reset(stream.here, event.error_code or ErrorCodes.NO_ERROR)
                self._forget(stream)
        self.flush()

    def _answer_started(self, stream: _Stream, event: ResponseReceived) -> None:
        named, fields = pseudo(event.headers)
        passing = stream.passing
        try:
            framing, status = framing_of(fields), int(named.get(b":status", b"0"))
        except (BrokenMessage, ValueError):
            framing, status = Framing(), 0
        if not 200 <= status < 1000:
            self._refuse(stream, 502, f"The application at {passing.route.origin} answered with a broken head.")
            return
        passing.answer = ResponseHead(status, b"", "2", fields, framing)
        passing.answered = True
        passing.first_byte = self._loop.time()
        # An answer that is only a head stays one: gRPC tells an immediate error by exactly that.
        self.headers(stream.here, listed(event.headers), end=event.stream_ended is not None)
        if event.stream_ended is not None:
            self._answer_ended(stream)

    def _answer_ended(self, stream: _Stream) -> None:
        passing = stream.passing
        passing.response_done = True
        passing.response_whole = True
        # What the application answered before it had the whole request is seen with all that the client sends.
        if stream.ended:
            self._forget(stream)

    def _read_rest(self, stream: _Stream) -> None:
        """The application needs no more of a request that it has answered (RFC 9113 section 8.1): what is on its way is seen."""
        del self._there[stream.there]
        stream.there = 0
        stream.passing.discarding, stream.passing.since = True, self._loop.time()

    def sent(self, source: int, size: int) -> None:
        """Bytes of an answer left for the client: the application may send as many more."""
        if self._upstream is not None:
            self._upstream.credit(source, size)
            self._upstream.flush(pump=False)

    # Steps

    def _send(self, stream: _Stream) -> None:
        """Sends a request with what came of it, where there is room; else it waits."""
        upstream = self._upstream
        if upstream is None or not upstream.open or upstream.last_stream is not None:
            if upstream is not None and upstream.last_stream is not None and self._there:
                return  # those that the leaving connection still answers come first
            self._connect_if_needed()
            return
        if upstream.free_streams <= 0:
            return
        alone = stream.whole_head or (stream.ended and not stream.pieces and not stream.trailers)
        stream.there = upstream.start(stream.head, end=alone)
        self._there[stream.there] = stream
        for piece in stream.pieces:
            upstream.data(stream.there, piece, stream.here)
        stream.pieces = []
        if stream.ended and not alone:
            upstream.finish(stream.there, stream.trailers)
        upstream.flush()

    def _send_waiting(self) -> None:
        for stream in list(self._streams.values()):
            if not stream.there and not stream.passing.answered:
                self._send(stream)

    def _connect_if_needed(self) -> None:
        if not self._connecting:
            self._connecting = True
            self._tap.keep(self._connect())

    async def _connect(self) -> None:
        upstream = Http2Upstream(self, self._origin)
        try:
            await self._tap.connect_http2(upstream, self._origin)
        except Refused as refused:
            for stream in list(self._streams.values()):
                if not stream.there:
                    self._refuse(stream, refused.status, str(refused))
            self.flush()
        except Exception:
            self.abort()
            raise
        else:
            self._upstream = upstream
        finally:
            self._connecting = False
        if not self.open:
            if upstream.transport is not None:
                upstream.transport.abort()
            return
        self._send_waiting()

    def upstream_lost(self, upstream: Http2Upstream, broken: bool) -> None:
        """The application left: answers under way are cut, requests that it did not take are sent again."""
        if upstream is not self._upstream:
            return
        self._upstream = None
        last = upstream.last_stream
        for there, stream in list(self._there.items()):
            del self._there[there]
            passing = stream.passing
            if passing.response_done:
                continue
            if passing.answered:
                self.reset(stream.here, ErrorCodes.INTERNAL_ERROR)
                self._forget(stream)
            elif last is not None and there > last and passing.repeatable:
                stream.there = 0
            else:
                how = "answered with something that is not HTTP/2" if broken else "closed without an answer"
                self._refuse(stream, 502, f"The application at {passing.route.origin} {how}.")
        self.flush()
        self._send_waiting()

    def _refuse(self, stream: _Stream, status: int, sentence: str) -> None:
        """The tap's own answer in place of the application's."""
        passing = stream.passing
        if passing.answered:
            return
        passing.answered = passing.response_done = passing.discarding = True
        self._answer(stream.here, status, sentence)
        self._observe(stream)
        for piece in stream.pieces:
            self.credit(stream.here, len(piece))
        stream.pieces = []
        if stream.ended:
            self._forget(stream)

    def _answer(self, number: int, status: int, sentence: str) -> None:
        headers, body = refusal_parts(status, sentence)
        lowered = tuple((name.lower(), value) for name, value in headers)
        self.headers(number, ((b":status", b"%d" % status), *lowered))
        self.data(number, body)
        self.finish(number)

    def _forget(self, stream: _Stream) -> None:
        """The exchange is over; without an answer it is observed as such."""
        if self._streams.pop(stream.here, None) is None:
            return
        self._there.pop(stream.there, None)
        stream.passing.response_done = True
        self._observe(stream)
        self._active = self._loop.time()
        if self._streams:
            self._send_waiting()

    def _observe(self, stream: _Stream) -> None:
        """Observers get it, once."""
        if not stream.observed:
            stream.observed = True
            self._tap.observations.put(stream.passing.observation(self.name))

    def sweep(self, now: float) -> None:
        """Ends what hangs: idle clients, stalled uploads, applications that never answer."""
        if not self._streams and now - self._active > IDLE_SECONDS:
            self.end()
            return
        for stream in list(self._streams.values()):
            passing = stream.passing
            if passing.is_unanswered(now, self._tap.answer_seconds):
                if stream.there and self._upstream is not None:
                    self._upstream.reset(stream.there)
                self._refuse(stream, 504, f"{passing.route.origin} did not answer in time.")
            elif passing.is_stalled(now, self._active):
                self.reset(stream.here)
                self._forget(stream)
        self.flush()

    def abort(self) -> None:
        """Drops the connection at once."""
        if self.transport is not None:
            self.transport.abort()
