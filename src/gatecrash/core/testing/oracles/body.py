"""An answer's body as text: compression undone within limits, characters decoded as its Content-Type says.

What gRPC answers is told as JSON: the values of its message by their numbers, and what its status says.
"""

import re
import zlib
from urllib.parse import unquote

import orjson

from gatecrash.core.message import Response, first_value, kind_of_content
from gatecrash.core.points.formats.grpc import told
from gatecrash.core.testing.oracles.remembering import remembered

_MOST_BYTES = 10 * 1024 * 1024
_MOST_TIMES = 100
_CHARSET = re.compile(rb"charset\s*=\s*\"?([A-Za-z0-9_.:-]+)", re.IGNORECASE)
_GRPC = b"application/grpc"
# gRPC's status codes for who is nobody, and who may not.
_STATUSES = {"7": "permission denied", "16": "unauthenticated"}
# zlib's window bits: 16 + 15 reads a gzip header, 15 a zlib one, -15 none (some servers send raw deflate).
_WINDOWS = {b"gzip": (31,), b"x-gzip": (31,), b"deflate": (15, -15)}


@remembered
def content_of(response: Response) -> bytes | None:
    """The body with its content coding undone; None where it is unknown, broken or too large to undo."""
    coding = first_value(response.headers, b"Content-Encoding")
    body = _decode(response.body, coding) if coding else response.body
    kind = first_value(response.headers, b"Content-Type") or b""
    return _as_json(response, body, kind) if kind[:16].lower() == _GRPC and body is not None else body


@remembered
def text_of(response: Response) -> str:
    """The body as text; bytes that do not decode are replaced, and a body that cannot be decompressed is empty."""
    content = content_of(response)
    return "" if content is None else _as_text(content, first_value(response.headers, b"Content-Type") or b"")


def _as_json(response: Response, body: bytes, kind: bytes) -> bytes:
    """The values of gRPC's messages, and its status and message where it is no success; what cannot be read, as it is."""
    document = told(body, text=b"-web-text" in kind.lower())
    if document is None:
        return body
    trailers = {name: document.pop(name, None) or _header(response, name) for name in ("grpc-status", "grpc-message")}
    status = trailers["grpc-status"]
    if status not in ("", "0"):
        document |= {"code": _STATUSES.get(status, status), "message": trailers["grpc-message"]}
    return orjson.dumps(document)


def _header(response: Response, name: str) -> str:
    return unquote((first_value(response.headers, name.encode()) or b"").decode("latin-1"))


def _as_text(content: bytes, content_type: bytes) -> str:
    named = _CHARSET.search(content_type)
    try:
        return content.decode(named[1].decode() if named else "utf-8", "replace")
    except LookupError:
        return content.decode("utf-8", "replace")


def media_type(response: Response) -> str:
    """The media type in lower case without parameters; empty where there is none."""
    return kind_of_content(response).decode("ascii", "replace")


def _decode(body: bytes, named: bytes) -> bytes | None:
    coding = named.strip().lower()
    if coding in (b"", b"identity"):
        return body
    for window in _WINDOWS.get(coding, ()):
        content = _inflate(body, window)
        if content is not None:
            return content
    return None


def _inflate(body: bytes, window: int) -> bytes | None:
    limit = min(_MOST_BYTES, max(1024, len(body) * _MOST_TIMES))
    inflater = zlib.decompressobj(window)
    try:
        content = inflater.decompress(body, limit)
    except zlib.error:
        return None
    return None if inflater.unconsumed_tail else content
