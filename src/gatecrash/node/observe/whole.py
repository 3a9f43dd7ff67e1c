"""Answers that come in one read, as most do: where the head tells a length that fits, nothing is left to be cut or joined."""

import msgspec

from gatecrash.node.http1.body import LengthBody, response_body
from gatecrash.node.http1.head import ResponseHead, ResponseHeads, end_of_head
from gatecrash.node.observe.passing import response_head

_LINE_ENDS = b"\r\n"
MAX_REMEMBERED = 8192


class WholeAnswer(msgspec.Struct, frozen=True):
    """How an answer begins that ends with what was read.

    begins: its head as it came, with the empty line. size: of all of it. out: the head for a client of HTTP/1.1 that goes
    on with its connection; empty where that is the very same.
    """

    head: ResponseHead
    begins: bytes
    size: int
    out: bytes

    def for_client(self, data: bytes, body: bytes) -> bytes:
        """The answer's bytes for that client. data: all of it as it came. body: the part behind the head."""
        return self.out + body if self.out else data


class WholeAnswers:
    """Looks at the answers of one connection; one that begins as the one before is known by these bytes."""

    __slots__ = ("_last", "read")

    def __init__(self) -> None:
        self.read = ResponseHeads()
        self._last: WholeAnswer | None = None

    def of(self, data: bytes) -> WholeAnswer | None:
        """The answer to anything but HEAD, where it is whole and the connection goes on; None for a closer look.

        Raises BrokenMessage.
        """
        last = self._last
        if last is not None and last.size == len(data) and data.startswith(last.begins):
            return last
        ends = end_of_head(data)
        if ends is None or data[0] in _LINE_ENDS:
            return None
        end, start = ends
        head = self.read(data[:end])
        if head.status < 200 or head.framing.coded or not head.keep_alive:
            return None
        body = response_body(head, "")
        if not isinstance(body, LengthBody) or body.left != len(data) - start:
            return None
        begins = data[:start]
        out = response_head(head, chunked=False, closing=False, version="1.1")
        found = WholeAnswer(head, begins, len(data), b"" if out == begins else out)
        if len(begins) <= MAX_REMEMBERED:
            self._last = found
        return found
