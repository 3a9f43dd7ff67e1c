"""What checks wait on purpose before they ask again: seconds in which few answers come, and that tell nothing of the target."""

import asyncio

LONG = 5.0
"""Seconds from which on a wait shows in how much is asked; that is told of the last ten."""


class Waits:
    """Those of one run. open: how many wait long now."""

    def __init__(self) -> None:
        """Nothing waits yet."""
        self.open = 0

    async def out(self, seconds: float) -> None:
        """Let them go by."""
        is_long = seconds >= LONG
        self.open += is_long
        try:
            await asyncio.sleep(seconds)
        finally:
            self.open -= is_long
