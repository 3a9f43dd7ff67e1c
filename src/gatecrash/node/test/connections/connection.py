"""One connection to the target: one request at a time, its answer read within bounds, and no exception ever."""

import asyncio
import socket
from contextlib import suppress
from typing import cast

import msgspec

from gatecrash.core.message import Headers, Response
from gatecrash.node.http1.body import Body, ClosingBody, LengthBody, response_body
from gatecrash.node.http1.head import BrokenMessage, ResponseHead, read_response_head
from gatecrash.node.http1.reader import MessageReader
from gatecrash.node.test.connections.endless import Flow, is_endless


class Bounds(msgspec.Struct, frozen=True, kw_only=True):
    """What one test request may cost. Times in seconds, sizes in bytes.

    first_byte: from the request to the answer's first byte, and from one piece of the answer to the next; the longest pause a
    probe asks for is 5 s, so it stays above.
    total: from the request to the answer's end. keep: how much of a body is kept; more marks the answer truncated.
    read: how much of a body is read at all; beyond it the connection is dropped. quiet, flowing: how long a stream of events,
    which need not end, may say nothing, and is read at all.
    """

    connect: float = 10.0
    first_byte: float = 20.0
    total: float = 60.0
    quiet: float = 3.0
    flowing: float = 15.0
    keep: int = 1024 * 1024
    read: int = 8 * 1024 * 1024


class Outcome(msgspec.Struct):
    """What came of one request. untouched: no byte of an answer came. elapsed: seconds to the answer's end: what makes an
    application wait may stand behind the beginning of its page, which is sent before.

    unprocessed: the target has surely not looked at it. unread: its system gave back what nobody had read of it.
    Of HTTP/2 only. shared: other requests were under way on the connection when it was lost, so the fault may be another's.
    needs_http1: the target wants it in HTTP/1.1.
    """

    response: Response | None = None
    failure: str = ""
    elapsed: float | None = None
    untouched: bool = False
    unprocessed: bool = False
    unread: bool = False
    shared: bool = False
    needs_http1: bool = False


MOST_REPEATED, LONGEST_REPEATED = 128, 4096
Repeated = dict[bytes, Response]
"""Answers by all of their bytes: a target answers most payloads with the same few, and whoever knows the bytes knows what
they are read as. Of a moderate number and length; those that end a connection, or that HEAD asks for, are left out."""


# Linux alone knows it.
_AT_ONCE: int | None = getattr(socket, "TCP_QUICKACK", None)


class _Turn:
    """One request that is under way. whole: its answer's bytes where they came in one piece. last: when a piece came
    that was not the end. ended: when all of it was there, where that was before it was over.

    What only an answer that is not known yet needs stands on the class until then: a turn is made for every request.
    """

    first: float | None = None
    flow: Flow | None = None
    seen = False
    whole = b""
    head: ResponseHead | None = None
    kept = 0
    size = 0
    last = ended = 0.0

    def __init__(self, method: str, future: "asyncio.Future[Outcome]", now: float) -> None:
        self.method = method
        self.future = future
        self.sent = now
        self.pieces: list[bytes] = []


