"""How far a long command is, on standard error: a bar that moves on a terminal, a line a step elsewhere and under NO_COLOR."""

import sys
from collections.abc import Callable
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TaskID, TextColumn

from gatecrash.cli.output import coloured, say


class Steps:
    """The steps of one command, one after the other."""

    def __init__(self) -> None:
        self._bars: Progress | None = None
        self._last: TaskID | None = None

    def __enter__(self) -> "Steps":
        if coloured(sys.stderr):
            columns = (TextColumn("{task.description}", markup=False), BarColumn(), DownloadColumn())
            self._bars = Progress(*columns, console=Console(stderr=True), transient=True)
            self._bars.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bars is not None:
            self._bars.stop()

    def step(self, text: str, total: int | None) -> Callable[[int], None]:
        """The next step begins; what it returns takes the bytes done since the last time. total: None where unknown."""
        if self._bars is None:
            say(f"{text} …")
            return lambda _: None
        bars = self._bars
        if self._last is not None:
            bars.remove_task(self._last)
        self._last = task = bars.add_task(text, total=total)
        return lambda count: bars.advance(task, count)
