"""A run's requests are paced, marked, counted, and wait while nobody hears the node."""

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import msgspec
import pytest
from tests.node.loop import run, until
from tests.node.test.answering import Application, get
from tests.node.test.answering import traffic as unpaced

from gatecrash.core.inventory.marker import verify_marker
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.authorization.tokens.own_names import names_known
from gatecrash.core.testing.pacing import windows
from gatecrash.core.testing.pacing.windows import Passing, pass_all
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.fakes.raw_server import RawServer
from gatecrash.node.session import Lifeline
from gatecrash.node.test.connections import departure as departure_module
from gatecrash.node.test.connections.destinations import Destinations
from gatecrash.node.test.connections.sender import Sender
from gatecrash.node.test.connections.traffic import Tally, Traffic
from gatecrash.node.test.pace import hanging as hanging_module
from gatecrash.wire.session import RunOrder

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
ORDER = RunOrder(
    run_id="tr_1", generation=1, record_id="r", recording=False, sending=True, policy=DEFAULT, marker_key=b"k" * 32
)


@asynccontextmanager
async def traffic(
    order: RunOrder = ORDER, *, allowed: bool = True, heard: bool = True
) -> AsyncIterator[tuple[Traffic, Lifeline]]:
    lifeline = Lifeline()
    if heard:
        lifeline.heard(asyncio.get_running_loop().time() + 3600)  # for as long as a slow machine takes
    sender = Sender(Destinations(lambda *_: None if allowed else "no", lambda *_: None))
    yield Traffic(order, sender, lifeline, Tally(1)), lifeline
    await sender.close()


def request(server: RawServer) -> Request:
    return Request("GET", b"/", ((b"Host", b"x"),), b"", "http", "127.0.0.1", server.port)


@run
async def test_a_login_is_sent_once_more_when_a_target_that_restarts_is_back() -> None:
    said = iter(["refused", Response(200), "refused"])
    sending = unpaced(Application(lambda _: next(said)))
    assert (await sending.send_urgently(get("/login"), "bl_1")).exchange.response == Response(200)
    assert (await sending.send(get("/"), "bl_1")).failure == "refused", "others are told"


@run
async def test_each_request_carries_a_marker_of_its_own_that_the_run_signed() -> None:
    async with RawServer().answering(OK) as server, traffic() as (sending, _):
        for _ in range(3):
            await sending.send(request(server), "bl_1")
        values = [raw.partition(b"X-Gatecrash-Marker: ")[2].partition(b"\r\n")[0] for raw in server.received]
        assert len(set(values)) == 3
        assert [verify_marker({"tr_1": b"k" * 32}, value) for value in values] == ["tr_1"] * 3
        assert (sending.tally.sent, sending.tally.by_baseline["bl_1"]) == (3, 3)
        assert sum(count for _, count in sending.tally.recent()) == 3


@run
async def test_no_second_holds_more_than_the_limit() -> None:
    async with RawServer().answering(OK) as server, traffic(msgspec.structs.replace(ORDER, rps=20)) as (sending, _):
        clock = asyncio.get_running_loop().time
        began = clock()
        await asyncio.gather(*(sending.send(request(server), "bl_1") for _ in range(30)))
        assert clock() - began >= 1.0


