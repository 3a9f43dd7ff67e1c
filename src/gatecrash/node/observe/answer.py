"""The client's transport with an answer on it: the application's as far as the client can take it, or the tap's own."""

from gatecrash.core.message import Headers
from gatecrash.node.http1.body import Body, ClosingBody
from gatecrash.node.http1.head import ResponseHead
from gatecrash.node.http1.hop_by_hop import end_to_end
from gatecrash.node.http1.write import chunk, head_bytes, last_chunk, status_line
from gatecrash.node.observe.client_socket import ClientSocket
from gatecrash.node.observe.passing import Passing, refusal, response_head


class AnswerSocket(ClientSocket):
    """Writes one answer after the other.

    closing: the connection is to end after this answer. cut_by_close: only the close tells where the body ends, so an
    answer that broke off may not end by an orderly one.
    """

    __slots__ = ("_chunking", "closing", "cut_by_close")

    def __init__(self) -> None:
        super().__init__()
        self.closing = False
        self.cut_by_close = False
        self._chunking = False

    def goes_on(self, passing: Passing) -> bool:
        """Whether the client knows all that an answer may bring, and goes on with this connection behind it."""
        return passing.keep_alive and passing.head.version == "1.1" and not self.closing

    def start(self, passing: Passing, head: ResponseHead, body: Body) -> None:
        """The final head, without what concerned the other hop."""
        version = passing.head.version
        coded = head.framing.chunked
        chunked = coded and version != "1.0"
        whole = body.done
        self._chunking = chunked and not whole
        # A body that only the close delimits ends this connection too.
        self.cut_by_close = not whole and (isinstance(body, ClosingBody) or (coded and not chunked))
        if self.cut_by_close or not passing.keep_alive:
            self.closing = True
        self._out.append(response_head(head, chunked=chunked, closing=self.closing, version=version))

    def start_unchanged(self, head: ResponseHead) -> None:
        """An interim answer, or the change to another protocol."""
        self.put(head_bytes(status_line(head.status, head.reason), end_to_end(head.headers, head.framing)))

    def piece(self, piece: bytes) -> None:
        """A piece of the body."""
        self._out.append(chunk(piece) if self._chunking else piece)

    def end(self, trailers: Headers) -> None:
        """The body's end."""
        if self._chunking:
            self._out.append(last_chunk(trailers))

    def refuse(self, passing: Passing, status: int, sentence: str) -> None:
        """The tap's own answer."""
        self.closing = self.closing or not passing.keep_alive or passing.owes_body
        self.put(refusal(status, sentence, closing=self.closing, with_body=passing.head.method != "HEAD"))
        self.flush()
