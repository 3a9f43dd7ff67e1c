"""What is urgent changes places with who would be next."""

import asyncio

from tests.node.loop import run_without_waiting

from gatecrash.node.test.pace.queueing import Queue


@run_without_waiting
async def test_who_is_urgent_goes_at_the_time_of_the_next_who_goes_at_its_time() -> None:
    queue, order = Queue(), []
    clock = asyncio.get_running_loop().time
    began = clock()

    async def wait(name: str, seconds: float, *, urgent: bool = False) -> None:
        await queue.wait(began + seconds, urgent=urgent)
        order.append(name)

    waiting = [asyncio.ensure_future(wait(f"test {place}", 0.05 * place)) for place in (1, 2, 3)]
    await asyncio.sleep(0)
    await wait("login", 0.2, urgent=True)
    assert order == ["login"]
    await asyncio.gather(*waiting)
    assert order == ["login", "test 2", "test 3", "test 1"], "the first has the time that the login had"
    assert clock() - began >= 0.2


@run_without_waiting
async def test_alone_it_waits_for_its_own_time_and_no_place_is_left_behind() -> None:
    queue = Queue()
    clock = asyncio.get_running_loop().time
    began = clock()
    await queue.wait(began + 0.03, urgent=True)
    assert clock() - began >= 0.03
    waiting = asyncio.ensure_future(queue.wait(began + 60))
    await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    await queue.wait(clock() + 0.01, urgent=True)  # would wait a minute, were the cancelled one still there


@run_without_waiting
async def test_two_urgent_ones_do_not_overtake_each_other() -> None:
    queue, order = Queue(), []
    began = asyncio.get_running_loop().time()

    async def wait(name: str, seconds: float) -> None:
        await queue.wait(began + seconds, urgent=True)
        order.append(name)

    await asyncio.gather(wait("first", 0.02), wait("second", 0.04))
    assert order == ["first", "second"]