@run
async def test_what_waited_for_a_stalled_target_does_not_leave_in_a_burst(monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit holds where the bytes leave: connections that come late must not add up to more than a second's share."""
    stalled = asyncio.Event()
    left: list[float] = []
    read = 0

    def noted(gates: Sequence[Passing], now: float) -> float:
        if not (wait := pass_all(gates, now)):
            left.append(now)
        return wait

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal read
        while await reader.readuntil(b"\r\n\r\n"):
            read += 1
            assert read <= len(left), "nothing leaves but through the gates"
            if read == 1:
                await stalled.wait()
            writer.write(OK)

    monkeypatch.setattr(departure_module, "pass_all", noted)
    limited = msgspec.structs.replace(ORDER, rps=10, rps_per_baseline=10)
    async with RawServer(talk) as server, traffic(limited) as (sending, _):
        tasks = [asyncio.ensure_future(sending.send(request(server), "bl_1")) for _ in range(25)]
        await asyncio.sleep(0.8)
        stalled.set()
        await asyncio.gather(*tasks)
    assert read == len(left) == 25
    assert all(later - earlier > 1.0 for earlier, later in zip(left, left[10:], strict=False))


@run
async def test_what_a_limiter_refused_is_sent_again_after_the_pause_it_asks_for() -> None:
    limited = b"HTTP/1.1 429 Too Many\r\nRetry-After: 0\r\nContent-Length: 0\r\n\r\n"
    async with RawServer().answering(limited, limited, OK) as server, traffic() as (sending, _):
        answer = await sending.send(request(server), "bl_1")
        assert answer.exchange.response is not None
        assert answer.exchange.response.status == 200
        assert sending.tally.sent == len(server.received) == 3


@run
async def test_who_was_forgotten_during_a_pause_sends_nothing_after_it() -> None:
    limited = b"HTTP/1.1 429 Too Many\r\nRetry-After: 0\r\nContent-Length: 0\r\n\r\n"
    async with RawServer().answering(limited, OK) as server, traffic() as (sending, lifeline):
        task = asyncio.ensure_future(sending.send(request(server), "bl_1"))
        await until(lambda: bool(server.received))
        lifeline.heard(asyncio.get_running_loop().time() - 1000)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(asyncio.shield(task), 0.6)
        assert len(server.received) == 1
        lifeline.heard(asyncio.get_running_loop().time())
        assert (await task).exchange.response is not None


@run
async def test_a_target_that_refuses_for_good_has_the_last_word() -> None:
    limited = b"HTTP/1.1 429 Too Many\r\nRetry-After: 0\r\nContent-Length: 0\r\n\r\n"
    async with RawServer().answering(limited) as server, traffic() as (sending, _):
        answer = await sending.send(request(server), "bl_1")
        assert answer.exchange.response is not None
        assert answer.exchange.response.status == 429


@run
async def test_a_slow_baseline_does_not_hold_up_another() -> None:
    released = asyncio.Event()

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while asked := await reader.readuntil(b"\r\n\r\n"):
            if asked.startswith(b"GET /slow"):
                await released.wait()
            writer.write(OK)

    async with RawServer(talk) as server, traffic() as (sending, _):
        slow = msgspec.structs.replace(request(server), target=b"/slow")
        await sending.send(request(server), "quick")
        hanging = [asyncio.ensure_future(sending.send(slow, "slow")) for _ in range(40)]
        quick = [asyncio.ensure_future(sending.send(request(server), "quick")) for _ in range(40)]
        await asyncio.wait_for(asyncio.gather(*quick), 120)
        assert not any(task.done() for task in hanging)
        released.set()
        await asyncio.gather(*hanging)


@run
async def test_a_page_that_hung_before_is_waited_for_in_short(monkeypatch: pytest.MonkeyPatch) -> None:
    async def talk(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
        await reader.read()

    monkeypatch.setattr(hanging_module, "AGAIN", 0.1)
    async with RawServer(talk) as server, traffic() as (sending, _):
        sending._paces.of(request(server)).hanging.hung["bl_1"] = 0.0
        answer = await sending.send(request(server), "bl_1")
        assert answer.failure == "timeout"


@run
async def test_a_node_that_nobody_hears_sends_nothing() -> None:
    async with RawServer().answering(OK) as server, traffic(heard=False) as (sending, lifeline):
        waiting = asyncio.ensure_future(sending.send(request(server), "bl_1"))
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(asyncio.shield(waiting), 0.1)
        assert server.connections == 0
        lifeline.heard(asyncio.get_running_loop().time())
        assert (await waiting).failure == ""


@run
async def test_what_is_given_up_before_it_left_is_not_counted_as_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither where nobody hears the node, nor at a gate; what left already stays counted."""
    monkeypatch.setattr(windows, "WINDOW", 3600.0)  # no stall of the machine lets the second one leave
    limited = msgspec.structs.replace(ORDER, rps=1)
    for order, heard, left in ((ORDER, False, 0), (limited, True, 1)):
        async with RawServer().answering(OK) as server, traffic(order, heard=heard) as (sending, _):
            tasks = [asyncio.ensure_future(sending.transmit(request(server), "bl_1")) for _ in range(2)]
            await until(lambda server=server, left=left: len(server.received) == left)
            await asyncio.sleep(0)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            assert sending.tally.sent == sending.tally.by_baseline["bl_1"] == left
            assert sum(count for _, count in sending.tally.recent()) == left


@run
async def test_what_is_not_allowed_is_not_counted_as_sent() -> None:
    async with RawServer().answering(OK) as server, traffic(allowed=False) as (sending, _):
        assert (await sending.send(request(server), "bl_1")).failure == "not_allowed"
        assert (sending.tally.sent, sum(count for _, count in sending.tally.recent())) == (0, 0)


@run
async def test_what_is_not_allowed_is_at_no_time_counted_as_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    """A node tells its numbers while it sends, and the run's own never goes back."""
    counted: list[int] = []
    monkeypatch.setattr(Tally, "add", lambda _self, _name, number=1: counted.append(number))
    async with RawServer().answering(OK) as server, traffic(allowed=False) as (sending, _):
        await asyncio.gather(*(sending.send(request(server), "bl_1") for _ in range(3)))
        assert counted == []


def test_what_is_taken_back_a_second_later_was_sent_in_no_second(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1000.9]
    monkeypatch.setattr(time, "time", lambda: now[0])
    tally = Tally(1)
    tally.add("bl_1")
    now[0] = 1001.1
    tally.add("bl_1", -1)
    assert (tally.sent, sum(count for _, count in tally.recent())) == (0, 0)


@run
async def test_a_run_knows_what_its_pages_call_the_application() -> None:
    sending = unpaced(Application(lambda _: Response(200)))
    sending.learn(Exchange(get("/"), Response(200, body=b"<title>Tea house</title>")))
    assert names_known(sending.told, get("/").origin) == ("Tea house",)
