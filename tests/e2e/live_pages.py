"""Open pages without a browser: each asks for its live parts as htmx does, on a session and a connection of its own.

What htmx does of this: `hx-trigger="every 1s"` asks again so long after the part was put in, never twice at once; an answer
200 replaces the part, attributes included, so a part without `hx-get` asks no more; 204 leaves it; the header `HX-Trigger`
names events for parts that wait for them.
"""

import asyncio
import contextlib
import gzip
import random
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import urlsplit

import httptools

COOKIE = "gatecrash_session"


@dataclass
class Answer:
    """What came back. events: of `HX-Trigger`."""

    status: int = 0
    events: tuple[str, ...] = ()
    is_packed: bool = False
    raw: bytes = b""

    @property
    def text(self) -> str:
        return (gzip.decompress(self.raw) if self.is_packed else self.raw).decode()


class Connection(asyncio.Protocol):
    """One kept connection; one question at a time."""

    def __init__(self) -> None:
        self.over: asyncio.Future[Answer] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    async def get(self, path: str, headers: dict[str, str]) -> Answer:
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        self.answer, self.parser = Answer(), httptools.HttpResponseParser(self)
        self.over = asyncio.get_running_loop().create_future()
        self.transport.write(f"GET {path} HTTP/1.1\r\n{lines}\r\n".encode())
        return await self.over

    def data_received(self, data: bytes) -> None:
        self.parser.feed_data(data)

    def on_header(self, name: bytes, value: bytes) -> None:
        if name.lower() == b"hx-trigger":
            self.answer.events = tuple(value.decode().split(", "))
        elif name.lower() == b"content-encoding":
            self.answer.is_packed = value == b"gzip"

    def on_body(self, body: bytes) -> None:
        self.answer.raw += body

    def on_message_complete(self) -> None:
        assert self.over is not None
        self.answer.status = self.parser.get_status_code()
        if not self.over.done():  # who asked may be gone: its page was closed
            self.over.set_result(self.answer)

    def connection_lost(self, error: Exception | None) -> None:
        if self.over is not None and not self.over.done():
            self.over.set_exception(error or ConnectionError("the service closed the connection"))


@dataclass
class Part:
    """A live part. every: seconds; 0 where it waits for the event alone. address: empty once it asks no more."""

    name: str
    address: str
    every: float
    event: str
    text: str = ""


class Parts(HTMLParser):
    """The live parts of a page or of an answer."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: dict[str, Part] = {}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        trigger = given.get("hx-trigger", "")
        every = re.search(r"every (\d+)s", trigger)
        event = re.search(r"([\w-]+) from:body", trigger)
        if "hx-get" in given and (every or event):
            part = Part(given["id"], given["hx-get"], float(every[1]) if every else 0, event[1] if event else "")
            self.found[part.name] = part


@dataclass
class LivePage:
    """One open page. lost: questions that were answered with an error."""

    api: str
    session: str
    path: str
    changed: Callable[["LivePage"], None]
    parts: dict[str, Part] = field(default_factory=dict)
    asked: int = 0
    slowest: float = 0.0
    lost: int = 0

    async def open(self) -> None:
        """Load the whole page."""
        place = urlsplit(self.api)
        loop = asyncio.get_running_loop()
        _, self.connection = await loop.create_connection(Connection, place.hostname, place.port)
        self.headers = {"Host": place.netloc, "Cookie": f"{COOKIE}={self.session}", "Accept-Encoding": "gzip"}
        self.turn = asyncio.Lock()
        answer = await self._ask(self.path, {})
        assert answer.status == 200, answer
        self.parts = Parts(answer.text).found
        assert self.parts, "the page has no live part"

    async def follow(self) -> None:
        """Keep the live parts alive until cancelled."""
        async with asyncio.TaskGroup() as group:
            for part in self.parts.values():
                if part.every:
                    group.create_task(self._repeat(part))

    async def _repeat(self, part: Part) -> None:
        await asyncio.sleep(random.random() * part.every)  # pages were not opened in the same moment
        while part.address:
            await self._renew(part)
            await asyncio.sleep(part.every)

    async def _renew(self, part: Part) -> None:
        answer = await self._ask(part.address, {"HX-Request": "true"})
        if answer.status == 200:
            text = answer.text
            fresh = Parts(text[: text.index(">") + 1]).found.get(
                part.name
            )  # a part is one element: its first tag tells
            part.address, part.text = (fresh.address if fresh else ""), text
            self.changed(self)
        elif answer.status != 204:
            self.lost += 1
        for other in self.parts.values():
            if other.event in answer.events and other.address:
                await self._renew(other)

    async def _ask(self, path: str, more: dict[str, str]) -> Answer:
        async with self.turn:
            began = time.monotonic()
            answer = await self.connection.get(path, self.headers | more)
            self.asked += 1
            self.slowest = max(self.slowest, time.monotonic() - began)
            return answer


class Crowd:
    """Many open pages, and when each of them saw what is waited for."""

    def __init__(self, api: str, sessions: Sequence[str], paths: Sequence[str]) -> None:
        """A page for each session; the paths in turn."""
        self.pages = [
            LivePage(api, session, paths[place % len(paths)], self._look) for place, session in enumerate(sessions)
        ]
        self.holds: Callable[[LivePage], bool] = lambda _: False
        self.seen: dict[int, float] = {}
        self.all_seen = asyncio.Event()

    async def open(self) -> None:
        """Open every page, some at a time, and let them live."""
        for start in range(0, len(self.pages), 10):
            await asyncio.gather(*(page.open() for page in self.pages[start : start + 10]))
        self.lives = [asyncio.create_task(page.follow()) for page in self.pages]

    async def close(self) -> None:
        """Close every page. Raises what a page ended by."""
        for life in self.lives:
            life.cancel()
        ends = await asyncio.gather(*self.lives, return_exceptions=True)
        for page in self.pages:
            page.connection.transport.close()
        for end in ends:
            if isinstance(end, Exception):
                raise end

    async def sees(
        self, change: Callable[[], object], holds: Callable[[LivePage], bool], within: float = 10
    ) -> list[float]:
        """Make a change, and wait until each page shows it; the seconds that it took each, the quickest first.

        A page that has not seen it in time counts as `within`.
        """
        self.seen, self.holds = {}, holds
        self.all_seen.clear()
        await asyncio.to_thread(change)
        began = time.monotonic()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.all_seen.wait(), within)
        missing = len(self.pages) - len(self.seen)
        return sorted(max(0.0, at - began) for at in self.seen.values()) + [within] * missing

    def _look(self, page: LivePage) -> None:
        if id(page) not in self.seen and self.holds(page):
            self.seen[id(page)] = time.monotonic()
            if len(self.seen) == len(self.pages):
                self.all_seen.set()
