"""For ASGI applications (Starlette, FastAPI, Litestar, Django under ASGI, Quart):

    app = GatecrashMiddleware(app)                                   # or, with Starlette and FastAPI:
    app.add_middleware(GatecrashMiddleware, collector="http://127.0.0.1:8081")

Bodies are not looked at unless `body_limit` says how many bytes of one may be copied (for GraphQL and SOAP operations,
and for credentials in bodies).
"""

import time
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from typing import Any

from gatecrash.middleware.note import Note
from gatecrash.middleware.options import Noting

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


class GatecrashMiddleware(Noting[App]):
    """Notes every HTTP request of the application; WebSocket and lifespan pass untouched."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves one request by the application, and notes it."""
        if scope["type"] != "http" or not self.sender.usable:
            await self.app(scope, receive, send)
            return
        begun = time.time()
        # The server answers 500 where the application raises before it answers.
        start: Message = {"status": 500}

        async def watched(message: Message) -> None:
            nonlocal start
            if message["type"] == "http.response.start":
                start = message
            await send(message)

        body = _Body(receive, self._body_limit) if self._body_limit else None
        try:
            await self.app(scope, body or receive, watched)
        finally:
            with suppress(Exception):
                self.sender.put(_note(scope, start, begun, body.kept() if body else b""))


class _Body:
    """The receiving side, with a copy of a small body."""

    __slots__ = ("_limit", "_pieces", "_receive", "_size", "_whole")

    def __init__(self, receive: Receive, limit: int) -> None:
        self._receive = receive
        self._limit = limit
        self._pieces: list[bytes] = []
        self._size = 0
        self._whole = False

    async def __call__(self) -> Message:
        """The next message, as it came."""
        message = await self._receive()
        if message["type"] == "http.request":
            piece = message.get("body", b"")
            self._size += len(piece)
            self._whole = not message.get("more_body", False)
            if self._size <= self._limit:
                self._pieces.append(piece)
        return message

    def kept(self) -> bytes:
        """The body, where it was small enough and the application read all of it."""
        return b"".join(self._pieces) if self._whole and self._size <= self._limit else b""


def _note(scope: Scope, start: Message, begun: float, body: bytes) -> Note:
    headers = list(scope["headers"])
    host = next((value for name, value in headers if name == b"host"), b"").decode("latin-1")
    raw = scope.get("raw_path") or scope["path"].encode()
    # The raw path has no query in the specification; some servers put it there all the same.
    target = raw.partition(b"?")[0]
    query = scope.get("query_string", b"")
    client = scope.get("client")
    return Note(
        method=scope["method"],
        scheme=scope.get("scheme", "http"),
        host=host or _server(scope),
        target=target + b"?" + query if query else target,
        headers=headers,
        started=begun,
        status=start["status"],
        answered=list(start.get("headers", ())),
        client=client[0] if client else "",
        body=body,
    )


def _server(scope: Scope) -> str:
    server = scope.get("server")
    return f"{server[0]}:{server[1]}" if server and server[1] else "localhost"
