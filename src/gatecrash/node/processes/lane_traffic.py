"""A run's requests, sent by one of several processes: the run's limit and its numbers are those of all of them."""

from collections.abc import Callable, Sequence

import msgspec

from gatecrash.core.message import Exchange
from gatecrash.core.testing.pacing.windows import Passing
from gatecrash.node.processes.board import Board, Region
from gatecrash.node.processes.limits import Limit, Line
from gatecrash.node.session import Lifeline
from gatecrash.node.test.connections.departure import Departure
from gatecrash.node.test.connections.sender import Sender
from gatecrash.node.test.connections.traffic import Tally, Traffic
from gatecrash.node.test.pace.host_pace import HostPaces
from gatecrash.wire.session import RunOrder

COUNTERS = "sent"


def run_name(run_id: str, generation: int) -> str:
    """What a run's regions are named under one generation of its lease."""
    return f"{run_id} {generation}"


class LaneTally(Tally):
    """What one process has sent for a run. On the board at every request, so that a kill loses no number."""

    def __init__(self, generation: int, region: Region, lane: int) -> None:
        """Go on where an earlier process of this lane was ended."""
        super().__init__(generation)
        self._region = region
        self._lane = lane
        self._before = region.cells[lane]

    def add(self, baseline_id: str, number: int = 1) -> None:
        """Requests were sent now; a negative number takes back what was not."""
        super().add(baseline_id, number)
        self._region.cells[self._lane] = self._before + self.sent


class LaneDeparture(Departure):
    """One request's last steps, past gates that other processes pass too."""

    def __init__(self, gates: Sequence[Passing], board: Board) -> None:
        super().__init__(gates)
        self._board = board

    def _pass(self) -> float:
        with self._board:  # the clock is read inside, or another's later time would stand before ours
            return super()._pass()


class LaneTraffic(Traffic):
    """One run's requests as one of several processes sends them.

    tell_of_page: gets those that are new here, and whether somebody without credentials was answered.
    """

    def __init__(
        self,
        order: RunOrder,
        sender: Sender,
        lifeline: Lifeline,
        tally: Tally,
        paces: HostPaces,
        board: Board,
        tell_of_page: Callable[[Exchange, bool], None],
    ) -> None:
        # A baseline is tested in one process, so its own limit is kept here; that of the run is not.
        super().__init__(msgspec.structs.replace(order, rps=None), sender, lifeline, tally, paces)
        self._board = board
        self._tell_of_page = tell_of_page
        self._line: Line | None = None
        if order.rps:
            limit = Limit(board, f"run {run_name(order.run_id, order.generation)}", order.rps)
            self._line, self._gate = Line(limit), limit
            self._limited = True

    async def turn(self, baseline_id: str, *, urgent: bool = False) -> None:
        """Returns when one request may be sent, at once."""
        await super().turn(baseline_id, urgent=urgent)
        if self._line is not None:
            await self._line.turn(urgent=urgent)
            if not self._lifeline.alive:
                await self._lifeline.wait()

    def met(self, exchange: Exchange, *, visited: bool = False) -> None:
        """The run knows what this exchange tells from now on, in every process."""
        if self.learn(exchange, visited=visited):
            self._tell_of_page(exchange, visited)

    def _departure(self, gates: Sequence[Passing]) -> Departure:
        return LaneDeparture(gates, self._board)
