"""All children together: started, restarted when they die, stopped when we are told to."""

import os
import signal
import threading
import time
from collections.abc import Callable, Sequence
from types import FrameType, TracebackType

from gatecrash.cli.output import say
from gatecrash.cli.tree.child import Child, pause

LOOK_SECONDS = 0.1
STOP_SECONDS = 6.0


class Stopped(Exception):
    """A signal asked for the end before everything was up."""


class Supervisor:
    """Watches its children. The first of them are stopped first: a node delivers its last counts to the service."""

    def __init__(self, children: Sequence[Child]) -> None:
        self._children = list(children)
        self._stopping = threading.Event()
        self._former: dict[int, signal._HANDLER] = {}

    def __enter__(self) -> "Supervisor":
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            self._former[number] = signal.signal(number, self._stop)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end_all()
        for number, handler in self._former.items():
            signal.signal(number, handler)

    def start(self, *children: Child) -> None:
        """Start these children."""
        for child in children:
            child.start()

    def until(self, ready: Callable[[], bool], seconds: float) -> bool:
        """Look after the children until `ready`; false where that takes longer than `seconds`.

        Raises Stopped where a signal comes first.
        """
        deadline = time.monotonic() + seconds
        while not ready():
            if time.monotonic() > deadline or self.exhausted:
                return False
            if self._stopping.wait(LOOK_SECONDS):
                raise Stopped
            self._look()
        return True

    def run(self) -> None:
        """Look after the children until a signal asks for the end."""
        while not self._stopping.wait(LOOK_SECONDS):
            self._look()

    def stop_at_eof(self) -> None:
        """Ask for the end when standard input closes."""
        threading.Thread(target=self._follow_input, daemon=True, name="input").start()

    @property
    def exhausted(self) -> Child | None:
        """A child that died again and again since it was first started."""
        return next((child for child in self._children if child.deaths >= 4), None)

    def _look(self) -> None:
        for child in self._children:
            code = child.died()
            if code is not None:
                how = f"by signal {-code}" if code < 0 else f"with exit code {code}"
                say(f"The {child.name} ended {how}; it is started again in {pause(child.deaths):g} s.", colour="yellow")
            elif child.deaths and child.is_due():
                child.start()

    def _follow_input(self) -> None:
        while os.read(0, 1024):
            pass
        self._stopping.set()

    def _stop(self, _number: int, _frame: FrameType | None) -> None:
        self._stopping.set()

    def _end_all(self) -> None:
        deadline = time.monotonic() + STOP_SECONDS
        first, *rest = self._children
        first.ask_to_stop()
        first.await_end(min(deadline, time.monotonic() + STOP_SECONDS / 2))
        for child in rest:
            child.ask_to_stop()
        for child in rest:
            child.await_end(deadline)
