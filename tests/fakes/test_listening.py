"""What listens serves each connection, and takes all of them with it when it ends."""

import asyncio

from gatecrash.fakes.listening import Listening


class Echo(Listening):
    """Says each line again."""

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while line := await reader.readline():
            writer.write(line)


def test_every_connection_is_served_on_a_port_of_its_own() -> None:
    async def talk() -> None:
        async with Echo() as one, Echo() as other:
            assert one.port != other.port
            for server in (one, one, other):
                reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
                writer.write(b"a line\n")
                assert await reader.readline() == b"a line\n"
                writer.close()

    asyncio.run(talk())


def test_connections_end_with_it_and_nobody_is_let_in_afterwards() -> None:
    async def talk() -> None:
        async with Echo() as server:
            port = server.port
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"a line\n")
            await reader.readline()
        assert await reader.read() == b""
        writer.close()
        try:
            await asyncio.open_connection("127.0.0.1", port)
        except ConnectionRefusedError:
            return
        raise AssertionError("somebody was let in")

    asyncio.run(talk())
