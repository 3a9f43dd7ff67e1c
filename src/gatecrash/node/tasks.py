"""Works that stand and fall together."""

import asyncio
from collections.abc import Awaitable
from typing import Any


async def until_one_ends(*works: Awaitable[Any]) -> None:
    """Does all at once until the first of them ends or breaks, then cancels the others. Raises what broke it."""
    tasks = [asyncio.ensure_future(work) for work in works]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
