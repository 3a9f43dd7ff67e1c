"""The control plane in memory keeps what the real one keeps: once, under the present session and generation."""

import asyncio

import httpx
from tests.plain_http import PLAIN

from gatecrash.core.message import Exchange, Request
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.fakes.control_plane import TOKEN, ControlPlane
from gatecrash.wire import codec
from gatecrash.wire.counts import Counts
from gatecrash.wire.session import Heartbeat, Hello, Orders, RunOrder, Welcome
from gatecrash.wire.work import Accepted, Claim, Recorded, Result, Results, Stored, Work

ORDER = RunOrder(run_id="tr_1", generation=2, record_id="r", recording=True, sending=True, policy=DEFAULT)


async def _play() -> None:
    async with ControlPlane() as control, httpx.AsyncClient(**PLAIN) as client:

        async def post(path: str, message: object, token: str = TOKEN) -> httpx.Response:
            headers = {"X-Service-API-Token": token}
            return await client.post(control.api + "/v1/node/" + path, content=codec.encode(message), headers=headers)

        hello = Hello("n", "native", "1", "sp")
        assert (await post("hello", hello, token="wrong")).status_code == 401
        session = codec.decode((await post("hello", hello)).content, Welcome).session
        assert (await post("heartbeat", Heartbeat("n", "other", 0.0, 1))).status_code == 409
        control.orders = [ORDER]
        beat = await post("heartbeat", Heartbeat("n", session, 0.0, 0))
        orders = codec.decode(beat.content, Orders)
        assert (orders.runs, orders.config) == ((ORDER,), control.config)

        baseline = Baseline("bl_1", Exchange(Request("GET", b"/")))
        for _ in range(2):
            stored = await post("baselines", Recorded("n", session, "tr_1", "r", (baseline,)))
            assert codec.decode(stored.content, Stored).stored == ("bl_1",)
        assert len(control.baselines["tr_1"]) == 1

        async def claim(generation: int, *holding: str) -> Work:
            answer = await post("claim", Claim("n", session, "tr_1", generation, 5, holding))
            return codec.decode(answer.content, Work)

        assert (await claim(1)).stale
        assert (await claim(2)).baselines == (baseline,)
        assert (await claim(2, "bl_1")).baselines == ()

        for generation, stale in ((1, True), (2, False)):
            final = Result(baseline_id="bl_1", final=True, status="passed")
            answer = await post("results", Results("n", session, "tr_1", generation, (final,)))
            assert codec.decode(answer.content, Accepted).stale is stale
            assert ("bl_1" in control.finals) is not stale

        for _ in range(2):
            await post("counts", Counts("n", session, "sp", 7, ()))
        assert list(control.counts) == [("sp", 7)]
        control.down = True
        assert (await post("hello", hello)).status_code == 503


def test_it_speaks_the_protocol() -> None:
    asyncio.run(_play())
