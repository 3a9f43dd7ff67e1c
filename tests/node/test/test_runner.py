"""Obeying is comparing: what is not ordered stops, what is goes on, and what is over is not taken up again."""

import asyncio
import math
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import msgspec
import pytest
from tests.node.loop import run, until

from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.errors import InvalidPattern
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.pacing.passes import Pass
from gatecrash.core.testing.policy import DEFAULT, THOROUGH
from gatecrash.fakes.control_plane import TOKEN, ControlPlane
from gatecrash.fakes.raw_server import RawServer
from gatecrash.node.session import Lifeline, Session
from gatecrash.node.test.beforehand.described import Descriptions
from gatecrash.node.test.beforehand.first_questions import FirstQuestions
from gatecrash.node.test.bounds import Bounds
from gatecrash.node.test.connections.sender import Sender
from gatecrash.node.test.connections.traffic import Tally, Traffic
from gatecrash.node.test.runner import Runner
from gatecrash.node.uplink import HELLO, Uplink
from gatecrash.wire.session import Hello, RunOrder, Welcome

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


def order(**named: Any) -> RunOrder:
    fields: dict[str, Any] = {"run_id": "tr_1", "generation": 1, "record_id": "r", "recording": False}
    return RunOrder(**{**fields, "sending": True, "policy": DEFAULT, "marker_key": b"k" * 32, **named})


@asynccontextmanager
async def running(control: ControlPlane, **named: Any) -> AsyncIterator[Runner]:
    async with AsyncExitStack() as stack:
        uplink, session, lifeline = Uplink(control.api, TOKEN), Session(), Lifeline(math.inf)
        # Before anything that may raise: a connection that nobody closes warns in some later test.
        stack.push_async_callback(uplink.close)
        session.set(await uplink.call(HELLO, Hello("n", "native", "1", "sp"), Welcome))
        lifeline.heard(asyncio.get_running_loop().time())
        recogniser = compile_recogniser()
        runner = Runner(uplink, session, lifeline, lambda: recogniser, Bounds(**named))
        outbox = asyncio.ensure_future(runner.outbox.send_always(uplink, session))
        stack.callback(outbox.cancel)
        stack.push_async_callback(runner.close)
        yield runner


def hold(control: ControlPlane, target: RawServer, count: int, *, host: str = "127.0.0.1") -> None:
    for number in range(count):
        request = Request("GET", b"/?q=%d" % number, ((b"Host", b"x"),), b"", "http", host, target.port)
        exchange = Exchange(request, Response(200, body=b"ok"))
        control.baselines.setdefault("tr_1", {})[f"bl_{number}"] = Baseline(f"bl_{number}", exchange)


@run
async def test_a_run_tests_as_many_baselines_at_once_as_there_are_workers() -> None:
    async with ControlPlane() as control, RawServer().answering(OK) as target:
        control.orders = [order(rps=50)]
        hold(control, target, 6)
        async with running(control, workers=2) as runner:
            runner.obey(control.orders)
            most = 0

            def held() -> bool:
                nonlocal most
                remaining = runner.progress(control.orders[0], recording=False, unsent=0).remaining
                most = max(most, len(remaining))
                return len(control.finals) == 6

            await until(held)
            assert most == 2
            assert {result.status for result in control.finals.values()} == {"passed"}
            progress = runner.progress(control.orders[0], recording=False, unsent=0)
            told = sum(result.sent for result in (*control.finals.values(), *control.parts))
            assert progress.sent == told == len(target.received)


@run
async def test_a_stale_claim_drops_the_run_until_another_generation() -> None:
    async with ControlPlane() as control, RawServer().answering(OK) as target:
        hold(control, target, 1)
        async with running(control) as runner:
            control.orders = [order(generation=2)]
            runner.obey([order()])
            await until(lambda: not runner.busy)
            runner.obey([order()])
            assert not runner.busy
            runner.obey([order(generation=2)])
            assert runner.busy
            await until(lambda: len(control.finals) == 1)


@run
async def test_the_end_of_recording_does_not_start_a_run_anew_and_a_pause_ends_its_trials() -> None:
    async def silent(reader: asyncio.StreamReader, _writer: asyncio.StreamWriter) -> None:
        await target.read_request(reader)
        await asyncio.Event().wait()

    target = RawServer(silent)
    async with ControlPlane() as control, target:
        control.orders = [order(recording=True)]
        hold(control, target, 1)
        async with running(control) as runner:
            runner.obey(control.orders)
            await until(lambda: len(target.received) > 0)
            sent = runner.progress(order(), recording=True, unsent=0).sent
            runner.obey([order(recording=False, credential_headers=("X-CLUB-PASS",))])
            assert runner.progress(order(), recording=False, unsent=0).remaining
            runner.obey([order(sending=False)])
            assert not runner.busy
            progress = runner.progress(order(), recording=False, unsent=0)
            assert (progress.sent, progress.remaining) == (sent, ())
            assert control.finals == {}


@run
async def test_both_lists_of_hosts_must_allow() -> None:
    async with ControlPlane() as control, RawServer().answering(OK) as target:
        control.orders = [order(allowed_hosts="*")]
        hold(control, target, 1)
        async with running(control, allowed_hosts="other.example") as runner:
            runner.obey(control.orders)
            await until(lambda: len(control.finals) == 1)
            assert control.finals["bl_0"].reason == "connection_failed"
            assert target.connections == 0
        with pytest.raises(InvalidPattern):
            async with running(control, allowed_hosts="~("):
                pass


