"""Results are sent in order and again until accepted; a stale answer is told."""

import asyncio

from tests.node.loop import run, until

from gatecrash.core.testing.policy import DEFAULT
from gatecrash.fakes.control_plane import TOKEN, ControlPlane
from gatecrash.node.session import Session
from gatecrash.node.test.outbox import Outbox
from gatecrash.node.uplink import HELLO, Uplink
from gatecrash.wire.session import Hello, RunOrder, Welcome
from gatecrash.wire.work import Result

ORDER = RunOrder(run_id="tr_1", generation=2, record_id="r", recording=False, sending=True, policy=DEFAULT)


def final(identifier: str) -> Result:
    return Result(baseline_id=identifier, final=True, status="passed")


@run
async def test_results_wait_for_the_control_plane_and_an_old_generation_is_told() -> None:
    stale: list[tuple[str, int]] = []
    outbox = Outbox(lambda run_id, generation: stale.append((run_id, generation)))
    async with ControlPlane() as control:
        control.orders = [ORDER]
        uplink, session = Uplink(control.api, TOKEN), Session()
        session.set(await uplink.call(HELLO, Hello("n", "native", "1", "sp"), Welcome))
        control.down = True
        outbox.put("tr_1", 1, final("bl_old"))
        outbox.put("tr_1", 2, final("bl_1"))
        outbox.put("tr_1", 2, final("bl_2"))
        sending = asyncio.ensure_future(outbox.send_always(uplink, session))
        await asyncio.sleep(0.05)
        assert outbox.holds("tr_1", 2) == {"bl_1", "bl_2"}
        control.down = False
        await outbox.drained()
        assert set(control.finals) == {"bl_1", "bl_2"}
        assert stale == [("tr_1", 1)]
        assert outbox.holds("tr_1", 2) == set()
        sending.cancel()
        await uplink.close()


@run
async def test_a_result_that_is_rejected_again_and_again_does_not_block_the_others() -> None:
    outbox = Outbox(lambda *_: None)
    async with ControlPlane() as control:
        control.orders = [ORDER]
        uplink, session = Uplink(control.api, TOKEN), Session()
        session.set(await uplink.call(HELLO, Hello("n", "native", "1", "sp"), Welcome))
        control.end_session()
        outbox.put("tr_1", 2, final("bl_1"))
        sending = asyncio.ensure_future(outbox.send_always(uplink, session))
        await outbox.drained()
        session.set(await uplink.call(HELLO, Hello("n", "native", "1", "sp"), Welcome))
        outbox.put("tr_1", 2, final("bl_2"))
        await until(lambda: "bl_2" in control.finals)
        assert "bl_1" not in control.finals
        sending.cancel()
        await uplink.close()
