"""Baselines are named, on disk before they count, sent for the right run, and dropped when stored."""

from pathlib import Path

import pytest
from tests.node.loop import run

from gatecrash.core.inventory.marker import MARKER_HEADER, sign_marker
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.selection.replay import MAX_KEPT_ANSWER
from gatecrash.fakes.control_plane import TOKEN, ControlPlane
from gatecrash.node.observe.observations import Observation
from gatecrash.node.session import Session
from gatecrash.node.spool import Spool
from gatecrash.node.test.recorder import Recorder, is_recordable, new_id, trimmed
from gatecrash.node.uplink import HELLO, Uplink
from gatecrash.wire.session import Hello, RunOrder, Welcome

KEY = b"k" * 32


def order(run_id: str, *, recording: bool = True) -> RunOrder:
    return RunOrder(
        run_id=run_id, generation=1, record_id="rec_" + run_id, recording=recording, sending=False, policy=DEFAULT
    )


def seen(
    method: str = "GET", status: int = 200, headers: tuple[tuple[bytes, bytes], ...] = (), *, whole: bool = True
) -> Observation:
    return Observation(Exchange(Request(method, b"/", headers, host="h"), Response(status)), whole)


MARKED = ((MARKER_HEADER, sign_marker(KEY, "tr_1", "n")),)
PREFLIGHT = ((b"Access-Control-Request-Method", b"PUT"),)


@pytest.mark.parametrize(
    ("observation", "taken"),
    [
        (seen(), True),
        (seen("OPTIONS"), True),
        (seen(status=500), True),
        (seen("OPTIONS", headers=PREFLIGHT), False),
        (seen(headers=MARKED), False),
        (seen(headers=((MARKER_HEADER, b"1.tr_1.n.forged"),)), True),
        (seen(status=101), False),
        (seen(status=101, headers=((b"Upgrade", b"websocket"),)), True),
        (seen(status=101, headers=((b"Upgrade", b"h2c"),)), False),
        (seen(whole=False), False),
        (Observation(Exchange(Request("GET", b"/")), whole=True), False),
    ],
)
def test_what_can_be_tested_is_recorded(observation: Observation, taken: bool) -> None:
    assert is_recordable(observation, {"tr_1": KEY}) is taken


def test_an_answer_is_kept_as_far_as_it_is_compared() -> None:
    big = Exchange(Request("GET", b"/"), Response(200, body=b"x" * (MAX_KEPT_ANSWER + 1)))
    response = trimmed(big).response
    assert response is not None
    assert (len(response.body), response.truncated, response.size) == (MAX_KEPT_ANSWER, True, MAX_KEPT_ANSWER + 1)


def test_identifiers_are_shaped_and_differ() -> None:
    names = {new_id() for _ in range(100)}
    assert len(names) == 100
    assert all(name.startswith("bl_") and len(name) == 29 for name in names)


@run
async def test_each_run_gets_its_baselines_and_the_spool_is_empty_afterwards(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    told: list[str] = []
    recorder = Recorder(spool, told.append)
    assert await recorder.take([seen()]) == 0
    recorder.obey([order("tr_1"), order("tr_2"), order("tr_3", recording=False)], {"tr_1": KEY})
    assert [recorder.is_recording(each) for each in ("tr_1", "tr_2", "tr_3")] == [True, True, False]
    assert await recorder.take([seen(), seen(headers=MARKED), seen("POST")]) == 4
    assert (spool.waiting("tr_1"), spool.waiting("tr_2")) == (2, 2)
    async with ControlPlane() as control:
        uplink, session = Uplink(control.api, TOKEN), Session()
        session.set(await uplink.call(HELLO, Hello("n", "native", "1", spool.name), Welcome))
        await recorder.send(uplink, session)
        assert {run_id: len(stored) for run_id, stored in control.baselines.items()} == {"tr_1": 2, "tr_2": 2}
        await uplink.close()
    assert set(told) == {"tr_1", "tr_2"}
    assert spool.waiting("tr_1") == spool.waiting("tr_2") == 0
    spool.close()


@run
async def test_what_is_recorded_under_old_orders_waits_for_new_ones(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    recorder = Recorder(spool, lambda _: None)
    recorder.resume([order("tr_1"), order("tr_2")], {})
    assert await recorder.take([seen()]) == 2
    assert spool.baselines(10, 10**9) == []
    recorder.obey([order("tr_2"), order("tr_3")], {})
    await recorder.settle()
    assert [item.run_id for item in spool.baselines(10, 10**9)] == ["tr_2"]
    assert await recorder.take([seen()]) == 2
    assert len(spool.baselines(10, 10**9)) == 2
    spool.close()
