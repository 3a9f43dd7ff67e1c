"""A target that goes away and comes back, as one under a supervisor."""

import asyncio
from contextlib import suppress

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


class Restarting:
    """A server that goes away in the middle of the third answer of each of its first lives, and comes back soon.

    lethal: where it goes away at this target instead. stays_away: it does not come back.
    """

    def __init__(self, cuts: int, lethal: bytes = b"", *, stays_away: bool = False) -> None:
        self.cuts = cuts
        self._stays_away = stays_away
        self._lethal = lethal
        self.cut = 0
        self._port = 0
        self._answered = 0
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()
        self._back: asyncio.Task[int] | None = None

    async def start(self) -> int:
        self._answered = 0
        self._server = await asyncio.start_server(self._talk, "127.0.0.1", self._port, reuse_address=True)
        self._port = self._server.sockets[0].getsockname()[1]
        return self._port

    async def stop(self) -> None:
        if self._back is not None:
            await self._back
        self._die()

    def _die(self) -> None:
        assert self._server is not None
        self._server.close()
        self._server = None
        for writer in self._writers:
            writer.transport.abort()
        self._writers.clear()

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            while head := await reader.readuntil(b"\r\n\r\n"):
                if writer not in self._writers:
                    return  # another connection's request was the end of this life
                self._answered += 1
                is_last = self._lethal in head.split(b" ", 2)[1] if self._lethal else self._answered >= 3
                if is_last and self.cut < self.cuts:
                    self.cut += 1
                    self._die()
                    self._back = None if self._stays_away else asyncio.ensure_future(self._return())
                    return
                writer.write(OK)
        writer.close()

    async def _return(self) -> int:
        await asyncio.sleep(0.15)
        return await self.start()
