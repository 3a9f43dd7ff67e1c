"""What the tap saw, waiting for those who count and record it: bounded, and never a brake on the traffic."""

import asyncio
from collections import deque

import msgspec

from gatecrash.core.message import Exchange

MAX_WAITING = 20_000
MAX_BYTES = 256 * 1024 * 1024
KEPT_OF_CUT = 1024 * 1024


class Observation(msgspec.Struct, frozen=True, array_like=True):
    """One exchange as the tap passed it on. whole: the request's body is complete, so that it can be sent again.

    size: bytes of the copies, given back to the budget when it was taken.
    """

    exchange: Exchange
    whole: bool
    size: int = 0


class Observations:
    """A queue between the traffic and its observers, bounded in number and in bytes.

    dropped: observations that found it full; they are lost to counts and recording and must be reported.
    """

    def __init__(self, max_waiting: int = MAX_WAITING, max_bytes: int = MAX_BYTES) -> None:
        self.dropped = 0
        self._max_waiting = max_waiting
        self._free = max_bytes
        self._waiting: deque[Observation] = deque()
        self._arrived = asyncio.Event()

    def reserve(self, size: int) -> bool:
        """Takes bytes for a copy out of the budget; false where it is spent."""
        if size > self._free:
            return False
        self._free -= size
        return True

    def release(self, size: int) -> None:
        """Gives bytes back."""
        self._free += size

    def put(self, observation: Observation) -> None:
        """Adds one, or drops it where the observers are too far behind."""
        if len(self._waiting) >= self._max_waiting:
            self.dropped += 1
            self.release(observation.size)
            return
        if not self._waiting:
            self._arrived.set()
        self._waiting.append(observation)

    def full_for(self, most: int) -> bool:
        """Whether so many wait."""
        return len(self._waiting) >= most

    async def take(self, most: int = 500, size: int = MAX_BYTES) -> list[Observation]:
        """Waits for some and takes them; their bytes are free again."""
        await self._arrived.wait()
        return self.take_now(most, size)

    def take_now(self, most: int = 500, size: int = MAX_BYTES) -> list[Observation]:
        """What waits now, up to a number, and no more once they have that many bytes."""
        taken: list[Observation] = []
        free = 0
        for observation in self._waiting:
            if len(taken) == most or free >= size:
                break
            free += observation.size
            taken.append(observation)
        if len(taken) == len(self._waiting):
            self._waiting.clear()
            self._arrived.clear()
        else:
            for _ in taken:
                self._waiting.popleft()
        self._free += free
        return taken


class Copy:
    """A bounded copy of a body that streams past.

    cut: more passed than may be kept; then only its beginning is, since nobody can send or compare such a body again.
    size: all bytes that passed. kept: bytes taken from the budget.
    """

    __slots__ = ("_budget", "_limit", "_pieces", "cut", "kept", "size")

    def __init__(self, budget: Observations, limit: int) -> None:
        self._budget = budget
        self._limit = limit
        self._pieces: list[bytes] = []
        self.kept = 0
        self.size = 0
        self.cut = False

    def add(self, piece: bytes) -> None:
        """Keeps the piece while there is room; after the first piece without room, none."""
        self.size += len(piece)
        if self.cut:
            return
        if self.size > self._limit or not self._budget.reserve(len(piece)):
            self._cut()
            return
        self.kept += len(piece)
        self._pieces.append(piece)

    def bytes(self) -> bytes:
        """What was kept."""
        pieces = self._pieces
        if len(pieces) > 1:
            # In one piece from now on: twice the copy's size is needed for a moment only.
            pieces[:] = [b"".join(pieces)]
        return pieces[0] if pieces else b""

    def _cut(self) -> None:
        self.cut = True
        beginning = self.bytes()[:KEPT_OF_CUT]
        self._budget.release(self.kept - len(beginning))
        self.kept = len(beginning)
        self._pieces[:] = [beginning]


NOTHING = Copy(Observations(0, 0), 0)
"""The copy of a body that has not begun; never added to."""
