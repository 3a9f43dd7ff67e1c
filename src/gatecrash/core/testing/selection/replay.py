"""What was captured elsewhere, made fit to be sent again: captures hold what a browser showed, not what the wire carried.

What our own recorder saw on the wire needs only the codings and the conditions. All that a test could be about stays.
"""

import msgspec

from gatecrash.core.inventory.fold import is_preflight
from gatecrash.core.message import Exchange, Headers, Request, Response, with_header
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.operations.sockets import as_opening, opens_socket

_AGREED = 101
MAX_KEPT_ANSWER = 1024 * 1024
"""As much of an answer as is ever compared."""

PREFLIGHT, UNANSWERED, INCOMPLETE, NO_HTTP = "preflight", "unanswered", "incomplete", "no_http"

NO_BASELINE = {
    PREFLIGHT: "a browser's own question (a CORS preflight) was recorded, which is no request of the application",
    UNANSWERED: "no answer was recorded, and a request that changes something is not repeated to get one",
    INCOMPLETE: "the request's body is missing; record it again",
    NO_HTTP: "no HTTP request was recorded, but a tunnel or messages of another protocol",
}

# RFC 9110 section 7.6.1, and what speaks of a proxy that is not there any more. Captured bodies are whole, not chunked.
_OF_THE_CONNECTION = frozenset(
    {b"connection", b"expect", b"keep-alive", b"proxy-connection", b"te", b"trailer", b"transfer-encoding", b"upgrade"}
)
# With these a target may answer 304 and no body, and there would be nothing to compare.
_CONDITIONS = frozenset({b"if-none-match", b"if-modified-since"})
# The codings that we undo; browsers offer more, and what we cannot read we cannot judge.
_READABLE = frozenset({b"gzip", b"x-gzip", b"deflate", b"identity"})


def why_not(exchange: Exchange) -> str:
    """Why the exchange is no baseline; empty where it is one.

    preflight: a browser's own question. unanswered: it changes something and no answer was captured to compare with.
    incomplete: its body is missing, as browsers leave out uploaded files. no_http: a tunnel and the like.
    """
    request, response = exchange.request, exchange.response
    if request.scheme not in ("http", "https") or request.method.upper() == "CONNECT":
        return NO_HTTP
    if is_preflight(request):
        return PREFLIGHT
    if response is not None and response.status == _AGREED and not opens_socket(request):
        return NO_HTTP
    if not request.body and (request.first(b"Content-Length") or b"0").strip() != b"0":
        return INCOMPLETE
    if exchange.drafted:
        return ""  # its importer wants it sent once, to learn the answer
    return UNANSWERED if (response is None or response.status < 200) and not is_safe(request) else ""


def replayable(exchange: Exchange) -> Exchange:
    """The exchange as it can be sent and compared: a Host, a fitting length, an answer in a coding that we can read."""
    request, response = exchange.request, exchange.response
    socket = opens_socket(request)
    headers = tuple(pair for pair in request.headers if not _is_left_out(pair[0].lower(), request))
    headers = _readable(headers)
    if request.first(b"Host") is None:
        headers = ((b"Host", request.origin.partition("://")[2].encode()), *headers)
    if (request.body and not socket) or request.first(b"Content-Length") is not None:
        headers = with_header(headers, b"Content-Length", str(len(request.body)).encode())
    sent: Request = msgspec.structs.replace(request, headers=headers)
    if socket:
        sent = as_opening(sent)
        response = _in_part(response)
    return msgspec.structs.replace(exchange, request=sent, response=None if response is None else trimmed(response))


def _in_part(response: Response | None) -> Response | None:
    """What agreed to open a socket, as an answer that is not whole: what was said through it, and when, no recording tells."""
    return (
        response
        if response is None or response.status != _AGREED
        else msgspec.structs.replace(response, truncated=True)
    )


def _is_left_out(name: bytes, request: Request) -> bool:
    return name in _OF_THE_CONNECTION or (name in _CONDITIONS and is_safe(request))


def _readable(headers: Headers) -> Headers:
    """The headers with no coding accepted that we could not undo; a header that would be empty is left out."""
    pairs = ((name, _kept_codings(value) if name.lower() == b"accept-encoding" else value) for name, value in headers)
    return tuple(pair for pair in pairs if pair[1] or pair[0].lower() != b"accept-encoding")


def _kept_codings(offered: bytes) -> bytes:
    parts = [part.strip() for part in offered.split(b",")]
    return b", ".join(part for part in parts if part.partition(b";")[0].strip().lower() in _READABLE)


def trimmed(response: Response) -> Response:
    """The answer with no more of its body than is ever compared."""
    if len(response.body) <= MAX_KEPT_ANSWER:
        return response
    size = response.size or len(response.body)
    kept: Response = msgspec.structs.replace(response, body=response.body[:MAX_KEPT_ANSWER], truncated=True, size=size)
    return kept
