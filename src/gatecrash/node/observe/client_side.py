"""The tap's connection from a client: one request after the other, streamed to the application and its answer back.

Memory stays bounded: whoever reads slower pauses the other side, a pipelined request waits until its turn, and the
copies have their own budget.
"""

import asyncio
from typing import TYPE_CHECKING, cast

from gatecrash.core.message import Headers
from gatecrash.node.http1.body import Body, request_body
from gatecrash.node.http1.head import BrokenMessage, RequestHead, RequestHeads, ResponseHead
from gatecrash.node.http1.reader import MessageReader
from gatecrash.node.http1.write import chunk, last_chunk
from gatecrash.node.observe.asking import Asking
from gatecrash.node.observe.client_socket import CONNECTING, PIPELINED, UPSTREAM_FULL, address_of
from gatecrash.node.observe.connect import Connect
from gatecrash.node.observe.passing import Passing, refusal
from gatecrash.node.observe.route import LastRoute, Origin, Refused, Route
from gatecrash.node.observe.tunnel import join
from gatecrash.node.observe.upstream_side import UpstreamConnection
from gatecrash.node.observe.whole import WholeAnswer

if TYPE_CHECKING:
    from gatecrash.node.observe.tap import Tap

IDLE_SECONDS = 75.0
HEAD_SECONDS = 60.0
"""How long a client may take to send the head of a request: one that drips it never falls silent."""


