"""A running collector, and raw senders to it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tests.node.observe.tapping import Client

from gatecrash.core.message import Exchange
from gatecrash.node.observe.collector import Collector, CollectorSettings
from gatecrash.node.observe.observations import Observations

MIRROR = (
    b"GET /gatecrash/v1/mirror HTTP/1.1\r\nHost: collector\r\nX-Original-Method: PUT\r\nX-Original-URI: /a?b=1\r\n"
    b"X-Original-Host: api.example.com\r\nX-Original-Scheme: https\r\nX-Original-Client: 192.0.2.7\r\nAuthorization: Bearer abcdefgh\r\n\r\n"
)


@asynccontextmanager
async def collecting(key: str | None = None, observations: Observations | None = None) -> AsyncIterator[Collector]:
    collector = Collector(CollectorSettings(port=0, key=key), observations or Observations())
    await collector.start()
    try:
        yield collector
    finally:
        await collector.close()


@asynccontextmanager
async def sender(collector: Collector) -> AsyncIterator[Client]:
    reader, writer = await asyncio.open_connection("127.0.0.1", collector.port)
    try:
        yield Client(reader, writer)
    finally:
        writer.close()


async def taken(collector: Collector, count: int) -> list[Exchange]:
    """So many exchanges, as they come to those who count them."""
    found: list[Exchange] = []
    while len(found) < count:
        found += [one.exchange for one in await collector.observations.take()]
    return found


def call(body: bytes, *headers: bytes, method: bytes = b"POST", path: bytes = b"/gatecrash/v1/exchanges") -> bytes:
    lines = b"".join(header + b"\r\n" for header in headers)
    return b"%b %b HTTP/1.1\r\nHost: c\r\nContent-Length: %d\r\n%b\r\n%b" % (method, path, len(body), lines, body)
