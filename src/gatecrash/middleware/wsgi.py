"""For WSGI applications (Flask, Django, Pyramid, Bottle):

    app.wsgi_app = GatecrashMiddleware(app.wsgi_app)      # Flask
    application = GatecrashMiddleware(application)        # everything else

Bodies are not looked at unless `body_limit` says how many bytes of one may be copied (for GraphQL and SOAP operations,
and for credentials in bodies).
"""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Any
from urllib.parse import quote

from gatecrash.middleware.note import Note
from gatecrash.middleware.options import Noting
from gatecrash.middleware.sender import Sender

Environ = dict[str, Any]
StartResponse = Callable[..., Any]
App = Callable[[Environ, StartResponse], Iterable[bytes]]
# What quote() of PEP 3333's own example leaves as it is, and what servers leave in a path (RFC 3986 section 3.3).
_PATH_SIGNS = "/;=,:@!$&'()*+~-._"


class GatecrashMiddleware(Noting[App]):
    """Notes every request of the application."""

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        """Serves one request by the application, and notes it."""
        if not self.sender.usable:
            return self.app(environ, start_response)
        begun = time.time()
        # Taken now: applications and servers change the environment on the way.
        noted = _Noted(self.sender, environ, begun, self._copied(environ))

        def watched(status: str, headers: list[tuple[str, str]], *more: Any) -> Any:
            noted.status, noted.answered = status, headers
            return start_response(status, headers, *more)

        try:
            answer = self.app(environ, watched)
        except BaseException:
            noted.end()
            raise
        # Answered already, as nearly always: what the application gave is given on, file wrappers included.
        if noted.status and not self._body_limit:
            noted.end()
            return answer
        return _Ending(answer, noted)

    def _copied(self, environ: Environ) -> "_Input | None":
        """Puts a copying input in the place of the server's, where a body is small enough."""
        length = environ.get("CONTENT_LENGTH") or ""
        if not self._body_limit or not str(length).isdigit() or int(length) > self._body_limit:
            return None
        copied = environ["wsgi.input"] = _Input(environ["wsgi.input"], int(length))
        return copied


class _Noted:
    """One request until it is queued. status: the status line; "" until there is one."""

    __slots__ = ("_begun", "_environ", "_input", "_parts", "_sender", "answered", "status")

    def __init__(self, sender: Sender, environ: Environ, begun: float, copied: "_Input | None") -> None:
        self.status = ""
        self.answered: list[tuple[str, str]] = []
        self._sender = sender
        self._begun = begun
        self._input = copied
        self._environ: Environ | None = environ
        with suppress(Exception):
            self._parts = _parts(environ)

    def end(self) -> None:
        """Queues it, once. The server answers 500 where the application raised before it answered."""
        if self._environ is None:
            return
        self._environ = None
        with suppress(Exception):
            method, scheme, host, target, headers, client = self._parts
            status = int(self.status[:3]) if self.status else 500
            answered = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in self.answered]
            body = self._input.kept() if self._input is not None else b""
            self._sender.put(
                Note(
                    method=method,
                    scheme=scheme,
                    host=host,
                    target=target,
                    headers=headers,
                    started=self._begun,
                    status=status,
                    answered=answered,
                    client=client,
                    body=body,
                )
            )


class _Ending:
    """The application's answer, noted when the server has done with it (PEP 3333: close is always called)."""

    __slots__ = ("_answer", "_noted")

    def __init__(self, answer: Iterable[bytes], noted: _Noted) -> None:
        self._answer = answer
        self._noted = noted

    def __iter__(self) -> Iterator[bytes]:
        """The pieces as they come."""
        return iter(self._answer)

    def close(self) -> None:
        """Closes the application's answer, as the server would."""
        try:
            close = getattr(self._answer, "close", None)
            if close is not None:
                close()
        finally:
            self._noted.end()


class _Input:
    """The body's stream, with a copy of what was read."""

    __slots__ = ("_length", "_pieces", "_stream")

    def __init__(self, stream: Any, length: int) -> None:
        self._stream = stream
        self._length = length
        self._pieces: list[bytes] = []

    def read(self, *size: Any) -> bytes:
        """As the server's."""
        return self._keep(self._stream.read(*size))

    def readline(self, *size: Any) -> bytes:
        """As the server's."""
        return self._keep(self._stream.readline(*size))

    def readlines(self, *hint: Any) -> list[bytes]:
        """As the server's."""
        return [self._keep(line) for line in self._stream.readlines(*hint)]

    def readinto(self, room: Any) -> int:
        """As a raw stream's (io.RawIOBase), which Werkzeug wraps the input in."""
        piece = self.read(len(room))
        room[: len(piece)] = piece
        return len(piece)

    def __iter__(self) -> Iterator[bytes]:
        """As the server's."""
        return (self._keep(line) for line in self._stream)

    def __getattr__(self, name: str) -> Any:
        """What a server's stream has beyond PEP 3333."""
        return getattr(self._stream, name)

    def kept(self) -> bytes:
        """The body, where the application read all of it through here."""
        body = b"".join(self._pieces)
        return body if len(body) == self._length else b""

    def _keep(self, piece: bytes) -> bytes:
        self._pieces.append(piece)
        return piece


def _parts(environ: Environ) -> tuple[str, str, str, bytes, list[tuple[bytes, bytes]], str]:
    headers = [
        (name[5:].replace("_", "-").title().encode("latin-1"), value.encode("latin-1"))
        for name, value in environ.items()
        if name.startswith("HTTP_")
    ]
    if environ.get("CONTENT_TYPE"):
        headers.append((b"Content-Type", environ["CONTENT_TYPE"].encode("latin-1")))
    host = environ.get("HTTP_HOST") or f"{environ['SERVER_NAME']}:{environ['SERVER_PORT']}"
    return (
        environ["REQUEST_METHOD"],
        environ.get("wsgi.url_scheme", "http"),
        host,
        _target(environ),
        headers,
        environ.get("REMOTE_ADDR") or "",
    )


def _target(environ: Environ) -> bytes:
    """The raw target where the server gives it (gunicorn RAW_URI, Werkzeug and uWSGI REQUEST_URI), else put together."""
    raw = environ.get("RAW_URI") or environ.get("REQUEST_URI")
    if raw and raw.startswith("/"):
        return str(raw).encode("latin-1")
    path = (environ.get("SCRIPT_NAME", "") + environ.get("PATH_INFO", "")).encode("latin-1")
    query = environ.get("QUERY_STRING") or ""
    target = quote(path, safe=_PATH_SIGNS) or "/"
    return (f"{target}?{query}" if query else target).encode("latin-1")
