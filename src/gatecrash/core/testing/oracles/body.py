"""An answer's body as text: compression undone within limits, characters decoded as its Content-Type says."""

import re
import zlib

from gatecrash.core.message import Response, first_value
from gatecrash.core.testing.oracles.remembering import remembered

_MOST_BYTES = 10 * 1024 * 1024
_MOST_TIMES = 100
_CHARSET = re.compile(rb"charset\s*=\s*\"?([A-Za-z0-9_.:-]+)", re.IGNORECASE)
# zlib's window bits: 16 + 15 reads a gzip header, 15 a zlib one, -15 none (some servers send raw deflate).
_WINDOWS = {b"gzip": (31,), b"x-gzip": (31,), b"deflate": (15, -15)}


@remembered
def content_of(response: Response) -> bytes | None:
    """The body with its content coding undone; None where it is unknown, broken or too large to undo."""
    coding = first_value(response.headers, b"Content-Encoding")
    return _decode(response.body, coding) if coding else response.body


@remembered
def text_of(response: Response) -> str:
    """The body as text; bytes that do not decode are replaced, and a body that cannot be decompressed is empty."""
    content = content_of(response)
    return "" if content is None else _as_text(content, first_value(response.headers, b"Content-Type") or b"")


def _as_text(content: bytes, content_type: bytes) -> str:
    named = _CHARSET.search(content_type)
    try:
        return content.decode(named[1].decode() if named else "utf-8", "replace")
    except LookupError:
        return content.decode("utf-8", "replace")


def media_type(response: Response) -> str:
    """The media type in lower case without parameters; empty where there is none."""
    value = response.first(b"Content-Type") or b""
    return value.partition(b";")[0].strip().lower().decode("ascii", "replace")


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
