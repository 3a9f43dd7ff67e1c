"""An answer's body as text: compression undone within limits, characters decoded as its Content-Type says."""

import re
import zlib
from functools import lru_cache

from gatecrash.core.message import Response, first_value
from gatecrash.core.testing.oracles.remembering import LONGEST, remembered

_MOST_BYTES = 10 * 1024 * 1024
_MOST_TIMES = 100
_CHARSET = re.compile(rb"charset\s*=\s*\"?([A-Za-z0-9_.:-]+)", re.IGNORECASE)
# zlib's window bits: 16 + 15 reads a gzip header, 15 a zlib one, -15 none (some servers send raw deflate).
_WINDOWS = {b"gzip": (31,), b"x-gzip": (31,), b"deflate": (15, -15)}


def content_of(response: Response) -> bytes | None:
    """The body with its content coding undone; None where it is unknown, broken or too large to undo."""
    coding = first_value(response.headers, b"Content-Encoding")
    if not coding:
        return response.body
    # The key is short, what comes out may be a hundred times as long: few are remembered.
    return _decoded(response.body, coding) if len(response.body) <= LONGEST else _decode(response.body, coding)


def text_of(response: Response) -> str:
    """The body as text; bytes that do not decode are replaced, and a body that cannot be decompressed is empty."""
    global _latest
    if _latest[0] is response:
        return _latest[1]
    content = content_of(response)
    text = "" if content is None else _as_text(content, first_value(response.headers, b"Content-Type") or b"")
    _latest = (response, text)
    return text


# One answer is looked at from several sides before the next one comes.
_latest: tuple[Response | None, str] = (None, "")


@remembered
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


_decoded = lru_cache(16)(_decode)


def _inflate(body: bytes, window: int) -> bytes | None:
    limit = min(_MOST_BYTES, max(1024, len(body) * _MOST_TIMES))
    inflater = zlib.decompressobj(window)
    try:
        content = inflater.decompress(body, limit)
    except zlib.error:
        return None
    return None if inflater.unconsumed_tail else content
