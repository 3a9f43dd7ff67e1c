"""One limit for several processes: slots to send in, and the gate at the wire, in a region of the board.

Times are of the system's monotonic clock, which is one for all processes of a machine.
"""

import asyncio
import time
from collections import deque

from gatecrash.core.testing.pacing.windows import DEPARTURE, MARGIN, WINDOW
from gatecrash.node.processes.board import Board

_NEXT, _COUNT, _TIMES = 0, 1, 2
_KEPT = 1024
"""Times of departures that are kept: more than the highest limit, so that the limit may change at any time."""

HORIZON = 0.1
"""Seconds for which slots are taken ahead: a process that ends, or a run that is paused, leaves no longer gap than this."""


class Limit:
    """Requests a second over all processes. rps: changes at once where it is set anew, for this process."""

    def __init__(self, board: Board, name: str, rps: int) -> None:
        """The limit of this name; 1 to 1000 requests a second."""
        self.rps = rps
        self._board = board
        self._cells = board.region("limit", name).cells

    def take(self) -> tuple[float, bool]:
        """The next slot's time, and whether it was taken: what lies too far ahead is not, and is asked for again later."""
        with self._board:
            now = time.monotonic()
            at = max(now, self._cells[_NEXT])
            taken = at - now < HORIZON
            if taken:
                self._cells[_NEXT] = at + (WINDOW + MARGIN) / self.rps
        return at, taken

    def wait(self, now: float) -> float:
        """How long a request must wait at the wire; nothing is counted. The lock must be held."""
        sent = int(self._cells[_COUNT])
        if sent < self.rps:
            return 0.0
        oldest = self._cells[_TIMES + (sent - self.rps) % _KEPT]
        # Strictly more than a window, as core/testing/pacing/windows.py has it.
        return max(0.0, oldest + WINDOW + DEPARTURE - now)

    def pass_at(self, now: float) -> float:
        """Count a request as sent now, or say how long it must wait. The lock must be held."""
        wait = self.wait(now)
        if not wait:
            sent = int(self._cells[_COUNT])
            # The time first: who is killed in between has counted nothing.
            self._cells[_TIMES + sent % _KEPT] = now
            self._cells[_COUNT] = sent + 1
        return wait


class Line:
    """The slots of a limit, for who wants one in this process: one after the other, the urgent before the others."""

    def __init__(self, limit: Limit) -> None:
        """Nobody waits."""
        self._limit = limit
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._busy = False

    async def turn(self, *, urgent: bool = False) -> None:
        """Returns when one request may be sent; who then does not send leaves the time unused."""
        await self._enter(urgent=urgent)
        try:
            at, taken = self._limit.take()
            while not taken:
                await asyncio.sleep(max(0.0, at - HORIZON - time.monotonic()) + 0.001)
                at, taken = self._limit.take()
        finally:
            self._leave()
        left = at - time.monotonic()
        if left > 0:
            await asyncio.sleep(left)

    async def _enter(self, *, urgent: bool) -> None:
        if not self._busy:
            self._busy = True
            return
        called: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        if urgent:
            self._waiting.appendleft(called)
        else:
            self._waiting.append(called)
        try:
            await called
        except asyncio.CancelledError:
            if called.done() and not called.cancelled():
                self._leave()
            raise

    def _leave(self) -> None:
        while self._waiting:
            called = self._waiting.popleft()
            if not called.done():
                called.set_result(None)
                return
        self._busy = False
