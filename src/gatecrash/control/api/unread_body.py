"""What becomes of a body that nobody read, so that the connection stays usable or is said to end.

A server that has answered with part of the request unread must close the connection (RFC 9112 section 9.6), and does so
without a word: the caller's next request on it is lost, and so is the answer where he is still sending. A body is therefore
read to its end, also one that is several times too large, unless its caller waits to be told to send it (`Expect`). Before a
larger one, and before callers without a token, who must not hold a thread by sending slowly, the answer says
`Connection: close`.
"""

from typing import Any

from django.http import HttpResponse

PIECE = 65536
FORGIVEN = 16  # times the limit: many clients read no answer before they have sent all


def settle(request: Any, response: HttpResponse, limit: int) -> None:
    """Read what is left of the body of a known caller, up to some times `limit` bytes; else announce the close."""
    meta = request.META
    chunked = "HTTP_TRANSFER_ENCODING" in meta
    declared = meta.get("CONTENT_LENGTH") or "0"
    if not chunked and declared == "0":
        return
    most = limit if "HTTP_EXPECT" in meta else limit * FORGIVEN
    fits = chunked or (declared.isascii() and declared.isdigit() and int(declared) <= most)
    # Django's reader ends at Content-Length, the server's at the last chunk.
    stream = meta["wsgi.input"] if chunked else request
    if not (hasattr(request, "caller") and fits and _is_read(stream, most)):
        response["Connection"] = "close"


def _is_read(stream: Any, limit: int) -> bool:
    """Read on to the end; false where it is further than `limit` bytes away, or the caller went away."""
    left = limit
    try:
        while left >= 0:
            piece = stream.read(min(PIECE, left + 1))
            if not piece:
                return True
            left -= len(piece)
    except OSError:  # Django's UnreadablePostError is one
        pass
    return False