class TargetConnection(asyncio.Protocol):
    """A kept-alive HTTP/1.x connection.

    reusable: another request may follow. used: how many it carried. idle_since: when the last answer ended.
    """

    def __init__(self, bounds: Bounds, repeated: Repeated | None = None) -> None:
        """repeated: what is known of the target's answers, shared by connections that have the same bounds."""
        self.reusable = False
        self.used = 0
        self.idle_since = 0.0
        self._repeated: Repeated = {} if repeated is None else repeated
        self._bounds = bounds
        self._loop = asyncio.get_running_loop()
        self._reader: MessageReader[ResponseHead] = MessageReader(self, read_response_head)
        self._transport: asyncio.Transport | None = None
        self._socket: socket.socket | None = None
        self._turn: _Turn | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._write_pending = False
        self._given_back = False

    def ask(self, payload: bytes, method: str, *, last: bool) -> "asyncio.Future[Outcome]":
        """Sends the bytes of a request; the future gets what came of it and never an exception.

        last: the connection is not used again, whatever the answer says.
        """
        future: asyncio.Future[Outcome] = self._loop.create_future()
        turn = self._turn = _Turn(method, future, self._loop.time())
        self.reusable = not last
        self.used += 1
        if self._transport is None or self._transport.is_closing():
            # It ended while the request waited for its turn: nothing of it left.
            self._turn, self.reusable = None, False
            future.set_result(Outcome(failure="closed", untouched=True, unprocessed=True))
            return future
        if self._reader.waiting:
            self._reader.next()
        if self._timer is None:
            self._timer = self._loop.call_at(turn.sent + self._bounds.first_byte, self._check_time)
        self._transport.write(payload)
        return future

    def drop(self) -> None:
        """Closes at once; a request under way fails as closed."""
        self.reusable = False
        if self._transport is not None:
            self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Connected. Any unwritten byte pauses writing, which tells when the request's last byte left."""
        self._transport = cast("asyncio.Transport", transport)
        self._transport.set_write_buffer_limits(high=0)
        self._socket = transport.get_extra_info("socket")

    def pause_writing(self) -> None:
        """A part of the request waits in our buffer."""
        self._write_pending = True

    def resume_writing(self) -> None:
        """The request's last byte was handed to the system: the answer's time counts from here."""
        self._write_pending = False
        if self._turn is not None and self._turn.first is None:
            self._turn.sent = self._loop.time()

    def data_received(self, data: bytes) -> None:
        """A part of an answer; bytes that nobody asked for end the connection."""
        turn = self._turn
        if turn is None:
            self.drop()
            return
        if turn.first is None:
            turn.first = self._loop.time()
        if turn.seen:
            turn.whole = b""
        else:
            turn.seen = True
            if len(data) <= LONGEST_REPEATED and turn.method != "HEAD":
                known = self._repeated.get(data)
                if known is not None:
                    self.reusable = self.reusable and not self._write_pending
                    self._give(turn, known, "")
                    return
                turn.whole = data
        try:
            self._reader.feed(data)
        except BrokenMessage as error:
            self._end("too_large" if error.too_large else "broken")
        if self._turn is not None:
            turn.last = self._loop.time()
            self._acknowledge()

    def _acknowledge(self) -> None:
        """Tells the target at once that a part came, where more is to come.

        A target that writes head and body apart sends the body when the head is acknowledged (RFC 896), which systems put off
        for 40 ms (RFC 1122 section 4.2.3.2): every answer would take that long, and be taken for strain. It does not stay set.
        """
        if self._socket is not None and _AT_ONCE is not None:
            with suppress(OSError):
                self._socket.setsockopt(socket.IPPROTO_TCP, _AT_ONCE, 1)

    def eof_received(self) -> None:
        """The target closes. Where it had done so before the request came, its system sent a reset, which stands behind this."""
        if self._socket is not None:
            with suppress(OSError):
                self._given_back = self._socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) != 0

    def connection_lost(self, exc: Exception | None) -> None:
        """The end of an answer that is delimited by it, or a failure.

        Whoever closes while bytes wait unread resets the connection (RFC 2525 section 2.17): so does a target that was too
        busy for longer than it keeps idle connections. Its system tells what it had not read; one that had read closes orderly.
        """
        self.reusable = False
        self._given_back = self._given_back or isinstance(exc, ConnectionError)
        turn = self._turn
        if self._timer is not None:
            self._timer.cancel()
        if turn is None:
            return
        # A reset is no end: only an orderly close delimits a body (RFC 9112 section 8).
        whole = exc is None and turn.head is not None and self._reader.close()
        if self._turn is not None:
            self._end("" if whole else "closed")

    def head_received(self, head: ResponseHead) -> Body | None:
        """An interim answer is skipped; the final one decides how its body is read."""
        turn = self._turn
        assert turn is not None
        turn.head = head
        if head.status < 200:
            return LengthBody(0)
        body = response_body(head, turn.method)
        # What broke over a request often closes behind its answer without having said so (uvicorn does): a request that
        # may not be repeated would be lost on such a connection.
        if isinstance(body, ClosingBody) or not head.keep_alive or head.status >= 500:
            self.reusable = False
        if is_endless(head.headers):
            turn.flow = Flow(self._loop.time())
            self._set_timer(turn.flow.due(self._bounds.quiet, self._bounds.flowing))
        return body

    def body_received(self, piece: bytes) -> None:
        """Keeps up to the bound, reads up to another, then stops."""
        turn = self._turn
        if turn is None:
            return
        turn.size += len(piece)
        if turn.flow is not None:
            turn.flow.last = self._loop.time()
        room = self._bounds.keep - turn.kept
        if room > 0:
            turn.pieces.append(piece[:room])
            turn.kept += min(room, len(piece))
        if turn.size > self._bounds.read:
            self._end("too_large")

    def message_complete(self, trailers: Headers) -> None:  # noqa: ARG002 - trailers are no part of the core's Response
        """An answer ended."""
        turn = self._turn
        if turn is None or turn.head is None:
            return
        if turn.head.status < 200 and turn.head.status != 101:
            turn.head = None
            turn.first = self._loop.time() if self._reader.rest else None
            self._reader.next()
            return
        if turn.head.status == 101 or self._reader.rest or self._write_pending:
            # Another protocol, bytes behind the answer, or an answer before the request was read: not to be trusted further.
            self.reusable = False
        self._end("")

    def _check_time(self) -> None:
        """Ends a turn whose time is over. One timer serves many turns: it is set anew where it rings too early."""
        self._timer = None
        turn = self._turn
        if turn is None:
            return
        due = turn.sent + self._bounds.first_byte
        if turn.head is not None:
            due = min(turn.last + self._bounds.first_byte, turn.sent + self._bounds.total)
        if turn.flow is not None:
            due = turn.flow.due(self._bounds.quiet, self._bounds.flowing)
        if due > self._loop.time():
            self._set_timer(due)
        elif turn.flow is not None:
            turn.flow.cut, self.reusable = True, False
            self._end("")
        else:
            self._end("timeout")

    def _set_timer(self, due: float) -> None:
        """Looks at the time then."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._loop.call_at(due, self._check_time)

    def _end(self, failure: str) -> None:
        """Gives the outcome out; after a failure the connection is gone."""
        turn = self._turn
        if turn is None:
            return
        if failure:
            self.reusable = False
        response = _response(turn, failure)
        if response is not None and turn.whole and self.reusable:
            if len(self._repeated) >= MOST_REPEATED:
                self._repeated.clear()
            self._repeated[turn.whole] = response
        self._give(turn, response, failure)

    def _give(self, turn: _Turn, response: Response | None, failure: str) -> None:
        """The turn is over: with this."""
        self._turn = None
        self.idle_since = self._loop.time()
        first, future = turn.first, turn.future
        if not future.done():
            ended = turn.flow.last if turn.flow is not None and turn.flow.cut else turn.ended or self.idle_since
            elapsed = None if first is None else max(0.0, ended - turn.sent)
            unread = self._given_back and not turn.seen
            future.set_result(Outcome(response, failure, elapsed, not turn.seen, unread=unread))
        if not self.reusable and self._transport is not None:
            self._transport.abort()


def _response(turn: _Turn, failure: str) -> Response | None:
    """The answer as far as it came."""
    head = turn.head
    if head is None or (head.status < 200 and head.status != 101):
        return None
    truncated = bool(failure) or turn.size > turn.kept or (turn.flow is not None and turn.flow.cut)
    announced = head.framing.length
    return Response(
        status=head.status,
        headers=head.headers,
        body=b"".join(turn.pieces),
        reason=head.reason,
        version=head.version,
        truncated=truncated,
        size=max(turn.size, announced or 0) if truncated else turn.size,
    )
