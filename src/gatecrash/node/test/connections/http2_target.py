"""A connection to the target in HTTP/2: many requests at once, each a stream, each answer read within bounds.

What HTTP/2 does not let through (RFC 9113 section 8.2) is changed and nothing else: header names are lowered, fields of
the connection are left out, Host becomes `:authority`. The path, all values and the body's bytes are as they were given.

An answer's trailers are read to their end and dropped, as in HTTP/1.1; but gRPC's status travels in them, and where the
call failed at once in the head, so gRPC's are kept behind the headers: one place for both.
"""

import asyncio
from functools import partial

from h2.errors import ErrorCodes
from h2.events import (
    DataReceived,
    Event,
    RemoteSettingsChanged,
    ResponseReceived,
    StreamEnded,
    StreamReset,
    TrailersReceived,
)

from gatecrash.core.message import Headers, Request, Response, all_values
from gatecrash.node.http2.connection import Http2Connection, pseudo
from gatecrash.node.test.connections.connection import Bounds, Outcome
from gatecrash.node.test.connections.endless import Flow, is_endless

MAX_UNREAD = 32 * 1024 * 1024
"""Bytes of ours that the target may leave unread; one that floods us with PING makes us write, and never reads it."""

# RFC 9113 section 8.2.2, with the fields of HTTP/1.1 that only a proxy or an upgrade gives a meaning.
_OF_THE_CONNECTION = frozenset(
    (
        b"connection",
        b"http2-settings",
        b"keep-alive",
        b"proxy-connection",
        b"te",
        b"transfer-encoding",
        b"upgrade",
    )
)
_GRPC = b"application/grpc"


def fields_of(request: Request, extra: Headers = ()) -> Headers:
    """The request's pseudo headers and fields, `extra` behind its own.

    TE stays where it says `trailers`. gRPC always gets it: servers refuse a call without (gRPC over HTTP/2, "Requests"),
    and a captured request lost it with the other fields of its connection.
    """
    own = request.headers
    host = request.first(b"Host")
    fields = [
        (b":method", request.method.encode("latin-1")),
        (b":scheme", request.scheme.encode()),
        (b":authority", request.origin.partition("://")[2].encode() if host is None else host),
        (b":path", request.target),
    ]
    named = {option.strip().lower() for value in all_values(own, b"Connection") for option in value.split(b",")}
    left_out = _OF_THE_CONNECTION | (named - {b"authorization", b"cookie", b"content-length"})
    hosts = 0
    for name, value in (*own, *extra):
        lowered = name.lower()
        if lowered == b"host":
            hosts += 1
            if hosts == 1:
                continue
        if lowered not in left_out:
            fields.append((lowered, value))
    asks_trailers = any(value.strip().lower() == b"trailers" for value in all_values(own, b"TE"))
    if asks_trailers or (request.first(b"Content-Type") or b"").startswith(_GRPC):
        fields.append((b"te", b"trailers"))
    return tuple(fields)


class _Turn:
    """One stream's request that is under way."""

    __slots__ = ("first", "flow", "future", "headers", "kept", "pieces", "seen", "sent", "size", "status", "trailers")

    def __init__(self, future: "asyncio.Future[Outcome]", now: float) -> None:
        self.future = future
        self.sent = now
        self.first: float | None = None
        self.flow: Flow | None = None
        self.seen = False
        self.status = 0
        self.headers: Headers = ()
        self.trailers: Headers = ()
        self.pieces: list[bytes] = []
        self.kept = 0
        self.size = 0


