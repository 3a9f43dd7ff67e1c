"""Runs an async test in a loop of its own, with an end."""

import asyncio
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any

SECONDS = 240  # generous: a busy machine is no failure


def run(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """The test as a plain function, ended after four minutes."""

    @wraps(test)
    def inner(*args: Any, **named: Any) -> None:
        asyncio.run(asyncio.wait_for(test(*args, **named), SECONDS))

    return inner


class WithoutWaiting(asyncio.SelectorEventLoop):
    """A loop whose clock stands still while something is done, and jumps to the next time that is waited for."""

    def __init__(self) -> None:
        self._now = 0.0
        super().__init__()
        select = self._selector.select  # type: ignore[attr-defined]  # it is there in every version, if not in typeshed

        def jump(timeout: float | None = None) -> Any:
            if timeout is not None:
                self._now += timeout
                timeout = 0
            return select(timeout)

        self._selector.select = jump  # type: ignore[attr-defined]

    def time(self) -> float:
        return self._now


def run_without_waiting(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """The test as a plain function, its times exact however busy the machine is. It may await nothing but times."""

    @wraps(test)
    def inner(*args: Any, **named: Any) -> None:
        with asyncio.Runner(loop_factory=WithoutWaiting) as runner:
            runner.run(test(*args, **named))

    return inner


async def until(holds: Callable[[], bool]) -> None:
    """Lets the loop turn until a condition holds; the test's own time limit ends it."""
    while not holds():  # noqa: ASYNC110 - what is awaited lives on the other side of a socket
        await asyncio.sleep(0.005)
