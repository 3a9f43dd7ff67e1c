"""A running tap, and raw clients of it, for the tests of its parts."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from tests.node.http2.speaking import Http2Server

from gatecrash.core.message import Exchange
from gatecrash.fakes.raw_server import RawServer
from gatecrash.node.observe.observations import Observation, Observations
from gatecrash.node.observe.route import Origin
from gatecrash.node.observe.tap import Tap, TapSettings

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


class Client:
    """A raw client of the tap."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    async def ask(self, raw: bytes) -> bytes:
        self.writer.write(raw)
        await self.writer.drain()
        return await self.answer()

    async def answer(self) -> bytes:
        """One answer with a Content-Length or without a body, exactly."""
        head = await self.reader.readuntil(b"\r\n\r\n")
        for line in head.split(b"\r\n"):
            if line.lower().startswith(b"content-length:"):
                return head + await self.reader.readexactly(int(line.split(b":")[1]))
        return head


@asynccontextmanager
async def tapping(upstream: RawServer | Http2Server | None = None, **settings: Any) -> AsyncIterator[Tap]:
    origin = Origin("http", "127.0.0.1", upstream.port) if upstream else None
    observations = settings.pop("observations", None) or Observations()
    tap = Tap(TapSettings(port=0, upstream=origin, **settings), observations)
    await tap.start()
    try:
        yield tap
    finally:
        await tap.close()


@asynccontextmanager
async def client_of(tap: Tap) -> AsyncIterator[Client]:
    reader, writer = await asyncio.open_connection("127.0.0.1", tap.port)
    try:
        yield Client(reader, writer)
    finally:
        writer.close()


async def seen(tap: Tap, count: int = 1) -> list[Observation]:
    found: list[Observation] = []
    while len(found) < count:
        found += await tap.observations.take()
    return found


async def exchange(tap: Tap) -> Exchange:
    return (await seen(tap))[0].exchange
