"""A session's gate: many pass together, or one goes alone.

A page that hands out a token may take back the one before, whoever of the session asks for it. So who fetches a token that
may be good once, and uses it, goes alone.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class SessionGate:
    """One session's. always_alone: each of its requests goes alone from now on."""

    def __init__(self) -> None:
        """Open."""
        self.always_alone = False
        self._inside = 0
        self._alone = asyncio.Lock()
        self._left = asyncio.Event()

    @asynccontextmanager
    async def together(self) -> AsyncIterator[None]:
        """Held while others may be inside, too; alone where that is the rule."""
        if self.always_alone:
            async with self.alone():
                yield
            return
        async with self._alone:
            self._inside += 1
        try:
            yield
        finally:
            self._inside -= 1
            self._left.set()

    @asynccontextmanager
    async def alone(self) -> AsyncIterator[None]:
        """Held when all others have left, and kept from those who come."""
        async with self._alone:
            while self._inside:
                self._left.clear()
                await self._left.wait()
            yield
