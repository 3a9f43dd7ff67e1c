"""What hangs while others are answered holds no places; a host that is slow, or answers nobody, is asked no more for it."""

import asyncio

import pytest
from tests.node.loop import run_without_waiting

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.pacing.congestion import FIRST_WIDTH
from gatecrash.core.testing.probe import Answer
from gatecrash.node.test.health.hush import was_sent
from gatecrash.node.test.pace.hanging import HANGING, LOOKS
from gatecrash.node.test.pace.host_pace import HostPace
from gatecrash.node.test.wording import TIMED_OUT

GET = Request("GET", b"/a", (), b"", "http", "h", 80)


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


async def waited_for_again(best: float | None, heard: float | None, took: float = 0.02) -> float | None:
    """How long a page is waited for that was given up after 20 s, at a host that answered another heard seconds behind its
    beginning; None where it is waited for as ever.
    """
    pace = HostPace(None)
    if best is not None:
        pace.congestion.answered(now(), "page", best)
    began = now()
    if heard is not None:
        await asyncio.sleep(heard)
        pace.hanging.answered(now(), took)
    await asyncio.sleep(20 - (heard or 0))
    pace.note(Answer(Exchange(GET), TIMED_OUT), began, "page")
    if "page" not in pace.hanging.hung:
        return None
    asked_at = now()

    async def never() -> Answer:
        await asyncio.sleep(100)
        return Answer(Exchange(GET))

    answer = await pace.hanging.hurried(never(), GET, "page")
    assert answer.failure == TIMED_OUT
    assert was_sent(answer.exchange)
    return now() - asked_at


@pytest.mark.parametrize(
    ("best", "heard", "took", "seconds"),
    [(0.02, 2.0, 0.02, 8.1), (3.0, 2.0, 0.02, 23.0), (0.02, 2.0, 3.0, 23.0)],
    ids=["a quick page", "a slow page", "a slow host"],
)
def test_what_hung_before_is_waited_for_as_long_as_tests_ask_to_wait(
    best: float, heard: float, took: float, seconds: float
) -> None:
    @run_without_waiting
    async def asks() -> None:
        assert await waited_for_again(best, heard, took) == pytest.approx(seconds)

    asks()


@pytest.mark.parametrize(
    ("best", "heard"), [(None, 2.0), (0.02, None), (0.02, 0.1)], ids=["never answered", "nobody heard", "heard before"]
)
def test_what_may_not_have_hung_is_waited_for_as_ever(best: float | None, heard: float | None) -> None:
    @run_without_waiting
    async def asks() -> None:
        assert await waited_for_again(best, heard) is None

    asks()


@run_without_waiting
async def test_an_answer_of_what_hung_before_is_taken() -> None:
    pace = HostPace(None)
    pace.hanging.hung["page"] = 0.02

    async def sent() -> Answer:
        await asyncio.sleep(6)
        return Answer(Exchange(GET, Response(200)))

    assert (await pace.hanging.hurried(sent(), GET, "page")).exchange.response == Response(200)
