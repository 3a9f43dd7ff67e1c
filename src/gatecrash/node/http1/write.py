"""Messages as bytes for the wire, nothing normalised."""

from functools import lru_cache

from gatecrash.core.message import Headers, Request
from gatecrash.node.http1.head import BrokenMessage, Framing, framing_of

LAST_CHUNK = b"0\r\n\r\n"


def head_bytes(start_line: bytes, headers: Headers) -> bytes:
    """A head with its empty line."""
    return b"%b%b\r\n\r\n" % (start_line, header_lines(headers))


def header_lines(headers: Headers) -> bytes:
    """The header lines, each behind its line end."""
    return b"".join([b"\r\n%b: %b" % pair for pair in headers])


def request_line(method: str, target: bytes) -> bytes:
    """The request line without its end."""
    return b"%b %b HTTP/1.1" % (method.encode("latin-1"), target)


def status_line(status: int, reason: bytes) -> bytes:
    """The status line without its end."""
    return b"HTTP/1.1 %d %b" % (status, reason)


def chunk(piece: bytes) -> bytes:
    """One chunk of the chunked coding; never the last one, so an empty piece gives nothing."""
    return b"%x\r\n%b\r\n" % (len(piece), piece) if piece else b""


def last_chunk(trailers: Headers) -> bytes:
    """The end of a chunked body."""
    return head_bytes(b"0", trailers) if trailers else LAST_CHUNK


def request_bytes(request: Request, extra: Headers = ()) -> tuple[bytes, bool]:
    """The whole request, `extra` headers behind its own, and whether a server sees it end where it ends.

    A chunked body is sent as one chunk. A Content-Length that does not fit the body is sent as it is, since a test may
    want exactly that; the connection cannot carry another request then.
    """
    version = b"1.0" if request.version == "1.0" else b"1.1"
    lines, framing = _header_block(request.headers)
    own = b"\r\n%b: %b" % extra[0] if len(extra) == 1 else header_lines(extra)
    head = b"%b %b HTTP/%b%b%b\r\n\r\n" % (request.method.encode("latin-1"), request.target, version, lines, own)
    if framing is None:
        return head + request.body, False
    if framing.chunked:
        return head + chunk(request.body) + LAST_CHUNK, framing.length is None
    return head + request.body, not framing.coded and (framing.length or 0) == len(request.body)


@lru_cache(maxsize=256)
def _header_block(headers: Headers) -> tuple[bytes, Framing | None]:
    """The header lines, each behind its line end, and their framing; None where Content-Length is no number.

    Remembered, since most test requests of a baseline differ in the target or the body only.
    """
    block = header_lines(headers)
    try:
        return block, framing_of(headers)
    except BrokenMessage:
        return block, None
