"""What the control plane gives to a node is divided among its processes, and never given twice."""

import asyncio
from contextlib import suppress

import msgspec
import pytest
from tests.node.loop import run
from tests.node.test.test_runner import OK, hold, order

from gatecrash.core.testing.extensions.source import Source
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.profiles.profile import AuthProfile, Placed, ProfileIdentity, Step
from gatecrash.fakes.control_plane import TOKEN, ControlPlane
from gatecrash.fakes.raw_server import RawServer
from gatecrash.node.processes.claims import Claims, stays_together
from gatecrash.node.processes.worker import Worker
from gatecrash.node.session import Session
from gatecrash.node.test.outbox import Outbox
from gatecrash.node.uplink import HELLO, Uplink
from gatecrash.wire.session import Hello, RunOrder, Welcome
from gatecrash.wire.work import Claim

LOGIN = Step(method="POST", url="/login")


def of_identity(**named: object) -> AuthProfile:
    identity = msgspec.structs.replace(ProfileIdentity(name="ann"), **named)
    return AuthProfile(id="prof_1", name="p", identities=(identity,))


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
        uplink, session = Uplink(control.api, TOKEN), Session()
        session.set(await uplink.call(HELLO, Hello("n", "native", "1", "sp"), Welcome))
        outbox = Outbox(lambda *_: None)
        workers = {lane: Worker(lane, None, None) for lane in range(2)}  # type: ignore[arg-type] # they are not spoken to
        claims = Claims(uplink, session, outbox, workers, most=5, processes=2)

        async def given(lane: int, run_id: str, *holding: str) -> list[str]:
            claim = Claim("", "", run_id, 1, 10, holding)
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
        uplink, session = Uplink(control.api, TOKEN), Session()
        session.set(await uplink.call(HELLO, Hello("n", "native", "1", "sp"), Welcome))
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
