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


async def until(holds: Callable[[], bool]) -> None:
    """Lets the loop turn until a condition holds; the test's own time limit ends it."""
    while not holds():  # noqa: ASYNC110 - what is awaited lives on the other side of a socket
        await asyncio.sleep(0.005)
