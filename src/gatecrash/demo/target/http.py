"""HTTP/1.1 for the shop: a small asyncio protocol on httptools, keep-alive and pipelining included.

Handlers are plain functions that answer at once (SQLite in memory takes microseconds), so answers keep the order of
their requests by themselves.
"""

import asyncio
import json
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qsl, unquote

import httptools

MAX_BODY = 1 << 20


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


@dataclass(frozen=True)
class Reply:
    """One answer; its content goes out as JSON."""

    status: int
    content: object
    headers: Mapping[str, str] = field(default_factory=dict)


Application = Callable[[Call], Reply]


class Conversation(asyncio.Protocol):
    """One client's connection."""

    def __init__(self, application: Application) -> None:
        self._application = application
        self._transport: asyncio.Transport | None = None
        self._parser = httptools.HttpRequestParser(self)
        self._begin()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Asyncio's: the client is here."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

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
        keep = self._parser.should_keep_alive()
        self._transport.write(serialise(self._answer(call), keep, call.method))
        if not keep:
            self._transport.close()

    def _begin(self) -> None:
        self._target = b""
        self._headers: dict[str, str] = {}
        self._body = bytearray()

    def _answer(self, call: Call) -> Reply:
        try:
            return self._application(call)
        except Exception:  # noqa: BLE001 - a handler's bug must not take the connection with it
            traceback.print_exc()
            return Reply(HTTPStatus.INTERNAL_SERVER_ERROR, {"error": "Something went wrong on our side."})

    def _close_with(self, status: int, text: str) -> None:
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(serialise(Reply(status, {"error": text}), keep=False))
            self._transport.close()


def serialise(reply: Reply, keep: bool, method: str = "GET") -> bytes:
    """The answer's bytes; without its body for HEAD (RFC 9110 section 9.3.2)."""
    body = json.dumps(reply.content, separators=(",", ":")).encode()
    head = [
        f"HTTP/1.1 {reply.status} {HTTPStatus(reply.status).phrase}",
        "Content-Type: application/json",
        f"Content-Length: {len(body)}",
        f"Connection: {'keep-alive' if keep else 'close'}",
        *(f"{name}: {value}" for name, value in reply.headers.items()),
    ]
    return "\r\n".join(head).encode("latin-1") + b"\r\n\r\n" + (b"" if method == "HEAD" else body)
