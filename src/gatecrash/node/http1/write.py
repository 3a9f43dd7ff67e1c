"""Messages as bytes for the wire, nothing normalised."""

from gatecrash.core.message import Headers, Request
from gatecrash.node.http1.head import framing_of

LAST_CHUNK = b"0\r\n\r\n"


def head_bytes(start_line: bytes, headers: Headers) -> bytes:
    """A head with its empty line."""
    lines = [start_line]
    lines += [name + b": " + value for name, value in headers]
    lines.append(b"\r\n")
    return b"\r\n".join(lines)


def request_line(method: str, target: bytes, version: str = "1.1") -> bytes:
    """The request line without its end."""
    return b"%b %b HTTP/%b" % (method.encode("latin-1"), target, version.encode())


def status_line(status: int, reason: bytes) -> bytes:
    """The status line without its end."""
    return b"HTTP/1.1 %d %b" % (status, reason)


def chunk(piece: bytes) -> bytes:
    """One chunk of the chunked coding; never the last one, so an empty piece gives nothing."""
    return b"%x\r\n%b\r\n" % (len(piece), piece) if piece else b""


def last_chunk(trailers: Headers) -> bytes:
    """The end of a chunked body."""
    return head_bytes(b"0", trailers) if trailers else LAST_CHUNK


def request_bytes(request: Request, extra: Headers = ()) -> bytes:
    """The whole request, `extra` headers behind its own; a chunked body is sent as one chunk.

    A Content-Length that does not fit the body is sent as it is: a test may want exactly that.
    """
    version = "1.0" if request.version == "1.0" else "1.1"
    head = head_bytes(request_line(request.method, request.target, version), request.headers + extra)
    if not request.body and not is_chunked(request.headers):
        return head
    return head + (chunk(request.body) + LAST_CHUNK if is_chunked(request.headers) else request.body)


def is_chunked(headers: Headers) -> bool:
    """Whether a Transfer-Encoding ends in chunked."""
    return any(
        name.lower() == b"transfer-encoding" and value.rpartition(b",")[2].strip().lower() == b"chunked"
        for name, value in headers
        if len(name) == 17
    )


def is_delimited(request: Request) -> bool:
    """Whether a server sees the request end where it ends, so that the connection may carry another one."""
    framing = framing_of(request.headers)
    if framing.coded:
        return framing.chunked and framing.length is None
    return (framing.length or 0) == len(request.body)
