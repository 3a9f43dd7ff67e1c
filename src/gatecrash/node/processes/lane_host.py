"""The pace towards one host, for all processes of a node: what any of them learns of it holds for all.

The number of requests under way, their turns and the pauses of the host stand on the board. A baseline is tested by one
process, so the turns among its own are each process's matter; among processes with too little room for all who wait, the
turn goes round.
"""

import asyncio
import time

from gatecrash.core.testing.probe import Answer
from gatecrash.node.processes.board import LANES, Board
from gatecrash.node.processes.limits import Limit, Line
from gatecrash.node.test.pace.host_pace import HostPace, HostPaces

_BEGUN, _TURN, _STATE = 0, 1, 2
_STATES = 8
_UNDER_WAY = 64
_WAITING = _UNDER_WAY + LANES

RECHECK_SECONDS = 0.004
"""Who waits looks so often whether another process made room: there is nobody to call it."""

STILL_WAITING = 1.0
"""Who waits says so at every look; one that stalls for longer holds up nobody."""

KIND = "host"


class LaneHostPaces(HostPaces):
    """The paces of all hosts, as one of several processes keeps them."""

    def __init__(self, board: Board, rps: int | None = None) -> None:
        """rps: as HostPaces has it, over all processes."""
        super().__init__(rps)
        self._board = board

    def _begun(self, key: tuple[str, int]) -> HostPace:
        return LaneHostPace(self._board, f"{key[0]}:{key[1]}", self.rps)


class LaneHostPace(HostPace):
    """One host's."""

    def __init__(self, board: Board, name: str, rps: int | None) -> None:
        """name: the host's, with its port."""
        self._board = board
        self._name = name
        self._cells = board.region(KIND, name).cells
        self._limit: Limit | None = None
        self._line: Line | None = None
        self._timer: asyncio.TimerHandle | None = None
        super().__init__(rps)

    def limit(self, rps: int | None) -> None:
        """Holds to another limit from now on."""
        self._limited = bool(rps)
        if not rps:
            self.gate = self._line = None
            return
        if self._limit is None:
            self._limit = Limit(self._board, f"host {self._name}", rps)
        self._limit.rps = rps
        self.gate = self._limit
        self._line = self._line or Line(self._limit)

    def enters(self, baseline_id: str) -> bool:
        """Whether this baseline has its turn at once, and nothing else is to be waited for."""
        self._learn()
        if self._limited or self.congestion.episodes:
            return False
        return self._take(baseline_id)

    def leave(self, baseline_id: str) -> None:
        """Its request is over."""
        with self._board:
            super().leave(baseline_id)
            self._tell()

    def note(self, answer: Answer, sent_at: float, baseline_id: str, *, tells: bool = True) -> bool:
        """What the answer says of the host, told to all processes."""
        with self._board:
            self._learn()
            limited = super().note(answer, sent_at, baseline_id, tells=tells)
            self._cells[_BEGUN] = 1.0
            for place, value in enumerate(self.congestion.state(), _STATE):
                self._cells[place] = value
        return limited

    async def _spaced(self) -> None:
        if self._line is not None:
            await self._line.turn()

    def _take(self, baseline_id: str) -> bool:
        with self._board:
            self._learn()
            taken = self._may_take() and self._turns.take(baseline_id, self._width())
            if taken:
                self._cells[_TURN] = self._board.lane
                self._tell()
        return taken

    def _pause(self, now: float) -> float:
        self._learn()
        return super()._pause(now)

    def _call(self) -> None:
        with self._board:
            self._learn()
            while self._called and self._may_take():
                number = next(self._turns.call(self._width()), None)
                if number is None:
                    break
                self._cells[_TURN] = self._board.lane
                self._tell()
                turn = self._called.pop(number)
                if not turn.done():
                    turn.set_result(None)
            self._tell()
        if self._called and self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(RECHECK_SECONDS, self._look_again)

    def _look_again(self) -> None:
        self._timer = None
        self._call()

    def _learn(self) -> None:
        """What the processes know of the host."""
        if self._cells[_BEGUN]:
            self.congestion.adopt(self._cells[_STATE : _STATE + _STATES].tolist())

    def _tell(self) -> None:
        """How many of ours are under way, and whether some wait."""
        self._cells[_UNDER_WAY + self._board.lane] = self._turns.under_way
        self._cells[_WAITING + self._board.lane] = time.monotonic() if self._called else 0.0

    def _others(self) -> float:
        return sum(self._cells[_UNDER_WAY : _UNDER_WAY + LANES].tolist()) - self._cells[_UNDER_WAY + self._board.lane]

    def _width(self) -> int:
        """What the other processes leave of the host's width."""
        return self.congestion.width - int(self._others())

    def _may_take(self) -> bool:
        """Whether there is room for this process: where more wait than there is room for, the turn goes round."""
        room = self._width() - self._turns.under_way
        if room <= 0:
            return False
        late = time.monotonic() - STILL_WAITING
        told = self._cells[_WAITING : _WAITING + LANES].tolist()
        last = int(self._cells[_TURN])
        mine = (self._board.lane - last - 1) % LANES
        sooner = sum(1 for lane, at in enumerate(told) if at > late and (lane - last - 1) % LANES < mine)
        return sooner < room


def clear_lane(board: Board, lane: int) -> None:
    """What a process that is gone had under way towards any host is over, and it waits for nothing."""
    with board:
        for region in board.regions(KIND):
            region.cells[_UNDER_WAY + lane] = 0.0
            region.cells[_WAITING + lane] = 0.0
