"""Who measures how long a host works at something does so alone: work for another dialogue would be measured with it."""

import asyncio
from collections import defaultdict

from gatecrash.core.message import Request


class Turn:
    """One dialogue's, at its host. held: whether it measures now."""

    __slots__ = ("_lock", "held")

    def __init__(self, lock: asyncio.Lock) -> None:
        """It measures nothing yet."""
        self.held = False
        self._lock = lock

    async def change(self) -> None:
        """Begin to measure, when whoever does so has ended; or end, as something else is asked now."""
        if self.held:
            self.end()
        else:
            await self._lock.acquire()
            self.held = True

    def end(self) -> None:
        """Somebody else may measure."""
        if self.held:
            self.held = False
            self._lock.release()


class Measuring:
    """The turns of one run, as far as this process knows it."""

    def __init__(self) -> None:
        """Nothing is measured yet."""
        self._locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    def at(self, request: Request) -> Turn:
        """A turn at the request's host."""
        return Turn(self._locks[request.host])
