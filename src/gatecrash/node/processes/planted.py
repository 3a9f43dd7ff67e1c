"""The lures of the testing processes, at the listener of the main process: who comes for them is told where they stand."""

from collections.abc import Callable
from contextlib import suppress

from gatecrash.core.testing.out_of_band import Hit
from gatecrash.node.oob.lures import Lures
from gatecrash.node.processes.messages import Heard, LureAnswered, LureClosed, Planted


class PlantedElsewhere:
    """Whose each open lure is. tell: brings a hit to a lane."""

    def __init__(self, lures: Lures, tell: Callable[[int, Heard], None]) -> None:
        self._lures = lures
        self._tell = tell
        self._lanes: dict[str, int] = {}
        lures.on_hit = self._hit

    def take(self, lane: int, letter: Planted | LureAnswered | LureClosed) -> None:
        """A process has planted, was answered, or is done with a lure."""
        match letter:
            case Planted():
                self._plant(lane, letter)
            case LureAnswered():
                with suppress(KeyError):  # of a process that was given up meanwhile
                    self._lures.answered(letter.name, letter.exchange)
            case LureClosed():
                self._close(letter.name, decided=letter.decided)

    def lost(self, lane: int) -> None:
        """The process is gone: who came for its lures, or will, is told late."""
        for name in [name for name, owner in self._lanes.items() if owner == lane]:
            self._close(name, decided=False)

    def _plant(self, lane: int, planted: Planted) -> None:
        lure = planted.lure
        self._lanes[lure.name] = lane
        self._lures.plant(lure, planted.run_id, planted.generation, planted.baseline_id, planted.exchange)
        for hit in self._lures.hits(lure.name):  # those of an earlier start
            self._tell(lane, Heard(hit))

    def _close(self, name: str, *, decided: bool) -> None:
        if self._lanes.pop(name, None) is None:
            return
        came = self._lures.close(name, decided=decided)
        if came is not None:
            self._lures.tell_late(*came)

    def _hit(self, hit: Hit) -> None:
        lane = self._lanes.get(hit.name)
        if lane is not None:
            self._tell(lane, Heard(hit))
