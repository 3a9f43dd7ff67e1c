"""What hangs while others are answered holds no places; a host that is slow, or answers nobody, is asked no more for it."""

import asyncio

import pytest
from tests.node.loop import run_without_waiting

from gatecrash.core.testing.pacing_congestion import FIRST_WIDTH
from gatecrash.node.test.hanging import HANGING, LOOKS
from gatecrash.node.test.host_pace import HostPace


def now() -> float:
    return asyncio.get_running_loop().time()


class Host:
    """One at which as many requests are under way as it bears at first."""

    def __init__(self) -> None:
        self.pace = HostPace(None)
        self.names = [f"bl_{number}" for number in range(int(FIRST_WIDTH))]
        for name in self.names:
            assert self.pace.enters(name)
            assert self.pace.dialogues.enters(name)
        self.numbers = [self.pace.hanging.begins(name, now()) for name in self.names]

    async def waits(self, seconds: float) -> bool:
        """Whether somebody else waits for so long in vain for a place to ask, or for one to begin a dialogue."""
        entering = [asyncio.ensure_future(places.enter("other")) for places in (self.pace.dialogues, self.pace)]
        await asyncio.sleep(seconds)
        waiting = not all(task.done() for task in entering)
        for task in entering:
            task.cancel()
        return waiting

    def end(self) -> None:
        for name, number in zip(self.names, self.numbers, strict=True):
            self.pace.ended(name, number)
            self.pace.dialogues.leave(name)


@run_without_waiting
async def test_what_hangs_while_others_are_answered_leaves_its_places_to_them() -> None:
    host = Host()
    await asyncio.sleep(2)
    host.pace.hanging.answered(now(), 0.02)
    assert not await host.waits(HANGING)
    host.pace.leave("other")
    host.pace.dialogues.leave("other")
    host.end()
    for places in (host.pace, host.pace.dialogues):
        assert [places.enters(name) for name in (*host.names, "more")] == [True] * len(host.names) + [False]


@pytest.mark.parametrize(("after", "took"), [(None, 0.0), (0.1, 0.02), (2.0, 4.0)], ids=["nobody", "at once", "slowly"])
def test_what_may_be_the_host_keeps_its_places(after: float | None, took: float) -> None:
    @run_without_waiting
    async def keeps() -> None:
        host = Host()
        if after is not None:
            await asyncio.sleep(after)
            host.pace.hanging.answered(now(), took)
        assert await host.waits(2 * HANGING)

    keeps()


@run_without_waiting
async def test_nothing_is_looked_after_where_nothing_is_under_way() -> None:
    host = Host()
    host.end()
    await asyncio.sleep(2 * LOOKS)
    host.numbers = [host.pace.hanging.begins(name, now()) for name in host.names]
    host.pace.hanging.answered(now() + 2, 0.02)
    for name in host.names:
        host.pace.enters(name)
        host.pace.dialogues.enters(name)
    assert not await host.waits(HANGING + 2 * LOOKS)