class Http2Target(Http2Connection):
    """A connection to the target. idle_since: when its last stream ended. ready: done when the target's settings came,
    with "" or the kind of failure that came in their place.
    """

    def __init__(self, bounds: Bounds) -> None:
        super().__init__(client=True)
        self.idle_since = 0.0
        self._bounds = bounds
        self._loop = asyncio.get_running_loop()
        self.ready: asyncio.Future[str] = self._loop.create_future()
        self._turns: dict[int, _Turn] = {}
        self._wire: asyncio.Transport | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._due = 0.0
        self._heard = 0.0
        self._retired = False
        self._alone = False

    # For the pool

    def takes(self, *, alone: bool) -> bool:
        """Whether a request can be sent now. alone: without any other beside it."""
        if not self.usable or self._alone or self.free_streams <= 0:
            return False
        return not (alone and self._turns)

    @property
    def usable(self) -> bool:
        """Whether the connection takes new streams, now or when others have ended."""
        return self.open and self.last_stream is None and not self._retired

    @property
    def busy(self) -> bool:
        """Whether any request is under way."""
        return bool(self._turns)

    def ask(self, fields: Headers, body: bytes, *, alone: bool) -> "asyncio.Future[Outcome]":
        """Sends a request; the future gets what came of it and never an exception. Cancelled, it resets the stream.

        alone: no other request joins while this one is under way.
        """
        future: asyncio.Future[Outcome] = self._loop.create_future()
        if not self.usable:
            future.set_result(Outcome(failure="closed", untouched=True, unprocessed=True))
            return future
        self._alone = alone
        turn = _Turn(future, self._loop.time())
        stream = self.start(fields, end=not body)
        self._turns[stream] = turn
        future.add_done_callback(partial(self._given_up, stream))
        if body:
            self.data(stream, body, stream)
            self.finish(stream)
        self.flush()
        self._watch(turn.sent + self._bounds.first_byte)
        return future

    def drop(self) -> None:
        """Closes at once; requests under way fail as closed."""
        if self._wire is not None:
            self._wire.abort()
        self.connection_lost(None)

    # The transport's events

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Connected."""
        super().connection_made(transport)
        self._wire = self.transport

    def data_received(self, data: bytes) -> None:
        """Frames; a GOAWAY among them ends the streams that the target has surely not looked at."""
        self._heard = self._loop.time()
        super().data_received(data)
        if self.last_stream is not None:
            for stream in [stream for stream in self._turns if stream > self.last_stream]:
                self._conclude(stream, "closed", unprocessed=True)
            self._drop_if_done()
        if self._wire is not None and self._wire.get_write_buffer_size() > MAX_UNREAD:
            self.end(broken=True)

    def sent(self, source: int, size: int) -> None:  # noqa: ARG002 - only when counts, not how much
        """Bytes of a body left: the answer's time counts from the last of them."""
        turn = self._turns.get(source)
        if turn is not None and turn.first is None:
            turn.sent = self._loop.time()

    def lost(self, broken: bool) -> None:
        """The connection is gone, and with it every stream on it."""
        failure = "broken" if broken else "closed"
        if self._timer is not None:
            self._timer.cancel()
        # At once: a target that never reads would keep a connection that closes in good order for ever.
        if self._wire is not None:
            self._wire.abort()
        if not self.ready.done():
            self.ready.set_result(failure)
        shared = len(self._turns) > 1
        for stream in list(self._turns):
            self._conclude(stream, failure, shared=shared)

    # Frames

    def event(self, event: Event) -> None:
        """An answer's event, for its stream."""
        if isinstance(event, RemoteSettingsChanged):
            if not self.ready.done():
                self.ready.set_result("")
            return
        stream = getattr(event, "stream_id", None) or 0
        if isinstance(event, DataReceived):
            self.credit(stream, len(event.data or b""))
        turn = self._turns.get(stream)
        if turn is None:
            return
        turn.seen = True
        if isinstance(event, DataReceived):
            self._body(stream, turn, event.data or b"")
        elif isinstance(event, ResponseReceived):
            self._head(stream, turn, event)
        elif isinstance(event, TrailersReceived):
            turn.trailers = pseudo(event.headers)[1]
        elif isinstance(event, StreamEnded):
            self._conclude(stream, "")
        elif isinstance(event, StreamReset):
            self._was_reset(stream, event.error_code)

    def _head(self, stream: int, turn: _Turn, event: ResponseReceived) -> None:
        named, turn.headers = pseudo(event.headers)
        status = named.get(b":status", b"")
        if len(status) != 3 or not status.isdigit():
            self._conclude(stream, "broken")
            return
        turn.status = int(status)
        turn.first = self._loop.time()
        if is_endless(turn.headers):
            turn.flow = Flow(turn.first)
            self._watch(self._due_of(turn))

    def _body(self, stream: int, turn: _Turn, piece: bytes) -> None:
        """Keeps up to the bound, reads up to another, then stops."""
        turn.size += len(piece)
        if turn.flow is not None:
            turn.flow.last = self._loop.time()
        room = self._bounds.keep - turn.kept
        if room > 0:
            turn.pieces.append(piece[:room])
            turn.kept += min(room, len(piece))
        if turn.size > self._bounds.read:
            self._conclude(stream, "too_large")

    def _was_reset(self, stream: int, code: int | ErrorCodes | None) -> None:
        """REFUSED_STREAM says that nothing was done (RFC 9113 section 8.7); NO_ERROR may follow a whole answer."""
        self._conclude(
            stream,
            "closed",
            unprocessed=code == ErrorCodes.REFUSED_STREAM,
            needs_http1=code == ErrorCodes.HTTP_1_1_REQUIRED,
        )

    # Time

    def _watch(self, due: float) -> None:
        """Looks at the time then at the latest. One timer serves all turns."""
        if self._timer is None or due < self._due:
            if self._timer is not None:
                self._timer.cancel()
            self._due = due
            self._timer = self._loop.call_at(due, self._check_time)

    def _check_time(self) -> None:
        """Ends the turns whose time is over. A connection on which nothing came since is not used again."""
        self._timer = None
        now = self._loop.time()
        for stream, turn in list(self._turns.items()):
            if self._due_of(turn) > now:
                continue
            if turn.flow is not None:
                turn.flow.cut = True
                self._conclude(stream, "")
            else:
                self._retired = self._retired or self._heard <= turn.sent
                self._conclude(stream, "timeout")
        if self._turns:
            self._watch(min(self._due_of(turn) for turn in self._turns.values()))

    def _due_of(self, turn: _Turn) -> float:
        if turn.flow is not None:
            return turn.flow.due(self._bounds.quiet, self._bounds.flowing)
        if not turn.status:
            return turn.sent + self._bounds.first_byte
        return min(self._heard + self._bounds.first_byte, turn.sent + self._bounds.total)

    # Ends

    def _given_up(self, stream: int, future: "asyncio.Future[Outcome]") -> None:
        if future.cancelled() and stream in self._turns:
            self._conclude(stream, "closed")

    def _conclude(self, stream: int, failure: str, **told: bool) -> None:
        """Gives the outcome out; a stream that is not over on both sides is reset."""
        turn = self._turns.pop(stream)
        self._alone = False
        self.idle_since = self._loop.time()
        cut = turn.flow is not None and turn.flow.cut
        if (failure or cut or stream in self._outgoing) and self.open:
            self.reset(stream)
            self.flush(pump=False)
        if not turn.future.done():
            ended = turn.flow.last if turn.flow is not None and cut else self.idle_since
            elapsed = None if turn.first is None else max(0.0, ended - turn.sent)
            outcome = Outcome(_response(turn, failure), failure, elapsed, untouched=not turn.seen, **told)
            turn.future.set_result(outcome)
        self._drop_if_done()

    def _drop_if_done(self) -> None:
        if not self._turns and self.open and not self.usable:
            self.drop()


def _response(turn: _Turn, failure: str) -> Response | None:
    """The answer as far as it came."""
    if not turn.status:
        return None
    truncated = bool(failure) or turn.size > turn.kept or (turn.flow is not None and turn.flow.cut)
    announced = next(all_values(turn.headers, b"content-length"), b"")
    promised = int(announced) if announced.isdigit() and len(announced) < 20 else 0
    grpc = next(all_values(turn.headers, b"content-type"), b"").startswith(_GRPC)
    return Response(
        status=turn.status,
        headers=turn.headers + (turn.trailers if grpc else ()),
        body=b"".join(turn.pieces),
        version="2",
        truncated=truncated,
        size=max(turn.size, promised) if truncated else turn.size,
    )
