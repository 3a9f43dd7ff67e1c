"""A shop behind a guard of one's own choice, with the same weaknesses whatever the guard: only the way in differs.

/search reflects its words into a page (xss), so does the form of /comment; /go redirects anywhere (redir); /items and /me
are sound. Whoever the guard does not let in is answered 401.
"""

import asyncio
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from urllib.parse import parse_qsl

from gatecrash.core.message import Exchange, Headers, Request, Response
from gatecrash.fakes.listening import Listening


@dataclass(frozen=True)
class Asked:
    """One request as the shop reads it."""

    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def path(self) -> str:
        """Without the query."""
        return self.target.partition("?")[0]

    @property
    def bearer(self) -> str:
        """The token, empty where there is none."""
        return self.headers.get("authorization", "").removeprefix("Bearer ")

    def field(self, name: str) -> str:
        """A parameter of the query or the form."""
        query = self.target.partition("?")[2]
        given = dict(parse_qsl(query, keep_blank_values=True, encoding="latin-1"))
        given |= dict(parse_qsl(self.body.decode("latin-1"), keep_blank_values=True, encoding="latin-1"))
        return given.get(name, "")


@dataclass(frozen=True)
class Said:
    """One answer."""

    status: int = 200
    body: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    kind: str = "application/json"


class Guard:
    """Lets everybody in. serves: its own paths, as a login. gives: headers for those who were let in."""

    def serves(self, _asked: Asked) -> Said | None:
        return None

    def lets_in(self, _asked: Asked) -> bool:
        return True

    def gives(self, _asked: Asked) -> dict[str, str]:
        return {}

    def refuses(self, _asked: Asked) -> Said:
        return Said(401, '{"error": "unauthorized"}')


class GuardedShop(Listening):
    """The server. asked: all requests that came, with the status of their answers."""

    def __init__(self, guard: Guard) -> None:
        super().__init__()
        self.guard = guard
        self.asked: list[tuple[Asked, int]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def record(self, headers: Headers = ()) -> list[Exchange]:
        """What was recorded here once, in a session that has ended since."""
        form = (*headers, (b"Content-Type", b"application/x-www-form-urlencoded"))
        asked = [
            ("GET", b"/me", headers, b""),
            ("GET", b"/search?q=shoes", headers, b""),
            ("GET", b"/items?id=7", headers, b""),
            ("GET", b"/go?to=/me", headers, b""),
            ("POST", b"/comment", form, b"text=nice"),
        ]
        return [self._recorded(*one) for one in asked]

    def _recorded(self, method: str, target: bytes, headers: Headers, body: bytes) -> Exchange:
        said = _page(Asked(method, target.decode(), {}, body))
        response = Response(said.status, _headers(said), said.body.encode("latin-1"))
        return Exchange(Request(method, target, headers, body, "http", "127.0.0.1", self.port), response)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            asked = await _read(reader)
            said = self._answer(asked)
            self.asked.append((asked, said.status))
            writer.write(_bytes(said))
            await writer.drain()

    def _answer(self, asked: Asked) -> Said:
        own = self.guard.serves(asked)
        if own is not None:
            return own
        if not self.guard.lets_in(asked):
            return self.guard.refuses(asked)
        said = _page(asked)
        return Said(said.status, said.body, {**said.headers, **self.guard.gives(asked)}, said.kind)


def _page(asked: Asked) -> Said:
    page = _PAGES.get((asked.method, asked.path))
    return page(asked) if page else Said(404, '{"error": "no such page"}')


_PAGES: dict[tuple[str, str], Callable[[Asked], Said]] = {
    ("GET", "/me"): lambda _asked: Said(body='{"user": "alice", "mail": "alice@shop.example"}'),
    ("GET", "/items"): lambda asked: Said(body=json.dumps({"item": asked.field("id"), "price": 12})),
    ("GET", "/search"): lambda asked: Said(body=f"<html><h1>For {asked.field('q')}</h1></html>", kind="text/html"),
    ("GET", "/go"): lambda asked: Said(
        302, headers={"Location": asked.field("to").replace("\r", "").replace("\n", "")}
    ),
    ("POST", "/comment"): lambda asked: Said(body=f"<html><p>{asked.field('text')}</p></html>", kind="text/html"),
}


async def _read(reader: asyncio.StreamReader) -> Asked:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    line, *rest = head.rstrip("\r\n").split("\r\n")
    method, target, _ = line.split(" ")
    headers = {name.lower(): value.strip() for name, _, value in (one.partition(":") for one in rest)}
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return Asked(method, target, headers, body)


def _headers(said: Said) -> Headers:
    pairs = {"Content-Type": said.kind, **said.headers}
    return tuple((name.encode(), value.encode("latin-1")) for name, value in pairs.items())


def _bytes(said: Said) -> bytes:
    body = said.body.encode("latin-1")
    lines = b"".join(b"%b: %b\r\n" % pair for pair in _headers(said))
    return b"HTTP/1.1 %d X\r\n%bContent-Length: %d\r\n\r\n%b" % (said.status, lines, len(body), body)
