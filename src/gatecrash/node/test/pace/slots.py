"""Places at one host, handed out in turn: for requests, and for the dialogues that make them.

As many dialogues are led at once as requests may be under way: sixty of them taking turns for twenty places would make
nearly every request queue, and a wait costs as much as sending does.
"""

import asyncio

from gatecrash.core.testing.pacing.congestion import Congestion, Turns


class Places:
    """As many as the host bears. A baseline's share is that of `Turns`."""

    def __init__(self, congestion: Congestion) -> None:
        """congestion: what the host bears."""
        self.congestion = congestion
        self._turns = Turns()
        self._called: dict[int, asyncio.Future[None]] = {}
        # What the host bore when who waits was last called.
        self._last_width = 0

    def enters(self, baseline_id: str) -> bool:
        """Take a place if this baseline may have one at once: the common way."""
        return self._take(baseline_id)

    async def enter(self, baseline_id: str) -> None:
        """Take a place when it is this baseline's turn."""
        if not self._take(baseline_id):
            await self._queue(baseline_id)

    def leave(self, baseline_id: str) -> None:
        """The place is free for the next."""
        self._turns.done(baseline_id)
        if self._called:
            self._call()

    def lend(self, baseline_id: str) -> bool:
        """Others may have one of the baseline's places, as its request hangs; whether it had one."""
        lent = self._turns.lend(baseline_id)
        if self._called:
            self._call()
        return lent

    def take_back(self, baseline_id: str) -> None:
        """The request has ended: the place is the baseline's again, and left like any other."""
        self._turns.take_back(baseline_id)

    def grown(self) -> None:
        """The host may bear more than before."""
        if self._called and self.congestion.width != self._last_width:
            self._call()

    async def _queue(self, baseline_id: str) -> None:
        number = self._turns.ask(baseline_id)
        turn = self._called[number] = asyncio.get_running_loop().create_future()
        self._call()
        try:
            await turn
        except asyncio.CancelledError:
            # Who was called and cancelled in the same moment has had its turn: it goes to the next.
            if self._called.pop(number, None) is None:
                self.leave(baseline_id)
            else:
                self._turns.withdraw(baseline_id, number)
            raise

    def _take(self, baseline_id: str) -> bool:
        return self._turns.take(baseline_id, self.congestion.width)

    def _call(self) -> None:
        self._last_width = self.congestion.width
        for number in self._turns.call(self.congestion.width):
            turn = self._called.pop(number)
            if not turn.done():
                turn.set_result(None)
