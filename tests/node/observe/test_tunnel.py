"""A tunnel passes bytes both ways and holds no more of them than it must."""

import asyncio

from tests.node.loop import run, until
from tests.node.observe.tapping import client_of, tapping

from gatecrash.fakes.raw_server import RawServer
from gatecrash.node.observe.tunnel import TunnelEnd


@run
async def test_a_slow_reader_slows_the_sender_and_loses_nothing() -> None:
    size = 20 * 1024 * 1024
    go_on = asyncio.Event()

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await go_on.wait()
        got = 0
        while got < size:
            got += len(await reader.read(1 << 20))
        writer.write(b"%d" % got)
        writer.close()

    async with RawServer(talk) as server, tapping() as tap, client_of(tap) as client:
        await client.ask(b"CONNECT 127.0.0.1:%d HTTP/1.1\r\nHost: x\r\n\r\n" % server.port)
        client.writer.write(b"x" * size)
        await until(lambda: len(tap.connections) == 2)
        await asyncio.sleep(0.05)
        held = [
            end.transport.get_write_buffer_size()
            for end in tap.connections
            if isinstance(end, TunnelEnd) and end.transport
        ]
        assert max(held) < 1024 * 1024
        go_on.set()
        assert await client.reader.read() == b"%d" % size
    await until(lambda: not tap.connections)
