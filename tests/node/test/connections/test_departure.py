"""A request leaves when every limit lets it pass, and is known not to have left before that."""

import asyncio
from typing import cast

from tests.node.loop import run

from gatecrash.core.testing.pacing.windows import Passing
from gatecrash.node.test.connections.departure import Departure


class Limit:
    """Lets pass whoever asks for the second time."""

    def __init__(self) -> None:
        self.asked = 0

    def wait(self, _now: float) -> float:
        self.asked += 1
        return 0.001 if self.asked == 1 else 0.0

    def pass_at(self, now: float) -> float:
        return self.wait(now)


@run
async def test_it_leaves_when_its_limits_let_it() -> None:
    free = Departure(())
    assert free.pass_gates() is None
    assert free.left
    limit = Limit()
    limited = Departure((cast("Passing", limit),))
    waiting = limited.pass_gates()
    assert waiting is not None
    assert not limited.left
    await asyncio.ensure_future(waiting)
    assert limited.left
