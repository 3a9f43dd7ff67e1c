"""Who waits for a time to send, and how what is urgent changes places with who would be next.

A login that waits behind the test requests that wait for it would come too late for all of them: with tokens of some
seconds and few requests a second it never came in time. No time is lost by it, and none is taken twice.
"""

import asyncio

LEAST_SECONDS = 0.001
"""uvloop's timers count milliseconds: who sleeps for less is woken at once, and spun a dozen times for each request."""


class Place:
    """One who waits. at: the loop's time at which it may go."""

    __slots__ = ("at", "urgent")

    def __init__(self, at: float, *, urgent: bool) -> None:
        self.at = at
        self.urgent = urgent


class Queue:
    """All who wait."""

    def __init__(self) -> None:
        self._waiting: set[Place] = set()

    async def wait(self, at: float, *, urgent: bool = False) -> None:
        """Returns at that time, or, urgent, at the earliest that one who is not has; that one waits until this time."""
        clock = asyncio.get_running_loop().time
        place = Place(at, urgent=urgent)
        if urgent:
            self._change_places(place)
        self._waiting.add(place)
        try:
            # Woken at a time that was given away meanwhile, it waits on for the one that it got for it.
            while (left := place.at - clock()) > 0:  # noqa: ASYNC110 -- it waits for a time that may move, for no event
                await asyncio.sleep(max(left, LEAST_SECONDS))
        finally:
            self._waiting.discard(place)

    def _change_places(self, place: Place) -> None:
        others = (each for each in self._waiting if not each.urgent)
        first = min(others, key=lambda each: each.at, default=None)
        if first is not None and first.at < place.at:
            first.at, place.at = place.at, first.at
