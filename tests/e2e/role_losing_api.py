"""An API whose account can take its own role away, sign itself out and change its password; it writes down what it was asked.

`GET /admin/search?q=` puts q into SQL. Items are numbered from 7001, so that nobody guesses an identifier.
"""

import json
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.in_memory import InMemory

KEY = "k-4f1c9a7e2b88"
DESTRUCTIVE = {("PUT", "/me/role"), ("POST", "/logout"), ("POST", "/me/password"), ("DELETE", "/items/{item_id}")}

_KEY = {"name": "X-API-KEY", "in": "header", "required": True, "schema": {"type": "string"}, "example": KEY}
_ITEM = {
    "type": "object",
    "required": ["name"],
    "properties": {"id": {"type": "integer", "readOnly": True}, "name": {"type": "string"}},
}


def _operation(body: dict[str, Any] | None = None, *query: str) -> dict[str, Any]:
    told: dict[str, Any] = {"responses": {"200": {"description": "good", "content": {"application/json": {}}}}}
    told["parameters"] = [_KEY, *({"name": name, "in": "query", "schema": {"type": "string"}} for name in query)]
    if body is not None:
        told["requestBody"] = {"content": {"application/json": {"schema": body}}}
    return told


def _text(name: str, value: str) -> dict[str, Any]:
    return {"type": "object", "properties": {name: {"type": "string", "example": value}}}


# What destroys is described first: an order of our own must come from somewhere else than the document.
DESCRIPTION: dict[str, Any] = {
    "openapi": "3.1.0",
    "info": {"title": "Role losing", "version": "1"},
    "paths": {
        "/me/role": {"put": _operation(_text("role", "guest"))},
        "/logout": {"post": _operation({"type": "object"})},
        "/me/password": {"post": _operation(_text("password", "Another-1"))},
        "/items/{item_id}": {"delete": _operation(), "get": _operation(), "put": _operation(_ITEM)},
        "/items": {"post": _operation(_ITEM), "get": _operation()},
        "/admin/search": {"get": _operation(None, "q")},
        "/me": {"get": _operation()},
    },
}


class Api:
    """One account, its items, and every request in order."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str, int]] = []
        self.role = "admin"
        self.signed_in = True
        self.items = {7001: {"id": 7001, "name": "kettle"}}
        self._next = 7002
        self._lock = threading.Lock()
        self._rows = InMemory()
        self._rows.execute("CREATE TABLE item (name TEXT)")
        self._rows.executemany("INSERT INTO item VALUES (?)", [("kettle",), ("cup",), ("pot",)])

    def answer(self, method: str, target: str, headers: Any, body: bytes) -> tuple[int, Any]:
        with self._lock:
            status, told = self._answer(method, target, headers, body)
            self.asked.append((method, urlsplit(target).path, status))
            return status, told

    def _answer(self, method: str, target: str, headers: Any, body: bytes) -> tuple[int, Any]:
        path = urlsplit(target).path
        if path == "/openapi.json":
            return 200, DESCRIPTION
        if headers.get("X-API-KEY") != KEY or not self.signed_in:
            return 401, {"error": "sign in first"}
        if path == "/me" and method == "GET":
            return 200, {"name": "ann", "role": self.role}
        if path.startswith("/items"):
            return self._item(method, path, body)
        if self.role != "admin":
            return 403, {"error": "forbidden"}
        if path == "/admin/search" and method == "GET":
            return self._search(parse_qs(urlsplit(target).query).get("q", [""])[0])
        return self._account(method, path)

    def _account(self, method: str, path: str) -> tuple[int, Any]:
        if (method, path) == ("PUT", "/me/role"):
            self.role = "guest"
        elif (method, path) == ("POST", "/logout"):
            self.signed_in = False
        elif (method, path) != ("POST", "/me/password"):
            return 404, {"error": "no such thing"}
        return 200, {"done": True}

    def _search(self, word: str) -> tuple[int, Any]:
        try:
            found = self._rows.execute(f"SELECT name FROM item WHERE name LIKE '%{word}%'").fetchall()
        except sqlite3.Error as error:
            return 500, {"error": f"sqlite3.OperationalError: {error}"}
        return 200, {"found": [name for (name,) in found]}

    def _item(self, method: str, path: str, body: bytes) -> tuple[int, Any]:
        number = path.removeprefix("/items").lstrip("/")
        if not number:
            return self._items(method, body)
        item = self.items.get(int(number)) if number.isdigit() else None
        if item is None:
            return 404, {"error": "no such item"}
        if method == "DELETE":
            del self.items[item["id"]]
        elif method == "PUT":
            item["name"] = _name(body)
        return 200, item

    def _items(self, method: str, body: bytes) -> tuple[int, Any]:
        if method == "GET":
            return 200, {"items": list(self.items.values())[:3]}
        if not _name(body):
            return 422, {"error": "no name"}
        self.items[self._next] = {"id": self._next, "name": _name(body)}
        self._next += 1
        return 201, self.items[self._next - 1]


def _name(body: bytes) -> Any:
    try:
        return json.loads(body).get("name")
    except (ValueError, AttributeError):
        return None


def _handler(api: Api) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _all(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            status, told = api.answer(self.command, self.path, self.headers, body)
            data = json.dumps(told).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(data)

        do_GET = do_POST = do_PUT = do_DELETE = do_HEAD = do_PATCH = do_OPTIONS = _all  # noqa: N815 - the library looks for these names

        def log_message(self, *_: object) -> None:
            pass

    return Handler


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_: object) -> None:
        """A connection that was dropped on purpose is no error."""


@contextmanager
def role_losing_api() -> Iterator[tuple[str, Api]]:
    """The API on a free port: its address and its memory."""
    api = Api()
    handler: Callable[..., Any] = _handler(api)
    with _Server(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}", api
        finally:
            server.shutdown()
            thread.join()
