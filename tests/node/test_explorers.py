"""What a node reads from an address reaches the control plane once, with how far it is."""

import asyncio
import math
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import msgspec
from tests.node.loop import run, until
from tests.node.scan.test_exploring import site
from tests.node.test.test_runner import order

from gatecrash.core.message import Exchange, Request
from gatecrash.core.testing.baseline import Baseline
from gatecrash.fakes.control_plane import TOKEN, ControlPlane
from gatecrash.formats.draft import Draft
from gatecrash.node.explorers import Explorers, _batches
from gatecrash.node.session import Lifeline, Session
from gatecrash.node.test.bounds import Bounds
from gatecrash.node.test.pace.host_pace import HostPaces
from gatecrash.node.test.recorder import MAX_BATCH
from gatecrash.node.uplink import HELLO, Uplink
from gatecrash.wire.session import Hello, RunOrder, RunProgress, Start, StartTold, Welcome


@asynccontextmanager
async def exploring(control: ControlPlane, *, paces: bool = True, **named: Any) -> AsyncIterator[Explorers]:
    async with AsyncExitStack() as stack:
        uplink, session, lifeline = Uplink(control.api, TOKEN), Session(), Lifeline(math.inf)
        stack.push_async_callback(uplink.close)
        session.set(await uplink.call(HELLO, Hello("n", "native", "1", "sp"), Welcome))
        lifeline.heard(asyncio.get_running_loop().time())
        explorers = Explorers(uplink, session, lifeline, Bounds(**named), HostPaces() if paces else None)
        stack.push_async_callback(explorers.close)
        yield explorers


def reading(url: str, *, over: bool = False, **named: Any) -> RunOrder:
    return order(run_id="rec_1", record_id="rec_1", start=Start(url, 50, over), **named)


def told(explorers: Explorers) -> tuple[StartTold, int]:
    """How far it is, and what is not handed over yet."""
    progress = explorers.told(RunProgress("rec_1", 1))
    return progress.start or StartTold(-1), progress.unsent_baselines


def has_ended(explorers: Explorers) -> bool:
    return told(explorers)[0].ended


def addresses(control: ControlPlane) -> list[str]:
    return [one.request.target.decode() for one in control.baselines.get("rec_1", {}).values()]


@run
async def test_pages_and_drafts_are_handed_over_before_the_end_is_told() -> None:
    with site(described=True) as (url, _):
        async with ControlPlane() as control, exploring(control) as explorers:
            explorers.obey([reading(url + "/")])
            assert told(explorers) == (StartTold(0), 1)
            await until(lambda: has_ended(explorers))
            assert told(explorers)[1] == 0
            assert addresses(control)[:2] == ["/api/teas", "/teaa"], "what is described comes first"
            assert {"/", "/teab"} < set(addresses(control))
            assert told(explorers)[0].read > 3


@run
async def test_what_is_not_ordered_any_more_is_dropped_and_nothing_is_known_of_others() -> None:
    with site(many=400) as (url, asked):
        async with ControlPlane() as control, exploring(control) as explorers:
            explorers.obey([reading(url + "/")])
            await until(lambda: len(asked) > 20)
            explorers.obey([])
            assert told(explorers) == (StartTold(-1), 0)
            assert addresses(control) == []


@run
async def test_a_reading_that_is_over_hands_over_what_was_read() -> None:
    with site(many=400) as (url, _):
        async with ControlPlane() as control, exploring(control) as explorers:
            explorers.obey([reading(url + "/")])
            await until(lambda: told(explorers)[0].read > 20)
            explorers.obey([reading(url + "/", over=True, sending=False)])
            await until(lambda: has_ended(explorers))
            assert 1 < len(addresses(control)) < 400


@run
async def test_why_nothing_could_be_read_is_told_in_words_of_a_node() -> None:
    async with ControlPlane() as control:
        for allowed, url, why in (
            ("shop.example", "http://127.0.0.1:1/", "ALLOWED_HOSTS does not name it"),
            ("", "http://127.0.0.1:1/", "http://127.0.0.1:1/ was not reached"),
        ):
            async with exploring(control, allowed_hosts=allowed) as explorers:
                explorers.obey([reading(url)])
                await until(lambda: has_ended(explorers))
                assert why in told(explorers)[0].trouble
                assert "--allow-host" not in told(explorers)[0].trouble


@run
async def test_a_service_that_is_away_for_a_while_gets_all_of_it() -> None:
    class Away(ControlPlane):
        times = 2

        def _answer(self, head: bytes, body: bytes) -> tuple[int, bytes]:
            if b"/node/baselines" in head and self.times:
                self.times -= 1
                return 503, b"{}"
            return super()._answer(head, body)

    with site() as (url, _):
        async with Away() as control, exploring(control) as explorers:
            explorers.obey([reading(url + "/")])
            await until(lambda: has_ended(explorers))
            assert sorted(addresses(control)) == ["/", "/teaa", "/teab"]


@run
async def test_beside_tests_in_other_processes_nothing_is_read() -> None:
    with site() as (url, asked):
        async with ControlPlane() as control, exploring(control, paces=False) as explorers:
            explorers.obey([reading(url + "/"), order()])
            await asyncio.sleep(0.2)
            assert asked == []
            explorers.obey([reading(url + "/")])
            await until(lambda: has_ended(explorers))


@run
async def test_without_orders_nothing_is_asked() -> None:
    with site(many=400) as (url, asked):
        async with ControlPlane() as control, exploring(control) as explorers:
            explorers.obey([reading(url + "/")])
            await until(lambda: len(asked) > 20)
            explorers.wait()
            await asyncio.sleep(0.2)
            before = len(asked)
            await asyncio.sleep(0.2)
            assert len(asked) == before


@run
async def test_a_limit_that_is_told_holds_where_no_runs_do() -> None:
    async with ControlPlane() as control, exploring(control, paces=False) as explorers:
        explorers.limit_hosts(7)
        assert explorers.paces.rps == 7


def test_messages_hold_one_kind_each_in_the_order_of_what_was_found() -> None:
    request = Request("GET", b"/", host="a")
    sent, draft = Exchange(request), Draft(request=request, drafted=True)
    found = [draft, draft, *[sent] * (MAX_BATCH + 1), draft]
    batches = _batches([Baseline(f"bl_{at}", each) for at, each in enumerate(found)])
    assert [len(each) for each in batches] == [2, MAX_BATCH, 1, 1]
    large = msgspec.structs.replace(request, body=b"x" * 5_000_000)
    assert [len(each) for each in _batches([Baseline("a", Exchange(large)), Baseline("b", Exchange(large))])] == [1, 1]


@run
async def test_a_site_that_has_answered_is_waited_for_as_long_as_a_run_waits() -> None:
    with site(many=400) as (url, asked):
        async with ControlPlane() as control, exploring(control) as explorers:
            explorers.obey([reading(url + "/")])
            one = explorers._at_work["rec_1"]
            async with one._traffic(None) as traffic:
                assert not traffic.patience.unattended()
                await until(lambda: len(asked) > 20)
                assert traffic.patience.unattended(), "whoever of its readers was answered"
