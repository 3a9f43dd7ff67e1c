"""Counts are written, sent, and dropped only when acknowledged; no value leaves."""

import asyncio
from pathlib import Path

import pytest
from tests.node.loop import run

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.fakes.control_plane import TOKEN, ControlPlane
from gatecrash.node.observe.folding import Folding
from gatecrash.node.observe.observations import Observation
from gatecrash.node.session import Session
from gatecrash.node.spool import Spool
from gatecrash.node.uplink import HELLO, Uplink
from gatecrash.wire import codec
from gatecrash.wire.session import Config, Hello, Welcome


def seen(value: bytes) -> Observation:
    request = Request("GET", b"/a?secret_name=" + value, ((b"X-Mine", value),), host="h")
    return Observation(Exchange(request, Response(200), started=7200.0), whole=True)


@run
async def test_a_batch_is_sent_again_with_its_number_until_it_is_taken(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    folding = Folding(spool)
    folding.configure(Config(3, (("header", "X-MINE"), ("no such", "place"))))
    folding.add([seen(b"value-of-mine")] * 5)
    await folding.write()
    await folding.write()
    async with ControlPlane() as control:
        uplink, session = Uplink(control.api, TOKEN), Session()
        control.down = True
        sending = asyncio.ensure_future(folding.send(uplink, session))
        control.down = False
        session.set(await uplink.call(HELLO, Hello("n", "native", "1", spool.name), Welcome))
        await sending
        assert await spool.run(lambda: spool.counts(10)) == []
        [(name, batch)] = control.counts.items()
        assert name == (spool.name, 1)
        [row] = batch.endpoints
        assert (row.hour, row.requests, row.authenticated, row.refused, row.statuses) == (2, 5, 5, 0, ((2, 5),))
        assert (row.parameters[0].type, row.parameters[0].point) == ("api_key", ("header", "X-MINE"))
        assert b"value-of-mine" not in codec.encode(batch)
        await uplink.close()
    spool.close()


@run
async def test_an_exchange_that_breaks_the_folding_costs_itself_only(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    spool = Spool(tmp_path)
    folding = Folding(spool)
    odd = Observation(Exchange(Request("GET", b"/a", ((b"Authorization", None),), host="h"), Response(200)), whole=True)  # type: ignore[arg-type]
    folding.add([seen(b"1"), odd, *[seen(b"2")] * 4])
    await folding.write()
    [batch] = await spool.run(lambda: spool.counts(10))
    assert batch.endpoints[0].requests == 5
    assert "exchange not counted" in caplog.messages
    spool.close()
