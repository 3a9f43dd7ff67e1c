"""A server that speaks whatever bytes a test tells it to: the bad targets, and a recorder of what really arrives."""

import asyncio
import ssl
from collections.abc import Awaitable, Callable
from typing import Self

from gatecrash.fakes.listening import Listening

Talk = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


class RawServer(Listening):
    """Listens on loopback; every connection is handed to `talk`.

    connections: how many came. received: all bytes that `read_request` and `answering` read, one entry per request.
    """

    def __init__(self, talk: Talk | None = None, *, tls: ssl.SSLContext | None = None) -> None:
        super().__init__()
        self.connections = 0
        self.received: list[bytes] = []
        self._talk = talk
        self.tls = tls

    async def read_request(self, reader: asyncio.StreamReader) -> bytes:
        """One request's exact bytes: its head, and as much body as its Content-Length or last chunk says.

        Raises IncompleteReadError where the client closes.
        """
        head = await reader.readuntil(b"\r\n\r\n")
        body = b""
        for line in head.split(b"\r\n"):
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                body = await reader.readexactly(int(value))
            elif name.lower() == b"transfer-encoding":
                while not body.endswith(b"0\r\n\r\n"):
                    body += await reader.readuntil(b"\r\n")
        self.received.append(head + body)
        return head + body

    def answering(self, *answers: bytes) -> Self:
        """Answers each request of a connection with the next of these bytes, the last one again and again."""

        async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            turn = 0
            while True:
                await self.read_request(reader)
                writer.write(answers[min(turn, len(answers) - 1)])
                await writer.drain()
                turn += 1

        self._talk = talk
        return self

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        assert self._talk is not None
        await self._talk(reader, writer)
