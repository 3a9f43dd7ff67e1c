"""Results are sent in order and again until accepted; a stale answer is told."""

import asyncio

import pytest
from tests.node.loop import run, until

from gatecrash.core.testing.policy import DEFAULT
from gatecrash.fakes.control_plane import TOKEN, ControlPlane
from gatecrash.node.session import Session
from gatecrash.node.test import outbox as outbox_module
from gatecrash.node.test.outbox import Outbox
from gatecrash.node.uplink import HELLO, Uplink
from gatecrash.wire.session import Config, Hello, RunOrder, Welcome
from gatecrash.wire.work import Accepted, Result, Results

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


class Slow:
    """A control plane that takes its time over each message. messages: what each held."""

    def __init__(self) -> None:
        self.messages: list[list[str]] = []

    async def call(self, _end: object, message: Results, _expected: object) -> Accepted:
        """Take it, and let others come meanwhile."""
        self.messages.append([result.baseline_id for result in message.results])
        await asyncio.sleep(0.02)
        return Accepted()


@run
async def test_the_first_result_is_told_at_once_and_what_ends_shortly_after_is_gathered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each would cost the service a message of its own. So long a while cannot pass by chance."""
    monkeypatch.setattr(outbox_module, "MOST_GATHERING", 300.0)
    monkeypatch.setattr(outbox_module, "SHARE_GATHERING", 1_000_000)
    outbox, session, slow = Outbox(lambda *_: None), Session(), Slow()
    session.set(Welcome(node_id="node_1", session="s", client_id="cl_1", config=Config(version=1)))
    sending = asyncio.ensure_future(outbox.send_always(slow, session))
    outbox.put("tr_1", 1, final("bl_1"))
    await outbox.drained()
    for number in range(2, 6):
        outbox.put("tr_1", 1, final(f"bl_{number}"))
        await asyncio.sleep(0)
    assert slow.messages == [["bl_1"]]
    await outbox.send(slow, session)
    assert slow.messages == [["bl_1"], ["bl_2", "bl_3", "bl_4", "bl_5"]]
    sending.cancel()
