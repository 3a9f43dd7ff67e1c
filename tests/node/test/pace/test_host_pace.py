"""Requests to one host go at a pace that all runs of a node share."""

import asyncio

from tests.node.loop import run, until

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.pacing.congestion import FIRST_WIDTH
from gatecrash.core.testing.probe import Answer
from gatecrash.node.test.pace.host_pace import HostPaces

GET = Request("GET", b"/", (), b"", "http", "h.example", 80)


def answered(status: int, **headers: str) -> Answer:
    named = tuple((name.replace("_", "-").encode(), value.encode()) for name, value in headers.items())
    return Answer(Exchange(GET, Response(status, named), elapsed=0.01), "")


def test_a_host_has_one_pace_and_each_its_own() -> None:
    paces = HostPaces(5)
    assert paces.of(GET) is paces.of(Request("POST", b"/x", (), b"", "https", "h.example", 80))
    assert paces.of(GET) is not paces.of(Request("GET", b"/", (), b"", "http", "h.example", 81))
    assert paces.of(GET).gate is not None
    assert HostPaces().of(GET).gate is None


@run
async def test_who_can_go_at_once_does_and_all_others_have_to_wait() -> None:
    pace = HostPaces().of(GET)
    assert [pace.enters(name) for name in "abc"] == [True] * int(FIRST_WIDTH) + [False] * (3 - int(FIRST_WIDTH))
    pace.leave("a")
    pace.note(answered(503, Retry_After="1"), asyncio.get_running_loop().time(), "a")
    assert not pace.enters("a"), "the host is left in peace"
    assert not HostPaces(5).of(GET).enters("a"), "its limit has times to wait for"


@run
async def test_no_more_are_under_way_than_the_host_bears() -> None:
    pace = HostPaces().of(GET)
    tasks = [asyncio.ensure_future(pace.enter(f"bl_{number % 4}")) for number in range(20)]
    await until(lambda: sum(task.done() for task in tasks) >= pace.congestion.width)
    await asyncio.sleep(0)
    assert sum(task.done() for task in tasks) == pace.congestion.width == FIRST_WIDTH
    while not all(task.done() for task in tasks):
        done = [task for task in tasks if task.done()]
        for _ in done:
            pace.leave("bl_0")
        for number in range(4):
            pace.leave(f"bl_{number}")
        await asyncio.sleep(0)


@run
async def test_who_is_cancelled_while_waiting_gives_the_turn_to_the_next() -> None:
    pace = HostPaces().of(GET)
    held = [asyncio.ensure_future(pace.enter(name)) for name in "az"]
    await asyncio.gather(*held)
    waiting = [asyncio.ensure_future(pace.enter(name)) for name in ("b", "c")]
    await asyncio.sleep(0)
    waiting[0].cancel()
    await asyncio.gather(waiting[0], return_exceptions=True)
    pace.leave("a")
    await asyncio.wait_for(waiting[1], 5)


@run
async def test_a_pause_of_the_run_leaves_no_turn_taken() -> None:
    """All who wait and all who send are cancelled in one moment, so that turns are handed to some who are gone already."""
    pace = HostPaces().of(GET)

    async def send(name: str) -> None:
        await pace.enter(name)
        try:
            await asyncio.Event().wait()
        finally:
            pace.leave(name)

    tasks = [asyncio.ensure_future(send(f"bl_{number % 3}")) for number in range(12)]
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    for name in ("one", "other"):
        assert pace.enters(name)


@run
async def test_a_limiters_answer_is_sent_again_until_it_refuses_for_good() -> None:
    pace = HostPaces().of(GET)
    clock = asyncio.get_running_loop().time
    assert pace.note(answered(200), clock(), "a") is False
    assert pace.note(answered(429), clock(), "a") is True
    assert pace.congestion.wait(clock()) > 0
    other = HostPaces().of(GET)
    assert other.note(answered(503), clock(), "a") is False, "what does not say that it will be back is not asked again"
    assert HostPaces().of(GET).note(answered(503, Retry_After="1"), clock(), "a") is True
    for _ in range(10):
        pace.congestion.refused(clock() + 1000, clock() + 1000)
        last = pace.note(answered(429), clock() + 5000, "a")
    assert last is False


@run
async def test_no_answer_shrinks_the_pace() -> None:
    pace = HostPaces().of(GET)
    for _ in range(4):
        pace.note(answered(200), asyncio.get_running_loop().time(), "a")
    width = pace.congestion.width
    assert pace.note(Answer(Exchange(GET), "timeout"), asyncio.get_running_loop().time(), "a") is False
    assert pace.congestion.width == width // 2


@run
async def test_what_waited_as_it_was_asked_to_tells_nothing_of_the_pace() -> None:
    pace, clock = HostPaces().of(GET), asyncio.get_running_loop().time
    for _ in range(30):
        pace.note(answered(200), clock(), "a")
    width, state = pace.congestion.width, pace.congestion.state()
    for _ in range(10):
        pace.note(Answer(Exchange(GET, Response(200), elapsed=3.0)), clock(), "a", tells=False)
    assert (pace.congestion.width, pace.congestion.state()) == (width, state)


@run
async def test_the_owners_limit_spreads_requests() -> None:
    pace = HostPaces(20).of(GET)
    clock = asyncio.get_running_loop().time
    began = clock()
    for _ in range(5):
        await pace.enter("a")
        pace.leave("a")
    assert clock() - began >= 4 / 20


@run
async def test_what_is_not_waited_for_is_told_once_for_each_baseline() -> None:
    paces = HostPaces()
    assert paces.told() == ()
    now = asyncio.get_running_loop().time()
    for name in ("login", "login", "other"):
        assert not paces.of(GET).note(answered(429, Retry_After="90"), now, name), "asks for longer than anybody waits"
    assert [note.count("GET /") for note in paces.told()] == [1]
