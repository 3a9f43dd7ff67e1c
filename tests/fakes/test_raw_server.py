"""The raw server records exactly what arrives and says exactly what it is told."""

import asyncio

from gatecrash.fakes.raw_server import RawServer


def test_requests_are_kept_byte_for_byte_and_answers_follow_in_turn() -> None:
    async def talk() -> None:
        async with RawServer().answering(b"one", b"two") as server:
            reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
            asked = [
                b"PUT /a HTTP/1.1\r\nContent-Length: 2\r\n\r\nhi",
                b"PUT /b HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n",
                b"GET /c HTTP/1.1\r\n\r\n",
            ]
            for raw, said in zip(asked, (b"one", b"two", b"two"), strict=True):
                writer.write(raw)
                assert await reader.readexactly(3) == said
            assert server.received == asked
            assert server.connections == 1
            writer.close()

    asyncio.run(talk())
