"""Being told to end: SIGTERM, as pipelines send it, is taken for the user's Ctrl-C, and what must be written still is."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_ENDING = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def term_interrupts() -> Iterator[None]:
    """SIGTERM does what SIGINT does, within."""

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        signal.raise_signal(signal.SIGINT)

    with _handled((signal.SIGTERM,), interrupt):
        yield


@contextmanager
def undisturbed() -> Iterator[None]:
    """Neither ends what is done within: for the short while in which the result is written."""
    with _handled(_ENDING, signal.SIG_IGN):
        yield


@contextmanager
def _handled(numbers: tuple[signal.Signals, ...], handler: "signal._HANDLER") -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():  # only there Python lets handlers be set
        yield
        return
    before = {number: signal.signal(number, handler) for number in numbers}
    try:
        yield
    finally:
        for number, old in before.items():
            signal.signal(number, old)
