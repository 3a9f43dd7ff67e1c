"""One sender's connection to the collector: finds where a request ends, answers, hands over."""

import asyncio
import time
from typing import TYPE_CHECKING, NamedTuple, cast

from gatecrash.core.errors import GatecrashError
from gatecrash.node.http1.body import Body, request_body
from gatecrash.node.http1.head import MAX_HEAD, BrokenMessage, RequestHead, read_request_head
from gatecrash.node.observe import exchange_call
from gatecrash.node.observe.exchange_call import CALL_PATH, MAX_BODY, Refusal
from gatecrash.node.observe.mirrored import MIRROR_PATH

if TYPE_CHECKING:
    from gatecrash.node.observe.collector import Collector

_DONE = b"HTTP/1.1 204 No Content\r\n\r\n"
_DONE_AND_CLOSE = b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n"
_CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"
_REASONS = {
    200: "OK",
    400: "Bad Request",
    401: "Unauthorized",
    403: "Forbidden",
    404: "Not Found",
    405: "Method Not Allowed",
    413: "Content Too Large",
    415: "Unsupported Media Type",
    431: "Request Header Fields Too Large",
    503: "Service Unavailable",
}
_OWN_PATHS = b" /gatecrash/v1/"
# A mirrored body above this is not kept: a part of a document says nothing.
MAX_KEPT_BODY = 64 * 1024


class Raw(NamedTuple):
    """A mirrored request as it came. received: UNIX seconds."""

    head: bytes
    body: bytes
    received: float


