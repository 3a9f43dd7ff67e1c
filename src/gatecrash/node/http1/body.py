"""Bodies as they arrive: by length, in chunks, until the connection closes, or none (RFC 9112 section 6.3)."""

from typing import Protocol

from gatecrash.core.message import Headers
from gatecrash.node.http1.head import MAX_HEAD, BrokenMessage, RequestHead, ResponseHead

_MAX_SIZE_LINE = 16 * 1024


class Body(Protocol):
    """Takes what arrived, gives the body's bytes and what lies behind its end.

    done: the last byte was seen. trailers: header fields behind a chunked body.
    """

    done: bool
    trailers: Headers

    def feed(self, data: bytes) -> tuple[bytes, bytes]:
        """The body's bytes in this data, and the bytes behind the body (empty before its end)."""
        ...

    def close(self) -> bool:
        """The connection closed; whether the body is whole."""
        ...


class LengthBody:
    """As many bytes as Content-Length says."""

    __slots__ = ("done", "left", "trailers")

    def __init__(self, length: int) -> None:
        self.left = length
        self.done = length == 0
        self.trailers: Headers = ()

    def feed(self, data: bytes) -> tuple[bytes, bytes]:
        """Up to the length; the rest is behind it."""
        if len(data) <= self.left:
            self.left -= len(data)
            self.done = not self.left
            return data, b""
        piece, rest = data[: self.left], data[self.left :]
        self.left = 0
        self.done = True
        return piece, rest

    def close(self) -> bool:
        """Whole only when nothing is owed."""
        return self.done


NO_BODY = LengthBody(0)
"""Shared, since it never changes."""


class ClosingBody:
    """All bytes until the connection closes: only answers may end so."""

    __slots__ = ("done", "trailers")

    def __init__(self) -> None:
        self.done = False
        self.trailers: Headers = ()

    def feed(self, data: bytes) -> tuple[bytes, bytes]:
        """Everything is body."""
        return data, b""

    def close(self) -> bool:
        """The close is the end."""
        self.done = True
        return True


class ChunkedBody:
    """The chunked coding (RFC 9112 section 7.1); chunk extensions are dropped, trailers kept.

    `_left` bytes of the current chunk are owed; `_step` says what comes next: "size", "data", "end" (of a chunk's
    data) or "trailers". `_held` is an unfinished line.
    """

    __slots__ = ("_held", "_left", "_step", "_trailer_size", "done", "trailers")

    def __init__(self) -> None:
        self.done = False
        self.trailers: Headers = ()
        self._held = b""
        self._left = 0
        self._step = "size"
        self._trailer_size = 0

    def feed(self, data: bytes) -> tuple[bytes, bytes]:
        """The chunks' bytes; raises BrokenMessage where the coding is broken."""
        if self._step == "data" and len(data) < self._left:
            self._left -= len(data)
            return data, b""
        pieces: list[bytes] = []
        data = self._held + data
        self._held = b""
        position = 0
        while not self.done:
            if self._step == "data":
                piece = data[position : position + self._left]
                pieces.append(piece)
                position += len(piece)
                self._left -= len(piece)
                if self._left:
                    break
                self._step = "end"
            else:
                line_end = data.find(b"\n", position)
                if line_end < 0:
                    self._hold(data[position:])
                    break
                self._line(data[position:line_end].removesuffix(b"\r"))
                position = line_end + 1
        return b"".join(pieces), data[position:] if self.done else b""

    def close(self) -> bool:
        """A chunked body that did not end is not whole (RFC 9112 section 8)."""
        return self.done

    def _hold(self, line: bytes) -> None:
        if len(line) > _MAX_SIZE_LINE:
            raise BrokenMessage("A line of the chunked coding is over 16 KiB.", too_large=True)
        self._held = line

    def _line(self, line: bytes) -> None:
        if self._step == "size":
            self._left = _chunk_size(line)
            self._step = "data" if self._left else "trailers"
        elif self._step == "end":
            if line:
                raise BrokenMessage("A chunk is longer than its size says.")
            self._step = "size"
        elif line:
            self._trailer(line)
        else:
            self.done = True

    def _trailer(self, line: bytes) -> None:
        self._trailer_size += len(line)
        if self._trailer_size > MAX_HEAD:
            raise BrokenMessage("The trailers are too large.", too_large=True)
        name, colon, value = line.partition(b":")
        if not colon or not name.strip():
            raise BrokenMessage("A trailer line is not `Name: value`.")
        self.trailers += ((name.strip(b" \t"), value.strip(b" \t")),)


def _chunk_size(line: bytes) -> int:
    digits = line.partition(b";")[0].strip(b" \t")
    # int() alone would take signs and underscores, which other parsers read differently: smuggling starts there.
    if not digits or len(digits) > 16 or digits.translate(None, b"0123456789abcdefABCDEF"):
        raise BrokenMessage(f"A chunk's size is {digits[:40]!r}, which is no hexadecimal number.")
    return int(digits, 16)


def request_body(head: RequestHead) -> Body:
    """How the request's body is delimited: without a length there is none."""
    framing = head.framing
    if framing.chunked:
        return ChunkedBody()
    return LengthBody(framing.length) if framing.length else NO_BODY


def response_body(head: ResponseHead, method: str) -> Body:
    """How the answer's body is delimited, given the request's method (RFC 9112 section 6.3)."""
    if method == "HEAD" or head.status in (204, 304) or head.status < 200:
        return NO_BODY
    framing = head.framing
    if framing.chunked:
        return ChunkedBody()
    if framing.coded or framing.length is None:
        return ClosingBody()
    return LengthBody(framing.length)
