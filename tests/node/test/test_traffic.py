"""A run's requests are paced, marked, counted, and wait while nobody hears the node."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import msgspec
import pytest
from tests.node.loop import run

from gatecrash.core.inventory.marker import verify_marker
from gatecrash.core.message import Request
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.fakes.raw_server import RawServer
from gatecrash.node.session import Lifeline
from gatecrash.node.test.destinations import Destinations
from gatecrash.node.test.sender import Sender
from gatecrash.node.test.traffic import Tally, Traffic
from gatecrash.wire.session import RunOrder

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
ORDER = RunOrder(
    run_id="tr_1", generation=1, record_id="r", recording=False, sending=True, policy=DEFAULT, marker_key=b"k" * 32
)


@asynccontextmanager
async def traffic(
    order: RunOrder = ORDER, *, allowed: bool = True, heard: bool = True
) -> AsyncIterator[tuple[Traffic, Lifeline]]:
    lifeline = Lifeline()
    if heard:
        lifeline.heard(asyncio.get_running_loop().time())
    sender = Sender(Destinations(lambda *_: None if allowed else "no", lambda *_: None))
    yield Traffic(order, sender, lifeline, Tally(1)), lifeline
    await sender.close()


def request(server: RawServer) -> Request:
    return Request("GET", b"/", ((b"Host", b"x"),), b"", "http", "127.0.0.1", server.port)


@run
async def test_each_request_carries_a_marker_of_its_own_that_the_run_signed() -> None:
    async with RawServer().answering(OK) as server, traffic() as (sending, _):
        for _ in range(3):
            await sending.send(request(server), "bl_1")
        values = [raw.partition(b"X-Gatecrash-Marker: ")[2].partition(b"\r\n")[0] for raw in server.received]
        assert len(set(values)) == 3
        assert [verify_marker({"tr_1": b"k" * 32}, value) for value in values] == ["tr_1"] * 3
        assert (sending.tally.sent, sending.tally.by_baseline["bl_1"]) == (3, 3)
        assert sum(count for _, count in sending.tally.recent()) == 3


@run
async def test_no_second_holds_more_than_the_limit() -> None:
    async with RawServer().answering(OK) as server, traffic(msgspec.structs.replace(ORDER, rps=20)) as (sending, _):
        clock = asyncio.get_running_loop().time
        times: list[float] = []

        async def one() -> None:
            await sending.send(request(server), "bl_1")
            times.append(clock())

        await asyncio.gather(*(one() for _ in range(30)))
        assert times[29] - times[0] >= 1.0


@run
async def test_a_node_that_nobody_hears_sends_nothing() -> None:
    async with RawServer().answering(OK) as server, traffic(heard=False) as (sending, lifeline):
        waiting = asyncio.ensure_future(sending.send(request(server), "bl_1"))
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(asyncio.shield(waiting), 0.1)
        assert server.connections == 0
        lifeline.heard(asyncio.get_running_loop().time())
        assert (await waiting).failure == ""


@run
async def test_what_is_not_allowed_is_not_counted_as_sent() -> None:
    async with RawServer().answering(OK) as server, traffic(allowed=False) as (sending, _):
        assert (await sending.send(request(server), "bl_1")).failure == "not_allowed"
        assert (sending.tally.sent, sum(count for _, count in sending.tally.recent())) == (0, 0)