class Sender(asyncio.Protocol):
    """One connection. since: when something last changed, in monotonic seconds. unfinished: a request has begun."""

    def __init__(self, collector: "Collector") -> None:
        self.since = time.monotonic()
        self._collector = collector
        self._transport: asyncio.Transport
        self._held = b""
        self._body: Body | None = None
        self._head: RequestHead | None = None
        self._raw_head = b""
        self._pieces: list[bytes] = []
        self._size = 0
        self._call = False
        self._task: asyncio.Task[None] | None = None

    @property
    def unfinished(self) -> bool:
        """Whether a request has begun and not ended."""
        return bool(self._held) or self._body is not None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Joins, or is turned away where there are too many."""
        self._transport = cast("asyncio.Transport", transport)
        if not self._collector.may_connect():
            self._transport.abort()
            return
        self._collector.senders.add(self)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's signature
        """Leaves; exchanges that were received are still taken."""
        self._collector.senders.discard(self)

    def hang_up(self) -> None:
        """Ends the connection."""
        self._transport.abort()

    def pause_writing(self) -> None:
        """Who does not read our answers is not read either."""
        self._transport.pause_reading()

    def resume_writing(self) -> None:
        """They are read again."""
        if self._task is None:
            self._transport.resume_reading()

    def data_received(self, data: bytes) -> None:
        """Cuts requests out of what arrived."""
        if not self.unfinished:
            self.since = time.monotonic()
        if self._held:
            data = self._held + data
            self._held = b""
        try:
            while data and self._task is None and not self._transport.is_closing():
                data = self._feed_body(self._body, data) if self._body is not None else self._feed_head(data)
        except BrokenMessage as error:
            status, code = (431, "head_too_large") if error.too_large else (400, "broken_request")
            self._refuse(Refusal(status, code, str(error)))
            return
        self._held = self._held or data

    def _feed_head(self, data: bytes) -> bytes:
        """Takes one head, if it is whole; gives what lies behind it."""
        end = data.find(b"\r\n\r\n")
        if end < 0:
            if len(data) > MAX_HEAD:
                raise BrokenMessage("The head is over 256 KiB.", too_large=True)
            self._held = data
            return b""
        head, rest = data[:end], data[end + 4 :]
        lowered = head.lower()
        ours = _OWN_PATHS in head[:48] and b" " + MIRROR_PATH not in head[:48]
        if ours or b"\ncontent-length:" in lowered or b"\ntransfer-encoding:" in lowered:
            return self._begin(head, rest, ours=ours)
        self._answer(head, lowered)
        self._collector.mirrored(Raw(head, b"", time.time()))
        return rest

    def _answer(self, head: bytes, lowered: bytes) -> None:
        """204; the connection stays where the sender can keep it (RFC 9112 section 9.3)."""
        line_end = head.find(b"\r\n")
        first = head if line_end < 0 else head[:line_end]
        if first.endswith(b"HTTP/1.1") and b"\nconnection: close" not in lowered:
            self._transport.write(_DONE)
        else:
            self._transport.write(_DONE_AND_CLOSE)
            self._transport.close()

    def _begin(self, raw: bytes, rest: bytes, *, ours: bool) -> bytes:
        """Starts a request with a body, or one that is for the collector itself."""
        head = read_request_head(raw)
        self._call = ours
        if ours:
            refusal = self._refusal(head)
            if refusal is not None:
                self._refuse(refusal)
                return b""
        if head.framing.length != 0 and any(
            name.lower() == b"expect" and value.lower() == b"100-continue" for name, value in head.headers
        ):
            self._transport.write(_CONTINUE)
        self._head, self._raw_head, self._pieces, self._size = head, raw, [], 0
        self._body = request_body(head)
        if self._body.done:
            return self._complete(rest)
        return rest

    def _refusal(self, head: RequestHead) -> Refusal | None:
        if head.target.partition(b"?")[0] != CALL_PATH:
            return Refusal(404, "not_found", "The collector has /gatecrash/v1/mirror and /gatecrash/v1/exchanges.")
        return exchange_call.refusal_of(head, self._collector.key)

    def _feed_body(self, body: Body, data: bytes) -> bytes:
        """Takes a piece of the body; gives what lies behind it."""
        piece, rest = body.feed(data)
        self._size += len(piece)
        if self._call and self._size > MAX_BODY:
            self._refuse(Refusal(413, "payload_too_large", f"A body may have {MAX_BODY} bytes; send fewer lines."))
            return b""
        if self._call or self._size <= MAX_KEPT_BODY:
            self._pieces.append(piece)
        else:
            self._pieces.clear()
        return self._complete(rest) if body.done else b""

    def _complete(self, rest: bytes) -> bytes:
        """The body is whole."""
        head, body, self._body = self._head, b"".join(self._pieces), None
        self._pieces = []
        assert head is not None
        if not self._call:
            self._answer(self._raw_head, self._raw_head.lower())
            kept = body if self._size <= MAX_KEPT_BODY else b""
            self._collector.mirrored(Raw(self._raw_head, kept, time.time()))
            return rest
        self._transport.pause_reading()
        self._task = asyncio.get_running_loop().create_task(self._take(head, body))
        return rest

    async def _take(self, head: RequestHead, body: bytes) -> None:
        """Takes the exchanges of a call and answers it."""
        try:
            lines = exchange_call.unzipped(head, body)
            if isinstance(lines, Refusal):
                self._refuse(lines)
                return
            status, answer = (await exchange_call.take(lines, self._collector.observations)).answer()
        except (GatecrashError, ValueError, RecursionError) as error:
            self._refuse(Refusal(400, "malformed", f"The lines could not be read: {type(error).__name__}."))
            return
        self._write(status, answer, close=not head.keep_alive)
        self._task = None
        if not self._transport.is_closing():
            self._transport.resume_reading()
            waiting, self._held = self._held, b""
            if waiting:
                self.data_received(waiting)

    def _refuse(self, refusal: Refusal) -> None:
        """Answers and hangs up: what follows is not known to be a request."""
        self._write(refusal.status, refusal.body(), close=True)

    def _write(self, status: int, body: bytes, *, close: bool) -> None:
        more = "Retry-After: 1\r\n" if status == 503 else ""
        more += "Allow: POST\r\n" if status == 405 else ""
        more += "Connection: close\r\n" if close else ""
        head = (
            f"HTTP/1.1 {status} {_REASONS[status]}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n{more}\r\n"
        )
        if not self._transport.is_closing():
            self._transport.write(head.encode() + body)
            if close:
                self._transport.close()
