"""Requests that hang while others are answered (`cat` without a name) hold no places: their host has room for others meanwhile.

Else a few such pages take all places, and a run stands still until nobody waits for them any longer. What takes long is no
hang where everything does, and where nobody else is answered it may be the host: who sends to it waits as ever.

A page that hung till nobody waited any longer does so again for the next payload of its kind, and the run would wait for
each of them in turn. So its later requests are waited for as long as any test asks a page to wait, and no longer.
"""

import asyncio
import time
from collections.abc import Coroutine
from itertools import count
from typing import Any

from gatecrash.core.message import Exchange, Request
from gatecrash.core.testing.probe import Answer
from gatecrash.node.test.pace.slots import Places
from gatecrash.node.test.wording import TIMED_OUT

HANGING = 5.0
"""Seconds: more than any test asks a page to wait."""

BEHIND = 1.0
"""Somebody who was answered so many seconds behind its beginning tells that a host answers beside it."""

TIMES = 5
"""So many times as long as the last answer took, a request hangs."""

AGAIN = 8.0
"""Seconds for a page that hung before, and TIMES what it or the last answer of its host took."""

LOOKS = 1.0
"""Seconds from one look at what is under way to the next."""


class Hanging:
    """What is under way at one host. places: what a request takes, each of them by its baseline. hung: the baselines whose
    page hung, with what it took when it did not.
    """

    def __init__(self, places: tuple[Places, ...]) -> None:
        """Nothing is under way."""
        self.hung: dict[str, float] = {}
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

    def lost(self, now: float, began: float, baseline_id: str, best: float | None) -> None:
        """A request was given up. best: the quickest answer of the same page so far; None where there was none."""
        if best is not None and self._is_hang(now, began):
            self.hung[baseline_id] = best

    async def hurried(self, sending: Coroutine[Any, Any, Answer], request: Request, baseline_id: str) -> Answer:
        """What comes of a request to a page that hung before."""
        started = time.time()
        try:
            async with asyncio.timeout(AGAIN + TIMES * max(self.hung[baseline_id], self._took)):
                return await sending
        except TimeoutError:
            return Answer(Exchange(request, None, started), TIMED_OUT)

    def over(self, number: int) -> None:
        """The request of this number has its answer, or waits for none; its places are to be left now."""
        baseline_id, _ = self._under_way.pop(number)
        if self._lent:
            for places in self._lent.pop(number, ()):
                places.take_back(baseline_id)

    def _is_hang(self, now: float, began: float) -> bool:
        """Whether what began then hangs while others are answered."""
        return now - began >= max(HANGING, TIMES * self._took) and self._heard - began >= BEHIND

    def _look_later(self) -> None:
        self._is_looked_after = bool(self._under_way)
        if self._under_way:
            loop = asyncio.get_running_loop()
            loop.call_later(LOOKS, self._look)

    def _look(self) -> None:
        """Lends the places of what hangs to others."""
        now = asyncio.get_running_loop().time()
        for number, (baseline_id, began) in [*self._under_way.items()]:
            if self._is_hang(now, began) and number not in self._lent:
                self._lent[number] = tuple(places for places in self._places if places.lend(baseline_id))
        self._look_later()
