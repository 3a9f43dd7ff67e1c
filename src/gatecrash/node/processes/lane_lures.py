"""The listener as a testing process has it: what is planted is told to the main process, which listens, and tells who came."""

from collections.abc import Callable

from gatecrash.core.message import Exchange
from gatecrash.core.testing.out_of_band import Hit, Listening, Lure
from gatecrash.node.oob import notebook
from gatecrash.node.oob.lures import Lures, Tell
from gatecrash.node.processes.messages import Letter, LureAnswered, LureClosed, Planted


class LaneLures(Lures):
    """The lures of the dialogues in this process. Late hits are the main process's: it keeps what outlives a dialogue."""

    def __init__(self, tell: Tell, post: Callable[[Letter], None]) -> None:
        """post: brings a letter to the main process."""
        super().__init__(tell)
        self._post = post

    def plant(self, lure: Lure, run_id: str, generation: int, baseline_id: str, exchange: Exchange) -> None:
        """The lure is about to be sent: the main process knows it before the target can come."""
        super().plant(lure, run_id, generation, baseline_id, exchange)
        self._post(Planted(lure, run_id, generation, baseline_id, exchange))

    def answered(self, name: str, exchange: Exchange) -> None:
        """The request that it stood in was answered."""
        super().answered(name, exchange)
        self._post(LureAnswered(name, exchange))

    def close(self, name: str, *, decided: bool) -> tuple[notebook.Planted, Hit] | None:
        """The dialogue is over; what is not decided here may still be by who comes late."""
        came = super().close(name, decided=decided)
        self._closed.pop(name, None)
        self._post(LureClosed(name, decided or came is not None))
        return came

    def hear(self, hit: Hit) -> str | None:
        """The main process tells that somebody came; for a dialogue that is over it has kept the hit itself."""
        return super().hear(hit) if hit.name in self._open else None


class LaneListener:
    """Where targets come to, seen from a process that does not listen itself."""

    def __init__(self, listening: Listening, grace: float, lures: LaneLures) -> None:
        self.listening = listening
        self.grace = grace
        self.lures = lures
