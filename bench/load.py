"""A load of one repeated GET over a few kept connections; counts whole answers with status 200."""

import asyncio
import time
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

import httptools
import uvloop


class Refused(Exception):
    """The server answered something else than 200, or hung up; a speed would mean nothing."""


class Asker(asyncio.Protocol):
    """One connection: asks, waits for the whole answer, asks again."""

    def __init__(self, request: bytes, until: float) -> None:
        """Take the bytes to send and when to stop (perf_counter seconds)."""
        self.request = request
        self.until = until
        self.done = 0
        self.over: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: Any) -> None:
        """Begin."""
        self.transport = transport
        self._ask()

    def _ask(self) -> None:
        self.parser = httptools.HttpResponseParser(self)
        self.transport.write(self.request)

    def data_received(self, data: bytes) -> None:
        """Read on."""
        self.parser.feed_data(data)

    def on_message_complete(self) -> None:
        """One more; httptools calls this."""
        if self.parser.get_status_code() != 200:
            self._end(Refused(f"answered {self.parser.get_status_code()}"))
            return
        self.done += 1
        if time.perf_counter() < self.until:
            self._ask()
        else:
            self._end(None)

    def connection_lost(self, exc: Exception | None) -> None:
        """Expected only after the end."""
        self._end(exc or Refused("the server closed the connection"))

    def _end(self, error: Exception | None) -> None:
        if self.over.done():
            return
        if error is None:
            self.over.set_result(self.done)
        else:
            self.over.set_exception(error)
        self.transport.close()


def rate(url: str, headers: Mapping[str, str], seconds: float, connections: int = 8) -> float:
    """Requests per second over so many seconds. Raises Refused."""
    return uvloop.run(_rate(url, headers, seconds, connections))


async def _rate(url: str, headers: Mapping[str, str], seconds: float, connections: int) -> float:
    parts = urlsplit(url)
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    request = f"GET {parts.path} HTTP/1.1\r\nHost: {parts.netloc}\r\n{lines}\r\n".encode()
    loop = asyncio.get_running_loop()
    started = time.perf_counter()
    askers = [
        (await loop.create_connection(lambda: Asker(request, started + seconds), parts.hostname, parts.port))[1]
        for _ in range(connections)
    ]
    counts = await asyncio.gather(*(asker.over for asker in askers))
    return sum(counts) / (time.perf_counter() - started)
