"""Patience with targets: one that refuses connections for some seconds is restarting, and must not cost its baselines.

The first refusal starts the clock for everybody who tests that target. One that is away for longer is given up at once
from then on, until it takes a connection again; else a thousand baselines would wait for it one after the other.
"""

import asyncio
from collections.abc import Awaitable, Callable

from gatecrash.core.message import Request

AWAY_SECONDS = 10.0
"""Longer than an application server takes to start, shorter than a person takes to wonder."""

FIRST_PAUSE = 0.1
LONGEST_PAUSE = 1.0


class Patience:
    """Waits for the targets of one run. reaches: whether the request's target takes connections now."""

    def __init__(self, reaches: Callable[[Request], Awaitable[bool]], seconds: float = AWAY_SECONDS) -> None:
        self.seconds = seconds
        self._reaches = reaches
        self._away: dict[tuple[str, int], float] = {}

    async def is_away(self, request: Request) -> bool:
        """Whether the target takes no connections now."""
        return not await self._reaches(request)

    async def outlast(self, request: Request) -> bool:
        """Waits until the target takes connections again; false where it has been away for too long."""
        clock = asyncio.get_running_loop().time
        place = (request.host, request.port)
        since = self._away.setdefault(place, clock())
        pause = FIRST_PAUSE
        while await self.is_away(request):
            left = since + self.seconds - clock()
            if left <= 0:
                return False
            await asyncio.sleep(min(pause, left))
            pause = min(2 * pause, LONGEST_PAUSE)
        self._away.pop(place, None)
        return True
