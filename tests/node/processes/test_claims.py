"""What the control plane gives to a node is divided among its processes, and never given twice."""

import asyncio
from contextlib import suppress

import msgspec
import pytest
from tests.node.loop import run
from tests.node.test.test_runner import OK, hold, order

from gatecrash.core.testing.extension_source import Source
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.profiles.profile import AuthProfile, Placed, ProfileIdentity, Step
from gatecrash.fakes.control_plane import TOKEN, ControlPlane
from gatecrash.fakes.raw_server import RawServer
from gatecrash.node.processes.claims import Claims, places_of, stays_together
from gatecrash.node.processes.worker import Worker
from gatecrash.node.session import Session
from gatecrash.node.test.outbox import Outbox
from gatecrash.node.uplink import HELLO, Uplink
from gatecrash.wire.session import Hello, RunOrder, Welcome
from gatecrash.wire.work import Acquaint, Claim, Describe, Result, Work

LOGIN = Step(method="POST", url="/login")


def of_identity(**named: object) -> AuthProfile:
    identity = msgspec.structs.replace(ProfileIdentity(name="ann"), **named)
    return AuthProfile(id="prof_1", name="p", identities=(identity,))


async def welcomed(control: ControlPlane) -> tuple[Uplink, Session]:
    """The node's way to its control plane, and the session that it has there."""
    uplink, session = Uplink(control.api, TOKEN), Session()
    session.set(await uplink.call(HELLO, Hello("n", "native", "1", "sp"), Welcome))
    return uplink, session


@pytest.mark.parametrize(
    ("wanted", "together"),
    [
        (order(), False),
        (order(profile=of_identity(values=(Placed(("header", "X-KEY"), "k"),))), False),
        (order(profile=of_identity(login=(LOGIN,))), True),
        (order(policy=msgspec.structs.replace(DEFAULT, extensions=(Source(name="x", text=""),))), True),
    ],
    ids=["plain", "a fixed value", "a login", "extensions"],
)
def test_a_run_with_one_living_session_stays_in_one_process(wanted: RunOrder, together: bool) -> None:
    assert stays_together(wanted) is together


@run
async def test_processes_share_what_the_node_may_hold() -> None:
    async with ControlPlane() as control, RawServer().answering(OK) as target:
        control.orders = [order(), order(run_id="tr_2", profile=of_identity(login=(LOGIN,)))]
        hold(control, target, 9)
        control.baselines["tr_2"] = dict(control.baselines["tr_1"])
        uplink, session = await welcomed(control)
        outbox = Outbox(lambda *_: None)
        workers = {lane: Worker(lane, None, None) for lane in range(2)}  # type: ignore[arg-type] # they are not spoken to
        claims = Claims(uplink, session, outbox, workers, most=5, processes=2)

        async def given(lane: int, run_id: str, *holding: str) -> list[str]:
            claim = Claim("", "", run_id, 1, 10 if not holding else 3 - len(holding), holding)
            wanted = next(one for one in control.orders if one.run_id == run_id)
            return [one.id for one in (await claims.claim(workers[lane], claim, wanted)).baselines]

        first, second = await asyncio.gather(given(0, "tr_1"), given(1, "tr_1"))
        assert (len(first), len(second)) == (3, 2), "five over both, three a process"
        assert not {*first} & {*second}
        assert await given(0, "tr_1", *first) == []
        third = await given(1, "tr_1")
        assert set(third) == set(second), "what a process does not hold was lost on the way, and is given again"
        workers.pop(0)
        assert set(await given(1, "tr_1", *second)) <= set(first), "a process that is gone holds nothing"

        workers[0] = Worker(0, None, None)  # type: ignore[arg-type] # as above
        assert await given(1, "tr_2") == [], "its one session is the first process's"
        assert len(await given(0, "tr_2")) == 5
        claims.keep(set())
        with suppress(Exception):
            await uplink.close()


@run
async def test_a_run_without_work_is_not_asked_for_by_every_process() -> None:
    async with ControlPlane() as control:
        control.orders = [order()]
        uplink, session = await welcomed(control)
        workers = {lane: Worker(lane, None, None) for lane in range(2)}  # type: ignore[arg-type] # as above
        claims = Claims(uplink, session, Outbox(lambda *_: None), workers, most=5, processes=2)
        claim = Claim("", "", "tr_1", 1, 5)
        assert not (await claims.claim(workers[0], claim, order())).baselines
        async with RawServer().answering(OK) as target:
            hold(control, target, 1)
            assert not (await claims.claim(workers[1], claim, order())).baselines
            claims.wake("tr_1")
            assert (await claims.claim(workers[1], claim, order())).baselines
        await uplink.close()


@run
async def test_a_run_that_is_stopped_while_work_is_asked_for_is_given_none() -> None:
    """What it was given waits at the control plane, and is given again where the run goes on."""
    worker = Worker(0, None, None)  # type: ignore[arg-type] # as above

    class Stopping:
        async def call(self, *_: object) -> Work:
            worker.held, worker.ready = {}, {}
            return Work(belated=(("bl_1", 3),))

    async with ControlPlane() as control:
        uplink, session = await welcomed(control)
        claims = Claims(Stopping(), session, Outbox(lambda *_: None), {0: worker}, most=5, processes=1)  # type: ignore[arg-type]
        assert await claims.claim(worker, Claim("", "", "tr_1", 1, 5), order()) == Work()
        await uplink.close()


