"""Places at a host go to dialogues and requests in turn, as many as the host bears."""

import asyncio

from tests.node.loop import run, until

from gatecrash.core.testing.pacing.congestion import FIRST_WIDTH, Congestion
from gatecrash.node.test.pace.slots import Places


@run
async def test_who_finds_no_place_waits_until_one_is_left() -> None:
    places = Places(Congestion())
    assert [places.enters(name) for name in "abc"] == [True] * int(FIRST_WIDTH) + [False] * (3 - int(FIRST_WIDTH))
    waiting = asyncio.ensure_future(places.enter("c"))
    await asyncio.sleep(0)
    assert not waiting.done()
    places.leave("a")
    await asyncio.wait_for(waiting, 5)


@run
async def test_a_host_that_bears_more_lets_in_more_before_anybody_leaves() -> None:
    congestion = Congestion()
    places = Places(congestion)
    entering = [asyncio.ensure_future(places.enter(name)) for name in "abcd"]
    await until(lambda: sum(task.done() for task in entering) == int(FIRST_WIDTH))
    while congestion.width < len(entering):
        congestion.answered(1.0, "a", 0.001)
    places.grown()
    await asyncio.wait_for(asyncio.gather(*entering), 5)


@run
async def test_one_baseline_never_holds_all_places() -> None:
    congestion = Congestion(most=4)
    while congestion.width < 4:
        congestion.answered(1.0, "slow", 0.001)
    places = Places(congestion)
    assert [places.enters("slow") for _ in range(5)] == [True, True, True, False, False]
    assert places.enters("quick")
    assert not places.enters("quick"), "all four are taken"
