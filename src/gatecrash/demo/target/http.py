"""HTTP/1.1 for the shop: a small asyncio protocol on httptools, keep-alive and pipelining included.

Most handlers answer at once (SQLite in memory takes microseconds). Those that wait, for a program or a long query,
answer with an awaitable: other connections go on meanwhile, and the next requests of their own wait in a queue, so that
answers keep the order of requests.
"""

import asyncio
import json
import traceback
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qsl, unquote

import httptools

MAX_BODY = 1 << 20
JSON = "application/json"
HTML = "text/html; charset=utf-8"
TEXT = "text/plain; charset=utf-8"


@dataclass(frozen=True)
class Call:
    """One request as a handler sees it. headers: names in lower case. captured: values of the path's `{…}` segments."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes = b""
    captured: Mapping[str, str] = field(default_factory=dict)

    def document(self) -> Mapping[str, Any]:
        """The JSON body where it is an object; else an empty one."""
        try:
            value = json.loads(self.body)
        except ValueError:
            return {}
        return value if isinstance(value, dict) else {}

    def form(self) -> Mapping[str, str]:
        """The fields of an HTML form's body."""
        return dict(parse_qsl(self.body.decode("utf-8", "replace"), keep_blank_values=True))

    def cookie(self, name: str) -> str:
        """The value of a cookie; empty where it is not there (RFC 6265 section 5.4)."""
        pairs = (pair.strip().partition("=") for pair in self.headers.get("cookie", "").split(";"))
        return next((value for key, _, value in pairs if key == name), "")


@dataclass(frozen=True)
class Reply:
    """One answer. content: goes out as JSON, or as it is where the kind is a text's."""

    status: int
    content: object
    headers: Mapping[str, str] = field(default_factory=dict)
    kind: str = JSON

    def body(self) -> bytes:
        """The content's bytes."""
        if self.kind != JSON:
            return str(self.content).encode()
        return json.dumps(self.content, separators=(",", ":")).encode()


Application = Callable[[Call], Reply | Awaitable[Reply]]


class Conversation(asyncio.Protocol):
    """One client's connection. connected: the open ones, to which it adds itself and from which it goes when it is closed."""

    def __init__(self, application: Application, connected: set[asyncio.Transport]) -> None:
        self._application = application
        self._connected = connected
        self._transport: asyncio.Transport | None = None
        self._parser = httptools.HttpRequestParser(self)
        self._queue: deque[tuple[Call, bool]] = deque()
        self._waiting: asyncio.Future[Reply] | None = None
        self._begin()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Asyncio's: the client is here."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._connected.add(transport)

    def connection_lost(self, _error: Exception | None) -> None:
        """Asyncio's: the client left; what still runs for it is stopped."""
        self._queue.clear()
        if self._transport is not None:
            self._connected.discard(self._transport)
        if self._waiting is not None:
            self._waiting.cancel()

    def data_received(self, data: bytes) -> None:
        """Asyncio's: bytes came."""
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserUpgrade:
            self._close_with(HTTPStatus.BAD_REQUEST, "This server upgrades to nothing.")
        except httptools.HttpParserError:
            self._close_with(HTTPStatus.BAD_REQUEST, "This is no HTTP/1.1.")

    def on_message_begin(self) -> None:
        """The parser's: a request begins."""
        self._begin()

    def on_url(self, target: bytes) -> None:
        """The parser's: a piece of the request target."""
        self._target += target

    def on_header(self, name: bytes, value: bytes) -> None:
        """The parser's: one header."""
        self._headers[name.decode("latin-1").lower()] = value.decode("latin-1")

    def on_body(self, piece: bytes) -> None:
        """The parser's: a piece of the body."""
        self._body += piece
        if len(self._body) > MAX_BODY:
            self._close_with(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "The body is over 1 MiB.")

    def on_message_complete(self) -> None:
        """The parser's: the request is whole."""
        if self._transport is None or self._transport.is_closing():
            return
        path, _, query = self._target.decode("latin-1").partition("?")
        call = Call(
            method=self._parser.get_method().decode("ascii"),
            path=unquote(path),
            query=dict(parse_qsl(query, keep_blank_values=True)),
            headers=self._headers,
            body=bytes(self._body),
        )
        self._queue.append((call, self._parser.should_keep_alive()))
        self._serve()

    def _begin(self) -> None:
        self._target = b""
        self._headers: dict[str, str] = {}
        self._body = bytearray()

    def _serve(self) -> None:
        """Answer what is in the queue, one after the other."""
        while self._queue and self._waiting is None:
            call, keep = self._queue.popleft()
            try:
                answer = self._application(call)
            except Exception:  # noqa: BLE001 - a handler's bug must not take the connection with it
                answer = _broken()
            if isinstance(answer, Reply):
                self._write(answer, keep, call.method)
            else:
                self._waiting = asyncio.ensure_future(answer)
                self._waiting.add_done_callback(partial(self._finish, keep, call.method))

    def _finish(self, keep: bool, method: str, done: "asyncio.Future[Reply]") -> None:
        self._waiting = None
        if done.cancelled():
            return
        error = done.exception()
        self._write(_broken(error) if error else done.result(), keep, method)
        self._serve()

    def _write(self, reply: Reply, keep: bool, method: str) -> None:
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(serialise(reply, keep, method))
            if not keep:
                self._transport.close()

    def _close_with(self, status: int, text: str) -> None:
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(serialise(Reply(status, {"error": text}), keep=False))
            self._transport.close()


def _broken(error: BaseException | None = None) -> Reply:
    traceback.print_exception(error) if error else traceback.print_exc()
    return Reply(HTTPStatus.INTERNAL_SERVER_ERROR, {"error": "Something went wrong on our side."})


def serialise(reply: Reply, keep: bool, method: str = "GET") -> bytes:
    """The answer's bytes; without its body for HEAD (RFC 9110 section 9.3.2)."""
    body = reply.body()
    head = [
        f"HTTP/1.1 {reply.status} {HTTPStatus(reply.status).phrase}",
        f"Content-Type: {reply.kind}",
        f"Content-Length: {len(body)}",
        f"Connection: {'keep-alive' if keep else 'close'}",
        *(f"{name}: {value}" for name, value in reply.headers.items()),
    ]
    return "\r\n".join(head).encode("latin-1") + b"\r\n\r\n" + (b"" if method == "HEAD" else body)