def test_the_places_of_all_processes_together_are_the_nodes() -> None:
    assert [places_of(order(), lane, most=10, processes=4) for lane in range(4)] == [3, 3, 2, 2]
    alone = order(profile=of_identity(login=(LOGIN,)))
    assert [places_of(alone, lane, most=10, processes=2) for lane in range(2)] == [10, 0]


@run
async def test_what_one_process_has_at_hand_is_given_to_no_other() -> None:
    async with ControlPlane() as control, RawServer().answering(OK) as target:
        control.orders = [order()]
        hold(control, target, 6)
        uplink, session = await welcomed(control)
        workers = {lane: Worker(lane, None, None) for lane in range(2)}  # type: ignore[arg-type] # as above
        claims = Claims(uplink, session, Outbox(lambda *_: None), workers, most=2, processes=2)
        first = await claims.claim(workers[0], Claim("", "", "tr_1", 1, 1, ahead=2), order())
        assert first.ahead == (), "as long as another has nothing to do"
        second = await claims.claim(workers[1], Claim("", "", "tr_1", 1, 1, ahead=2), order())
        held = tuple(one.id for one in first.baselines)
        third = await claims.claim(workers[0], Claim("", "", "tr_1", 1, 0, held, 2), order())
        given = [one.id for work in (first, second, third) for one in (*work.baselines, *work.ahead)]
        assert len(given) == len(set(given)) == 6
        await uplink.close()


@run
async def test_what_nobody_has_sent_yet_is_tested_by_the_process_that_was_given_the_first_of_it() -> None:
    async with ControlPlane() as control, RawServer().answering(OK) as target:
        control.orders = [order()]
        hold(control, target, 4)
        held = control.baselines["tr_1"]
        for name, one in held.items():
            draft = msgspec.structs.replace(one.exchange, response=None, drafted=True)
            held[name] = msgspec.structs.replace(one, exchange=draft)
        uplink, session = await welcomed(control)
        workers = {lane: Worker(lane, None, None) for lane in range(2)}  # type: ignore[arg-type] # they are not spoken to
        claims = Claims(uplink, session, Outbox(lambda *_: None), workers, most=4, processes=2)
        first = await claims.claim(workers[1], Claim("", "", "tr_1", 1, 2), order())
        assert len(first.baselines) == 2
        assert (await claims.claim(workers[0], Claim("", "", "tr_1", 1, 2), order())).baselines == ()
        told = await claims.describe(Describe("", "", "tr_1", 1))
        assert {name for name, _, _ in told.drafts} == set(held), "asked for in the node's own session"
        claims.keep(set())
        assert len((await claims.claim(workers[0], Claim("", "", "tr_1", 1, 2), order())).baselines) == 2
        await uplink.close()


@run
async def test_each_process_is_told_what_the_record_holds() -> None:
    async with ControlPlane() as control, RawServer().answering(OK) as target:
        control.orders = [order()]
        hold(control, target, 2)
        uplink, session = await welcomed(control)
        claims = Claims(uplink, session, Outbox(lambda *_: None), {}, most=4, processes=2)
        told = await claims.acquaint(Acquaint("", "", "tr_1", 1, 1))
        assert [one.request.target for one in told.exchanges] == [b"/?q=1"], "asked for in the node's own session"
        assert (told.last, told.more) == (2, False)
        await uplink.close()


@run
async def test_what_one_process_put_off_another_may_make_and_the_claim_says_who_has_it() -> None:
    async with ControlPlane() as control, RawServer().answering(OK) as target:
        control.orders = [order()]
        hold(control, target, 1)
        uplink, session = await welcomed(control)
        outbox = Outbox(lambda *_: None)
        workers = {lane: Worker(lane, None, None) for lane in range(2)}  # type: ignore[arg-type] # as above
        claims = Claims(uplink, session, outbox, workers, most=5, processes=2)
        (first,) = (await claims.claim(workers[0], Claim("", "", "tr_1", 1, 5, parts=()), order())).baselines
        left = Result(baseline_id=first.id, final=False, status="passed", left=3, made=1)
        control.put_off[first.id] = left
        outbox.put("tr_1", 1, left)
        workers[0].held["tr_1", 1].clear()
        claims.wake("tr_1")
        work = await claims.claim(workers[1], Claim("", "", "tr_1", 1, 5, parts=()), order())
        assert work.parts == ((first.id, 1, 1, 0),), "held is the part before, until its result is taken"
        assert workers[1].parts["tr_1", 1] == {first.id: 1}
        claims.wake("tr_1")
        assert not (await claims.claim(workers[0], Claim("", "", "tr_1", 1, 5, parts=()), order())).baselines
        await uplink.close()
