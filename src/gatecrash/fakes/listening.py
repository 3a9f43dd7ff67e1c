"""What fake servers share: a port of their own on loopback, and connections that end with them."""

import asyncio
import ssl
from types import TracebackType
from typing import Self


class Listening:
    """Serves each connection by `_serve` for as long as it is entered. tls: of the port; None for plain.

    buffered: bytes that are read of a connection before anybody asks for them.
    """

    tls: ssl.SSLContext | None = None
    buffered = 2**16

    def __init__(self) -> None:
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def port(self) -> int:
        """The bound port."""
        assert self._server is not None
        return int(self._server.sockets[0].getsockname()[1])

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0, ssl=self.tls, limit=self.buffered)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._server is not None
        self._server.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            await self._serve(reader, writer)
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            # A client that leaves, and a test that ends, are how every connection ends.
            pass
        finally:
            self._tasks.discard(task)
            writer.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Speak with one client until it or the server ends."""
        raise NotImplementedError
