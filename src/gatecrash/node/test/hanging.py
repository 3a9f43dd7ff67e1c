"""Requests that hang while others are answered (`cat` without a name) hold no places: their host has room for others meanwhile.

Else a few such pages take all places, and a run stands still until nobody waits for them any longer. What takes long is no
hang where everything does, and where nobody else is answered it may be the host: who sends to it waits as ever.
"""

import asyncio
from itertools import count

from gatecrash.node.test.slots import Places

HANGING = 5.0
"""Seconds: more than any test asks a page to wait."""

BEHIND = 1.0
"""Somebody who was answered so many seconds behind its beginning tells that a host answers beside it."""

TIMES = 5
"""So many times as long as the last answer took, a request hangs."""

LOOKS = 1.0
"""Seconds from one look at what is under way to the next."""


class Hanging:
    """What is under way at one host. places: what a request takes, each of them by its baseline."""

    def __init__(self, places: tuple[Places, ...]) -> None:
        """Nothing is under way."""
        self._places = places
        self._numbers = count()
        self._under_way: dict[int, tuple[str, float]] = {}
        self._lent: dict[int, tuple[Places, ...]] = {}
        self._is_looked_after = False
        self._heard, self._took = -1.0, 0.0

    def begins(self, baseline_id: str, now: float) -> int:
        """A request is sent; by the number that is given it is told to be over."""
        number = next(self._numbers)
        self._under_way[number] = baseline_id, now
        if not self._is_looked_after:
            self._look_later()
        return number

    def answered(self, now: float, took: float) -> None:
        """An answer came, whosoever."""
        self._heard, self._took = now, took

    def over(self, number: int) -> None:
        """The request of this number has its answer, or waits for none; its places are to be left now."""
        baseline_id, _ = self._under_way.pop(number)
        if self._lent:
            for places in self._lent.pop(number, ()):
                places.take_back(baseline_id)

    def _look_later(self) -> None:
        self._is_looked_after = bool(self._under_way)
        if self._under_way:
            loop = asyncio.get_running_loop()
            loop.call_later(LOOKS, self._look)

    def _look(self) -> None:
        """Lends the places of what hangs to others."""
        now = asyncio.get_running_loop().time()
        for number, (baseline_id, began) in [*self._under_way.items()]:
            hangs = now - began >= max(HANGING, TIMES * self._took) and self._heard - began >= BEHIND
            if hangs and number not in self._lent:
                self._lent[number] = tuple(places for places in self._places if places.lend(baseline_id))
        self._look_later()
