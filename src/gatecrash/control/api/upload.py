"""Bodies that are files: read as they come, never held as a whole, never more than the limit.

@router.post("/things/{id}/import", **uploading(RUN, Imported, ("application/json",), summary="…"))
def take(request, id): with upload.stream(request) as stream: …
"""

import gzip
import io
from typing import IO, Any

from django.http import HttpRequest

from gatecrash.control.api.operation import EITHER_REFUSAL, REFUSAL, operation, refusing
from gatecrash.control.api.roles import Roles
from gatecrash.control.api.service_token import ServiceToken, content_length, too_large

MOST_BYTES = 512 * 1024 * 1024
_PIECE = 64 * 1024
_GZIP = b"\x1f\x8b"


def uploading(roles: Roles, answer: Any, media_types: tuple[str, ...], **more: Any) -> dict[str, Any]:
    """Arguments of a ninja route whose body is a file of one of these types; it may answer 409."""
    arguments = operation(roles, answer, conflict=True, **more)
    file = {"schema": {"type": "string", "format": "binary"}}
    arguments["openapi_extra"]["requestBody"] = {"required": True, "content": dict.fromkeys(media_types, file)}
    refusing(arguments, {400: EITHER_REFUSAL if more.get("query") else REFUSAL, 413: REFUSAL, 415: REFUSAL})
    return {**arguments, "auth": ServiceToken(roles, file_types=media_types, limit=MOST_BYTES)}


def stream(request: HttpRequest, limit: int = MOST_BYTES) -> "io.BufferedReader[Any]":
    """The body, unzipped where it is gzipped. Reading raises ApiError (413) behind the limit, in either form."""
    # Django's reader ends at Content-Length, the server's at the last chunk.
    source = request.META["wsgi.input"] if content_length(request) is None else request
    body: io.BufferedReader[Any] = io.BufferedReader(_Limited(source, limit), _PIECE)
    if body.peek(2)[:2] != _GZIP:
        return body
    return io.BufferedReader(_Limited(gzip.GzipFile(fileobj=body), limit), _PIECE)


class _Limited(io.RawIOBase):
    """A stream that refuses to give more than it may."""

    def __init__(self, source: "IO[bytes] | Any", limit: int) -> None:
        self._source = source
        self._limit = self._left = limit

    def readable(self) -> bool:
        """Always."""
        return True

    def readinto(self, buffer: Any) -> int:
        """The next bytes."""
        piece = self._source.read(min(len(buffer), self._left + 1))
        self._left -= len(piece)
        if self._left < 0:
            raise too_large(self._limit)
        buffer[: len(piece)] = piece
        return len(piece)
