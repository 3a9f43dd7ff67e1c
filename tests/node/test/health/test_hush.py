"""A host that answers nobody any more is waited for once for all; a page that hangs alone is no such host."""

import asyncio
from collections.abc import Callable
from typing import cast

import msgspec
import pytest
from tests.node.loop import run_without_waiting
from tests.node.test.answering import Application, get, traffic

from gatecrash.core.message import Exchange, Headers, Request, Response
from gatecrash.core.reports.notes import SILENCES
from gatecrash.core.reports.notes import SILENT as SILENT_NOTE
from gatecrash.core.testing.probe import Answer
from gatecrash.node.test.connections.traffic import Traffic
from gatecrash.node.test.health.hush import AGAIN, ENOUGH, PROMPT, SILENT_SECONDS, was_sent
from gatecrash.node.test.wording import SILENT, TIMED_OUT

OK = Response(200, body=b"fine")
FIRST_BYTE = 20.0
Hangs = Callable[[Request], bool]


def now() -> float:
    return asyncio.get_running_loop().time()


class Hanging(Application):
    """Takes every request, and leaves some without an answer until that does not hold any more. lost: how many of them."""

    def __init__(self, hangs: Hangs) -> None:
        super().__init__(lambda _: OK)
        self.lost = 0
        self._hangs = hangs

    async def send(self, request: Request, extra: Headers = (), before: object = None) -> Answer:
        sent = now()
        while self._hangs(request):
            if now() - sent >= FIRST_BYTE:
                self.lost += 1
                return Answer(Exchange(request, started=1.0 + sent), TIMED_OUT)
            await asyncio.sleep(0.5)
        return await super().send(request, extra, cast("None", before))


def between(since: float, until: float) -> Hangs:
    return lambda _: since <= now() < until


async def failures(sending: Traffic, *paths: str) -> set[str]:
    return {answer.failure for answer in await asyncio.gather(*(sending.send(get(path), path) for path in paths))}


PATHS = [f"/{number}" for number in range(200)]


@run_without_waiting
async def test_a_host_that_hangs_for_a_minute_is_waited_for_and_asked_little_meanwhile() -> None:
    target = Hanging(between(1.0, 61.0))
    sending = traffic(target)
    assert await failures(sending, "/") == {""}
    await asyncio.sleep(1.0)
    assert await failures(sending, *PATHS) == {SILENT}
    assert now() <= 1.0 + 2 * FIRST_BYTE, "those that were under way came to their end"
    assert await failures(sending, *PATHS) == {SILENT}, "nothing more is sent"
    assert target.lost < 10
    assert all(await asyncio.gather(*(sending.patience.outlasts(SILENT, get(path)) for path in PATHS)))
    assert now() <= 61.0 + PROMPT
    assert await failures(sending, *PATHS) == {""}
    assert sending.notes == (SILENCES,)


@run_without_waiting
async def test_a_host_that_stays_silent_is_given_up_for_all() -> None:
    target = Hanging(between(1.0, 9999.0))
    sending = traffic(target)
    await failures(sending, "/")
    await asyncio.sleep(1.0)
    await failures(sending, "/a")
    assert not await sending.patience.outlasts(SILENT, get("/a"))
    gone = now()
    assert gone <= 1.0 + FIRST_BYTE + PROMPT + SILENT_SECONDS + PROMPT
    assert not any([await sending.patience.outlasts(SILENT, get(path)) for path in PATHS])
    assert now() == gone, "nobody waits any more"
    assert sending.notes == (SILENT_NOTE,)
    await asyncio.sleep(AGAIN + 1.0)
    assert not await sending.patience.outlasts(SILENT, get("/a"))
    assert now() == gone + AGAIN + 1.0 + PROMPT, "it is asked now and then"


@run_without_waiting
async def test_what_a_short_hang_left_unanswered_is_asked_again() -> None:
    sending = traffic(Hanging(between(1.0, 25.0)))
    await failures(sending, "/")
    await asyncio.sleep(1.0)
    assert await failures(sending, "/a", "/b") == {SILENT}
    assert await sending.patience.outlasts(SILENT, get("/a"))
    assert await failures(sending, "/a", "/b") == {""}


@pytest.mark.parametrize("others", [[], ["/b"]])
@run_without_waiting
async def test_a_page_that_hangs_alone_makes_nobody_wait(others: list[str]) -> None:
    sending = traffic(Hanging(lambda request: request.path == b"/a"))
    await failures(sending, "/")

    async def go_on() -> None:
        while now() < FIRST_BYTE + 1.0:
            await failures(sending, *others)
            await asyncio.sleep(1.0)

    hanging = asyncio.ensure_future(failures(sending, "/a"))
    await go_on()
    assert await hanging == {TIMED_OUT}
    assert sending.notes == ()


@pytest.mark.parametrize(("method", "failure"), [("GET", SILENT), ("POST", TIMED_OUT)])
@run_without_waiting
async def test_a_host_that_never_answered_is_told_by_several_pages_of_which_one_may_be_asked_again(
    method: str, failure: str
) -> None:
    sending = traffic(Hanging(lambda _: True))
    for number in range(ENOUGH):
        answer = await sending.send(get(f"/{number}", method=method), "bl_1")
        assert answer.failure == (failure if number == ENOUGH - 1 else TIMED_OUT)
        assert was_sent(answer.exchange)
    later = await sending.send(get("/later", method=method), "bl_1")
    assert later.failure == failure
    assert was_sent(later.exchange) == (failure != SILENT)


@run_without_waiting
async def test_payloads_in_the_path_of_one_page_that_hangs_for_each_tell_nothing_of_a_host_that_never_answered() -> (
    None
):
    sending = traffic(Hanging(lambda request: request.path.startswith(b"/js/")))
    for number in range(ENOUGH + 2):
        assert await failures(sending, f"/js/a{number}") == {TIMED_OUT}
    assert sending.notes == ()


@run_without_waiting
async def test_a_host_whose_answers_all_stall_on_their_way_is_silent() -> None:
    class Stalling(Hanging):
        async def send(self, request: Request, extra: Headers = (), before: object = None) -> Answer:
            answer = await super().send(request, extra, before)
            if not answer.failure:
                return answer
            return Answer(msgspec.structs.replace(answer.exchange, response=OK), answer.failure)

    sending = traffic(Stalling(between(1.0, 9999.0)))
    await failures(sending, "/")
    await asyncio.sleep(1.0)
    assert await failures(sending, "/a", "/b") == {SILENT}


@run_without_waiting
async def test_a_login_waits_for_the_host() -> None:
    sending = traffic(Hanging(between(1.0, 50.0)))
    await failures(sending, "/")
    await asyncio.sleep(1.0)
    answer = await sending.send_urgently(get("/login", method="POST"), "bl_1")
    assert answer.exchange.response == OK
