"""A check that waits is counted as long as it does."""

import asyncio
import contextlib

from gatecrash.node.test.pace.waits import Waits


def test_what_waits_is_counted_until_it_asks_or_is_given_up() -> None:
    async def two() -> tuple[int, int, int]:
        waits = Waits()
        long = asyncio.ensure_future(waits.out(3600))
        await asyncio.sleep(0)
        during = waits.open
        await waits.out(0)
        after_one = waits.open
        short = asyncio.ensure_future(waits.out(0.01))
        await asyncio.sleep(0)
        assert waits.open == 1, "a short one slows nothing"
        await short
        long.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await long
        return during, after_one, waits.open

    assert asyncio.run(two()) == (1, 1, 0)