class ClientConnection(Asking):
    """One client's connection.

    name: what its exchanges carry, so that handshakes can be followed. within: the origin of the tunnel in which it is;
    all its requests go there.
    """

    def __init__(self, tap: "Tap", name: str, within: Origin | None = None) -> None:
        super().__init__(tap)
        self.name = name
        self._within = within
        self._tunnel_to: Origin | None = None
        self._loop = asyncio.get_running_loop()
        self._heads = RequestHeads()
        self._reader: MessageReader[RequestHead] = MessageReader(self, self._heads)
        self._passing: Passing | None = None
        self._eof = False
        self._last = LastRoute()
        self._address = ""
        self._active = self._loop.time()
        # When the sweep first saw that a head had begun; one that is whole by its next turn was never seen so.
        self._dripping: float | None = None

    # The client's events

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """A client came."""
        self._socket.attach(cast("asyncio.Transport", transport))
        self._address = address_of(transport)
        self._tap.connections.add(self)

    def data_received(self, data: bytes) -> None:
        """A part of a request or of a tunnel."""
        self._active = self._loop.time()
        try:
            if self._passing is None and self._reader.fresh and self._is_again(data):
                return
            self._reader.feed(data)
        except BrokenMessage as error:
            self._bad_request(error)
            return
        if self._tunnel_to is not None:
            self._hand_over(self._tunnel_to)
        elif self._reader.waiting and self._reader.rest:
            self._socket.pause(PIPELINED)

    def _is_again(self, data: bytes) -> bool:
        """Begins a request that is this data and no more, with the last one's headers and no body; false where it is not."""
        head = self._heads.again(data)
        if head is None or head.framing.length or head.framing.chunked:
            return False
        route = self._last.again(head)
        if route is None:
            return False
        self._reader.waiting = True
        passing = self._passing = Passing(head, route, self._tap.observations, self._active, self._address)
        passing.request_done = True
        passing.ended = self._active
        self._begin(passing)
        return True

    def eof_received(self) -> bool:
        """The client sends no more; it still gets what it asked for."""
        self._eof = True
        return self._passing is not None and self._passing.request_done

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - either way the client is gone
        """The client went; what it still waited for is seen as a request without an answer."""
        self._tap.connections.discard(self)
        self._socket.detach()
        if self._connecting is not None:
            self._connecting.cancel()
        if self._upstream is not None:
            self._upstream.drop()
            self._upstream = None
        passing, self._passing = self._passing, None
        if passing is not None and (passing.unseen or not passing.response_done):
            self._tap.observations.put(passing.observation(self.name))

    # The request's events

    def head_received(self, head: RequestHead) -> Body | None:
        """A request starts: it gets its route, or the tap's own answer."""
        now = self._active
        self._dripping = None
        try:
            if head.method == "CONNECT":
                self._tunnel_to = self._tap.connect_origin(head, self._within)
                return None
            route = self._last.again(head) or self._tap.route(head, self._within)
            passing = Passing(head, route, self._tap.observations, now, self._address)
        except Refused as refused:
            nowhere = Route(Origin("http", "", 0), head.target, ())
            self._passing = Passing(head, nowhere, self._tap.observations, now)
            self._refuse(refused.status, str(refused), observe=False)
            return request_body(head)
        self._passing = passing
        self._begin(passing)
        self._last.note(head, route, passing.headers, passing.lines)
        if passing.websocket:
            passing.request_done = True
            passing.ended = now
            return None
        return request_body(head)

    def body_received(self, piece: bytes) -> None:
        """A piece of the request's body, passed on at once."""
        passing = self._passing
        if passing is None:
            return
        if passing.discarding:
            if passing.unseen:
                passing.keep_request(piece)
            if not passing.discard(piece):
                self.abort()
            return
        passing.keep_request(piece)
        self._to_upstream(chunk(piece) if passing.head.framing.chunked else piece)

    def message_complete(self, trailers: Headers) -> None:
        """The request is whole."""
        passing = self._passing
        if passing is None:
            return
        passing.request_done = True
        passing.ended = self._active
        if passing.head.framing.chunked and not passing.discarding:
            self._to_upstream(last_chunk(trailers))
        if passing.response_done:
            self._finish()

    # The answer's events

    def answer_started(self, head: ResponseHead, body: Body) -> None:
        """The final head came."""
        passing = self._passing
        if passing is None:
            return
        passing.answer = head
        passing.answered = True
        passing.first_byte = self._loop.time()
        if head.status == 101:
            self._switch(passing, head)
            return
        if self._eof:
            self._socket.closing = True
        self._socket.start(passing, head, body)

    def interim(self, head: ResponseHead) -> None:
        """100 Continue and its like; a client of HTTP/1.0 does not know them (RFC 9110 section 15.2)."""
        if self._passing is not None and self._passing.head.version != "1.0":
            self._socket.start_unchanged(head)

    def answer_piece(self, piece: bytes) -> None:
        """A piece of the answer's body, passed on at once."""
        if self._passing is not None:
            self._passing.keep_response(piece)
            self._socket.piece(piece)

    def answer_whole(self, answer: WholeAnswer, data: bytes) -> bool:
        """The answer came in one read: one write, unless something of it has to change."""
        passing = self._passing
        if passing is None or self._eof or not (passing.request_done and self._socket.goes_on(passing)):
            return False
        passing.answer = answer.head
        passing.answered = passing.response_done = passing.response_whole = True
        passing.first_byte = self._loop.time()
        body = data[len(answer.begins) :]
        if body:
            passing.keep_response(body)
        self._socket.write(answer.for_client(data, body))
        self._tap.observations.put(passing.observation(self.name))
        self._finish()
        return True

    def answer_ended(self, trailers: Headers) -> None:
        """The answer is whole.

        Where the request is not, its rest is read and dropped, or a reset could take the answer (RFC 9112 section 9.6).
        """
        passing = self._passing
        if passing is None:
            return
        self._socket.end(trailers)
        passing.response_done = True
        passing.response_whole = True
        passing.unseen = True
        if passing.request_done:
            self._finish()
        else:
            self._drop_upstream()
            self._discard(passing)

    def upstream_full(self, full: bool) -> None:
        """The application reads slower than the client sends, or caught up."""
        if full:
            self._socket.pause(UPSTREAM_FULL)
        else:
            self._socket.resume(UPSTREAM_FULL)

    def upstream_lost(self, upstream: UpstreamConnection, failure: str) -> None:
        """The application's connection is gone: repeated, refused, or cut, as far as the answer was."""
        if upstream is not self._upstream:
            return
        self._upstream = None
        self._socket.resume(UPSTREAM_FULL)
        passing = self._passing
        if passing is None or passing.response_done:
            return
        if passing.answered:
            self._cut(passing)
        elif failure != "broken" and passing.repeatable and upstream.used > 1:
            self._begin(passing)  # a kept-alive connection went stale just now; the fresh one has `used` 1
        else:
            self._refuse(502, f"The application at {passing.route.origin} {upstream.ending}")

    def flush(self) -> None:
        """One write for all that one read brought."""
        self._socket.flush()

    # The tap's clock

    def sweep(self, now: float) -> None:
        """Ends what hangs: idle clients and dripping ones, unread refusals, applications that never answer."""
        passing = self._passing
        if passing is None:
            if not self._reader.fresh:
                self._dripping = now if self._dripping is None else self._dripping
            drips = self._dripping is not None and now - self._dripping > HEAD_SECONDS
            if drips or now - self._active > IDLE_SECONDS:
                self._socket.close()
        elif passing.is_stalled(now, self._active):
            self.abort()
        elif passing.is_unanswered(now, self._tap.answer_seconds):
            self._drop_upstream()
            self._refuse(504, f"{passing.route.origin} did not answer within {self._tap.answer_seconds:g} seconds.")

    # Steps

    def _hand_over(self, origin: Origin) -> None:
        """CONNECT: the connection becomes a tunnel's, which may put a connection like this one inside."""
        self._drop_upstream()
        self._tap.connections.discard(self)
        client = self._socket.release()
        if client is not None:
            Connect(self._tap, client, origin, self.name, self._reader.rest, eof=self._eof)

    def _switch(self, passing: Passing, head: ResponseHead) -> None:
        """101: both connections become a tunnel, if the client asked for one."""
        upstream = self._upstream
        if upstream is None or not passing.websocket:
            passing.forget_answer()
            self._drop_upstream()
            self._refuse(502, f"{passing.route.origin} switched to a protocol that was not asked for.")
            return
        self._socket.start_unchanged(head)
        self.flush()
        passing.response_done = True
        passing.response_whole = True
        self._tap.observations.put(passing.observation(self.name))
        upstream.switched = True

    def upstream_switched(self, transport: asyncio.Transport, rest: bytes) -> None:
        """Whatever comes now is no HTTP: both transports go to a tunnel, with what each side has sent already."""
        self._passing = None
        self._upstream = None
        self._tap.connections.discard(self)
        client = self._socket.release()
        if client is None:
            transport.abort()
        else:
            join(client, self._reader.rest, transport, rest, self._tap.connections)

    def _refuse(self, status: int, sentence: str, *, observe: bool = True) -> None:
        """The tap's own answer in place of the application's."""
        passing = self._passing
        if passing is None or passing.answered:
            return
        passing.answered = True
        passing.response_done = True
        if self._eof:
            self._socket.closing = True
        self._socket.refuse(passing, status, sentence)
        if observe:
            self._tap.observations.put(passing.observation(self.name))
        if passing.request_done:
            self._finish()
        else:
            self._discard(passing)

    def _bad_request(self, error: BrokenMessage) -> None:
        """The client's bytes are no request: nothing behind them can be trusted."""
        passing = self._passing
        if passing is None or not passing.answered:
            status = 431 if error.too_large else 400
            self._socket.put(refusal(status, str(error), closing=True, with_body=True))
            self.flush()
        if passing is not None and passing.unseen:
            self._tap.observations.put(passing.observation(self.name))
        self._passing = None
        self._drop_upstream()
        self._socket.close()

    def _cut(self, passing: Passing) -> None:
        """The application left in the middle of its answer: the client must see that it is not whole."""
        self.flush()
        passing.response_done = True
        self._tap.observations.put(passing.observation(self.name))
        if self._socket.cut_by_close:
            self.abort()
        else:
            self._socket.close()

    def _discard(self, passing: Passing) -> None:
        passing.discarding = True
        passing.since = self._loop.time()
        self._pending.clear()
        self._socket.resume(CONNECTING)
        self._socket.resume(UPSTREAM_FULL)

    def _finish(self) -> None:
        """Request and answer are done: the next request, or the end."""
        passing, self._passing = self._passing, None
        if passing is not None and passing.unseen:
            self._tap.observations.put(passing.observation(self.name))
        self._active = self._loop.time()
        if self._socket.closing:
            self._socket.close()
            return
        try:
            self._reader.next()
        except BrokenMessage as error:
            self._bad_request(error)
            return
        if self._tunnel_to is not None:
            self._hand_over(self._tunnel_to)
            return
        if not (self._reader.waiting and self._reader.rest):
            self._socket.resume(PIPELINED)
        if self._eof and self._passing is None:
            self._socket.close()

    def abort(self) -> None:
        """Drops the connection at once."""
        self._socket.abort()
