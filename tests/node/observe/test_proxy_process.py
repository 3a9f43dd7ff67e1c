"""A proxying process does what its first letter says, and goes when nobody hears it."""

import asyncio
import os
import socket

from tests.node.loop import run
from tests.node.observe.tapping import OK, Client

from gatecrash.core.message import Exchange, Request
from gatecrash.fakes.raw_server import RawServer
from gatecrash.node.children import channel_at
from gatecrash.node.observe.observations import Observation, Observations
from gatecrash.node.observe.proxy_messages import Begin, End, Listening, Seen, reports
from gatecrash.node.observe.proxy_process import BATCH, make_tap, proxy
from gatecrash.node.observe.route import Origin
from gatecrash.node.observe.tap import Tap, TapSettings


async def _request(port: int) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    assert await Client(reader, writer).ask(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n") == OK
    writer.close()


@run
async def test_it_listens_tells_and_ends_when_told() -> None:
    ours, theirs = socket.socketpair()
    channel = await channel_at(ours.detach(), reports)
    listening = socket.create_server(("127.0.0.1", 0))
    port = listening.getsockname()[1]
    async with RawServer().answering(OK) as server:
        running = asyncio.ensure_future(proxy(theirs.detach(), os.dup(listening.fileno())))
        channel.post(Begin("tap9", TapSettings(upstream=Origin("http", "127.0.0.1", server.port)), None))
        assert await channel.next() == Listening()
        await _request(port)
        told = await channel.next()
        assert isinstance(told, Seen)
        assert [(each.exchange.connection, each.whole) for each in told.observations] == [("tap9-1", True)]
        channel.post(End())
        assert await channel.next() is None
        await running
    await channel.close()
    listening.close()


@run
async def test_it_ends_when_its_node_is_gone_even_before_the_first_letter() -> None:
    for before in (True, False):
        ours, theirs = socket.socketpair()
        listening = socket.create_server(("127.0.0.1", 0))
        running = asyncio.ensure_future(proxy(theirs.detach(), listening.detach()))
        channel = await channel_at(ours.detach(), reports)
        if not before:
            channel.post(Begin("tap1", TapSettings(), None))
            assert await channel.next() == Listening()
        await channel.close()
        await running


@run
async def test_all_that_waits_is_told_in_batches_before_it_goes() -> None:
    waiting = BATCH * 2 + 5

    def filled(begin: Begin, observations: Observations) -> Tap:
        for number in range(waiting):
            observations.put(Observation(Exchange(Request("GET", b"/%d" % number)), whole=True))
        return make_tap(begin, observations)

    ours, theirs = socket.socketpair()
    channel = await channel_at(ours.detach(), reports)
    listening = socket.create_server(("127.0.0.1", 0))
    running = asyncio.ensure_future(proxy(theirs.detach(), listening.detach(), filled))
    channel.post(Begin("tap1", TapSettings(), None))
    assert await channel.next() == Listening()
    channel.post(End())
    sizes, targets = list[int](), list[bytes]()
    while isinstance(letter := await channel.next(), Seen):
        sizes.append(len(letter.observations))
        targets += [each.exchange.request.target for each in letter.observations]
    assert targets == [b"/%d" % number for number in range(waiting)]
    assert max(sizes) <= BATCH
    await running
    await channel.close()
