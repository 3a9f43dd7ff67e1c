"""One request on its way through the tap, with the copies that are kept of it."""

import base64
import hmac
import time

from gatecrash.core.message import Exchange, Headers, Request, Response
from gatecrash.core.methods import IDEMPOTENT
from gatecrash.node.http1.head import RequestHead, ResponseHead
from gatecrash.node.http1.hop_by_hop import end_to_end, is_websocket
from gatecrash.node.http1.write import head_bytes, header_lines, request_line, status_line
from gatecrash.node.observe.observations import NOTHING, Copy, Observation, Observations
from gatecrash.node.observe.route import Route

MAX_COPY = 10 * 1024 * 1024
STALLED_SECONDS = 300.0
DISCARD_SECONDS = 10.0
MAX_DISCARD = 64 * 1024 * 1024


class Passing:
    """A request, where it goes, what came back, and how far both are. client: the client's address.

    websocket: the client asks for a change of protocol. request_done, response_done: the last byte was passed on.
    headers, lines: as they go on, the lines each behind its line end (in HTTP/1 only).
    answered: the answer's head (or a refusal) went to the client. discarding: the rest of the request goes nowhere.
    unseen: its answer is whole, and observers get it with the rest of the request.
    """

    __slots__ = (
        "_budget", "_client", "_request_copy", "_response_copy", "_started", "answer", "answered", "discarded", "discarding",
        "ended", "first_byte", "head", "headers", "keep_alive", "lines", "request_done", "response_done", "response_whole", "route",
        "since", "unseen", "websocket",
    )  # fmt: skip

    def __init__(self, head: RequestHead, route: Route, budget: Observations, now: float, client: str = "") -> None:
        self.head = head
        self.route = route
        framing = head.framing
        self.websocket = False
        if framing.upgrade:
            self.websocket = is_websocket(framing) and not framing.length and not framing.chunked
            if not self.websocket:
                framing.upgrade = b""
        # HTTP/2 has no fields of the hop, and `te: trailers` is gRPC's (RFC 9113 section 8.2.2).
        known = route.lines or head.version == "2"
        self.headers = headers = route.headers if known else end_to_end(route.headers, framing)
        self.lines = route.lines
        if not known:
            self.lines = head.block if head.block and headers is head.headers else header_lines(headers)
        self.keep_alive = head.keep_alive
        self.answer: ResponseHead | None = None
        self.answered = False
        self.request_done = False
        self.response_done = False
        self.response_whole = False
        self.unseen = False
        self.discarding = False
        self.discarded = 0
        self.since = now
        self.ended: float | None = None
        self.first_byte: float | None = None
        self._started = time.time()
        self._budget = budget
        self._client = client
        self._request_copy = self._response_copy = NOTHING

    def request_head(self) -> bytes:
        """The head for the application: origin form, HTTP/1.1, without what concerns this hop only."""
        return request_line(self.head.method, self.route.target) + self.lines + b"\r\n\r\n"

    def discard(self, piece: bytes) -> bool:
        """Counts a piece that goes nowhere; false where it becomes too much to read for nothing."""
        self.discarded += len(piece)
        return self.discarded <= MAX_DISCARD

    def forget_answer(self) -> None:
        """The answer that began cannot be passed on."""
        self.answered = False
        self.answer = None

    def keep_request(self, piece: bytes) -> None:
        """Copies a piece of the request's body."""
        if self._request_copy is NOTHING:
            self._request_copy = Copy(self._budget, MAX_COPY)
        self._request_copy.add(piece)

    def keep_response(self, piece: bytes) -> None:
        """Copies a piece of the answer's body."""
        if self._response_copy is NOTHING:
            self._response_copy = Copy(self._budget, MAX_COPY)
        self._response_copy.add(piece)

    @property
    def repeatable(self) -> bool:
        """Whether it may be sent again over a fresh connection (RFC 9110 section 9.2.2)."""
        return self.request_done and not self._request_copy.size and self.head.method in IDEMPOTENT

    def is_stalled(self, now: float, active: float) -> bool:
        """Whether the client stopped in the middle of its body. active: when it last sent anything."""
        if self.request_done:
            return False
        return now - self.since > DISCARD_SECONDS if self.discarding else now - active > STALLED_SECONDS

    def is_unanswered(self, now: float, patience: float) -> bool:
        """Whether the application has had the whole request for too long."""
        return not self.answered and self.ended is not None and now - self.ended > patience

    @property
    def owes_body(self) -> bool:
        """Whether the client has still to send a part of the body."""
        return not self.request_done and bool(self.head.framing.length or self.head.framing.chunked)

    def observation(self, connection: str) -> Observation:
        """What observers get: the request as it was passed on, and the application's answer as it came."""
        route, head, copy = self.route, self.head, self._request_copy
        origin = route.origin
        request = Request(
            head.method,
            route.target,
            self.headers,
            copy.bytes() if copy.size else b"",
            origin.scheme,
            origin.host,
            origin.port,
            head.version,
        )
        first, ended = self.first_byte, self.ended
        # An answer may begin before the request has ended.
        elapsed = None if first is None or ended is None else first - ended if first > ended else 0.0
        exchange = Exchange(request, self._response(), self._started, elapsed, connection, self._client)
        size = copy.kept + self._response_copy.kept
        return Observation(exchange, self.request_done and not copy.cut, size)

    def _response(self) -> Response | None:
        answer, copy = self.answer, self._response_copy
        if answer is None:
            return None
        truncated = copy.cut or not self.response_whole
        size = max(copy.size, answer.framing.length or 0) if truncated else copy.size
        return Response(answer.status, answer.headers, copy.bytes(), answer.reason, answer.version, truncated, size)


