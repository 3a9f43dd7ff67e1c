"""Reading goes on when the last reason to pause is gone."""

import asyncio

from tests.node.loop import run

from gatecrash.fakes.raw_server import RawServer
from gatecrash.node.observe.client_socket import CONNECTING, PIPELINED, ClientSocket


@run
async def test_reasons_to_pause_add_up_and_writes_are_gathered() -> None:
    async def hello(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"hello")
        await reader.read()

    got: asyncio.Queue[bytes] = asyncio.Queue()

    class Receiver(asyncio.Protocol):
        def data_received(self, data: bytes) -> None:
            got.put_nowait(data)

    socket = ClientSocket()
    socket.put(b"before it is connected")
    socket.write(b"this too")
    socket.close()
    async with RawServer(hello) as server:
        loop = asyncio.get_running_loop()
        transport, _ = await loop.create_connection(Receiver, "127.0.0.1", server.port)
        socket.attach(transport)
        socket.pause(CONNECTING)
        socket.pause(PIPELINED)
        assert not transport.is_reading()
        socket.resume(CONNECTING)
        socket.resume(CONNECTING)
        assert not transport.is_reading()
        socket.resume(PIPELINED)
        assert transport.is_reading()
        assert await got.get() == b"hello"
        socket.abort()
