"""The last steps of one test request before its bytes leave: the limits that have the last word."""

import asyncio
import time
from collections.abc import Awaitable, Sequence

from gatecrash.core.testing.pacing.windows import Passing, pass_all
from gatecrash.node.test.pace.queueing import LEAST_SECONDS


class Departure:
    """One request's last steps. left: whether its bytes left, once at least."""

    __slots__ = ("_gates", "left")

    def __init__(self, gates: Sequence[Passing]) -> None:
        """gates: what must let it pass."""
        self.left = False
        self._gates = gates

    def pass_gates(self) -> Awaitable[None] | None:
        """The last word, when the bytes would leave: a stalled machine must not send in a burst what it could not send in
        time. None where nothing is to be waited for.
        """
        # Not the loop's own time: uvloop reads the clock once a turn, and a long turn would let too many pass.
        if self._gates and (wait := self._pass()):
            return self._wait(wait)
        self.left = True
        return None

    async def _wait(self, wait: float) -> None:
        while wait:
            await asyncio.sleep(max(wait, LEAST_SECONDS))
            wait = self._pass()
        self.left = True

    def _pass(self) -> float:
        return pass_all(self._gates, time.monotonic())