def response_head(answer: ResponseHead, *, chunked: bool, closing: bool, version: str) -> bytes:
    """The answer's head for the client. chunked: its body keeps that coding on this hop. closing: we close afterwards."""
    framing = answer.framing
    if (
        answer.block
        and not closing
        and version != "1.0"
        and not (framing.coded and (framing.length is not None or not chunked))
    ):
        return b"%b%b\r\n\r\n" % (status_line(answer.status, answer.reason), answer.block)
    headers = end_to_end(answer.headers, framing)
    if answer.framing.coded and not chunked:
        headers = tuple([pair for pair in headers if pair[0].lower() != b"transfer-encoding"])
    elif answer.framing.coded and answer.framing.length is not None:
        # Both lengths at once: what was passed on is chunked (RFC 9112 section 6.3).
        headers = tuple([pair for pair in headers if pair[0].lower() != b"content-length"])
    if closing:
        headers += ((b"Connection", b"close"),)
    elif version == "1.0":
        headers += ((b"Connection", b"keep-alive"),)
    return head_bytes(status_line(answer.status, answer.reason), headers)


def refusal(status: int, sentence: str, *, closing: bool, with_body: bool) -> bytes:
    """The tap's own answer, one plain sentence."""
    headers, body = refusal_parts(status, sentence)
    if status == 407:
        headers += ((b"Proxy-Authenticate", b'Basic realm="Gatecrash", charset="UTF-8"'),)
    if closing:
        headers += ((b"Connection", b"close"),)
    return head_bytes(status_line(status, _REASONS[status]), headers) + (body if with_body else b"")


def refusal_parts(status: int, sentence: str) -> tuple[Headers, bytes]:
    """The headers and the body of the tap's own answer."""
    body = f"Gatecrash: {sentence}\n".encode()
    headers = (
        (b"Content-Type", b"text/plain; charset=utf-8"),
        (b"Content-Length", str(len(body)).encode()),
        (b"X-Gatecrash-Error", str(status).encode()),
    )
    return headers, body


_REASONS = {
    400: b"Bad Request",
    405: b"Method Not Allowed",
    407: b"Proxy Authentication Required",
    431: b"Request Header Fields Too Large",
    502: b"Bad Gateway",
    504: b"Gateway Timeout",
    508: b"Loop Detected",
}


def may_pass(headers: Headers, credentials: str) -> bool:
    """Whether Proxy-Authorization holds `user:password`; compared in constant time."""
    expected = base64.b64encode(credentials.encode())
    for name, value in headers:
        if name.lower() == b"proxy-authorization":
            scheme, _, given = value.partition(b" ")
            return scheme.lower() == b"basic" and hmac.compare_digest(given.strip(), expected)
    return False
