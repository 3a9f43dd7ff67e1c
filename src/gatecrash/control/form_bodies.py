"""Bodies of the pages' forms: how many threads may wait for them at once.

Whoever reaches the service may begin a form, the sign-in's for instance, and send its body byte by byte. A thread waits for
each, and before the body is there nobody knows who it is. So only some of the threads may wait; the rest go on answering.
The API knows a caller by the token before it reads a body, and is not bounded here.
"""

from collections.abc import Iterable
from http import HTTPStatus
from threading import Semaphore
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from wsgiref.types import InputStream, StartResponse, WSGIApplication, WSGIEnvironment

API = "/v1/"
# Seconds that a form waits for a place: another one that comes at the same moment is read within milliseconds.
PATIENCE = 0.1
TOO_MANY = b"Too many forms are being sent slowly. Try again in a moment.\n"


class BoundedForms:
    """A WSGI application that reads the bodies of at most so many forms at once; others get a 503."""

    def __init__(self, application: "WSGIApplication", most: int) -> None:
        self._application = application
        self._places = Semaphore(most)

    def __call__(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        """Answer one request."""
        length = _length(environ)
        if length == 0 or environ.get("PATH_INFO", "").startswith(API):
            return self._application(environ, start_response)
        if not self._places.acquire(timeout=PATIENCE):
            refused = HTTPStatus.SERVICE_UNAVAILABLE
            headers = [("Content-Type", "text/plain"), ("Content-Length", str(len(TOO_MANY))), ("Retry-After", "1")]
            start_response(f"{refused.value} {refused.phrase}", headers)
            return [TOO_MANY]
        body = _Body(environ["wsgi.input"], length, self._places)
        environ["wsgi.input"] = body
        try:
            return self._application(environ, start_response)
        finally:
            body.done()


class _Body:
    """A request's body that gives its place back as soon as all of it is read."""

    def __init__(self, stream: "InputStream", length: int, places: Semaphore) -> None:
        self._stream, self._left, self._places = stream, length, places
        self._has_place = True

    def read(self, *size: Any) -> bytes:
        return self._counted(self._stream.read(*size))

    def readline(self, *size: Any) -> bytes:
        return self._counted(self._stream.readline(*size))

    def done(self) -> None:
        if self._has_place:
            self._has_place = False
            self._places.release()

    def _counted(self, data: bytes) -> bytes:
        self._left -= len(data)
        if self._left <= 0 or not data:
            self.done()
        return data


def _length(environ: "WSGIEnvironment") -> int:
    """Bytes that the application will read: what Django takes for the length, nothing where it is not said."""
    said = environ.get("CONTENT_LENGTH") or "0"
    return int(said) if said.isascii() and said.isdigit() else 0
