"""Being told to end: SIGTERM, as pipelines send it, is taken for the user's Ctrl-C, and what must be written still is."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

INTERRUPTED = 130
"""The exit code of who was told to end."""


@contextmanager
def term_interrupts() -> Iterator[None]:
    """SIGTERM does what SIGINT does, within.

    A shell starts what it puts into the background with SIGINT ignored, and Python then leaves it so; here it is heard.
    """

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        signal.raise_signal(signal.SIGINT)

    known = signal.getsignal(signal.SIGINT)
    heard = signal.default_int_handler if known is signal.SIG_IGN else known
    with _handled({signal.SIGTERM: interrupt, signal.SIGINT: heard}):
        yield


@contextmanager
def undisturbed() -> Iterator[None]:
    """Neither ends what is done within: for the short while in which the result is written."""
    with _handled({signal.SIGINT: signal.SIG_IGN, signal.SIGTERM: signal.SIG_IGN}):
        yield


@contextmanager
def _handled(handlers: "dict[signal.Signals, signal._HANDLER]") -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():  # only there Python lets handlers be set
        yield
        return
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    try:
        yield
    finally:
        for number, old in before.items():
            signal.signal(number, old)