@run
async def test_the_services_own_address_is_never_tested() -> None:
    async with ControlPlane() as control, RawServer().answering(OK) as target:
        control.orders = [order()]
        hold(control, target, 1, host="localhost")
        async with running(control, own_addresses=[("127.0.0.1", target.port), ("::1", target.port)]) as runner:
            runner.obey(control.orders)
            await until(lambda: len(control.finals) == 1)
            assert control.finals["bl_0"].reason == "connection_failed"
            assert target.connections == 0


@run
async def test_a_target_address_that_is_none_costs_its_baseline_a_recording_error() -> None:
    async with ControlPlane() as control, RawServer().answering(OK) as target:
        control.orders = [order(target_url="nowhere")]
        hold(control, target, 1)
        async with running(control) as runner:
            runner.obey(control.orders)
            await until(lambda: len(control.finals) == 1)
            assert control.finals["bl_0"].reason == "recording_error"


@run
async def test_a_recorded_request_without_its_body_costs_its_baseline_a_recording_error() -> None:
    async with ControlPlane() as control, RawServer().answering(OK) as target:
        control.orders = [order()]
        headers = ((b"Host", b"x"), (b"Content-Length", b"5"))
        request = Request("POST", b"/?q=1", headers, b"", "http", "127.0.0.1", target.port)
        control.baselines["tr_1"] = {"bl_0": Baseline("bl_0", Exchange(request, Response(200)))}
        async with running(control) as runner:
            runner.obey(control.orders)
            await until(lambda: len(control.finals) == 1)
            assert control.finals["bl_0"].reason == "recording_error"
            assert "body is missing" in control.finals["bl_0"].detail
            assert target.connections == 0


@pytest.mark.parametrize("broken", [(Descriptions, "of"), (FirstQuestions, "as_tested"), (FirstQuestions, "ask")])
@run
async def test_a_fault_of_ours_before_the_first_check_never_keeps_a_run_waiting(
    broken: tuple[type, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks(*_: object) -> None:
        raise ImportError("swapped")

    monkeypatch.setattr(*broken, breaks)
    async with ControlPlane() as control, RawServer().answering(OK) as target:
        control.orders = [order()]
        hold(control, target, 3)
        async with running(control) as runner:
            runner.obey(control.orders)
            await until(lambda: len(control.finals) == 3)
    ended = {(each.status, each.reason, each.detail) for each in control.finals.values()}
    # What is only asked beforehand is done without.
    expected = ("passed", None, "") if broken[1] == "ask" else ("error", "internal_exception", "ImportError")
    assert ended == {expected}


@run
async def test_a_worker_goes_on_with_what_is_at_hand_while_the_control_plane_does_not_answer() -> None:
    away = asyncio.Event()

    async def answer_later(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while await target.read_request(reader):
            await away.wait()
            writer.write(OK)

    target = RawServer(answer_later)
    async with ControlPlane() as control, target:
        control.orders = [order()]
        hold(control, target, 6)
        async with running(control, workers=1) as runner:
            runner.obey(control.orders)
            await until(lambda: len(target.received) > 0)
            control.down = True
            away.set()
            await until(lambda: any(b"q=1" in head for head in target.received))
            remaining = runner.progress(control.orders[0], recording=False, unsent=0).remaining
            assert len(remaining) <= 1, "one worker tests one at once"
            assert control.finals == {}
            control.down = False
            runner.wake("tr_1")
            await until(lambda: len(control.finals) == 6)
            assert {result.status for result in control.finals.values()} == {"passed"}


@run
async def test_a_run_knows_all_of_its_record_when_it_tests_the_first_of_it() -> None:
    async with ControlPlane() as control, RawServer().answering(OK) as target:
        control.orders = [order()]
        hold(control, target, 3)
        known: list[int] = []
        async with running(control, workers=1) as runner:
            given = runner.traffic

            def watched(wanted: RunOrder, sender: Sender, tally: Tally) -> Traffic:
                traffic = given(wanted, sender, tally)
                met = traffic.met

                def note(exchange: Exchange, *, visited: bool = False) -> None:
                    known.append(
                        sum(traffic.pages.is_visited(each.request) for each in control.baselines["tr_1"].values())
                    )
                    met(exchange, visited=visited)

                traffic.met = note  # type: ignore[method-assign]  # what is known when a trial begins
                return traffic

            runner.traffic = watched  # type: ignore[method-assign]  # as above
            runner.obey(control.orders)
            await until(lambda: bool(known))
    assert known[0] == 3


def put_off(received: list[bytes]) -> list[bool]:
    """Of each request whether one of its headers was changed."""
    return [b"Cookie: theme=dark\r\n" not in each for each in received]


@run
async def test_headers_are_asked_when_the_rest_of_all_baselines_is_and_all_is_counted() -> None:
    policy = msgspec.structs.replace(THOROUGH, types=("xss",))
    async with ControlPlane() as control, RawServer().answering(OK) as target:
        control.orders = [order(policy=policy)]
        hold(control, target, 3)
        held = control.baselines["tr_1"]
        for name, one in held.items():
            headers = (*one.request.headers, (b"Cookie", b"theme=dark"))
            request = msgspec.structs.replace(one.request, headers=headers)
            held[name] = Baseline(name, msgspec.structs.replace(one.exchange, request=request))
        async with running(control, workers=1) as runner:
            runner.obey(control.orders)
            await until(lambda: len(control.finals) == 3)
            late = put_off(target.received)
            assert not any(late[: sum(one.sent for one in control.put_off.values())]), "all of the first parts"
            assert any(late)
            assert all(one.left and not one.final and one.part == 0 for one in control.put_off.values())
            assert all(one.part == Pass.HEADERS and one.status == "passed" for one in control.finals.values())
            told = sum(one.sent for one in (*control.put_off.values(), *control.finals.values()))
            progress = runner.progress(control.orders[0], recording=False, unsent=0)
            assert progress.sent == told == len(target.received)
