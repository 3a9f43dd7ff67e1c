"""A testing process does what its main process says, and hands over what it found before it ends."""

import asyncio
import socket
from pathlib import Path

from tests.node.loop import run
from tests.node.test.test_runner import OK, order

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.baseline import Baseline
from gatecrash.fakes.raw_server import RawServer
from gatecrash.node.children import channel_at
from gatecrash.node.processes.lane import Lane
from gatecrash.node.processes.messages import (
    Begin,
    Call,
    End,
    Far,
    Letter,
    Met,
    Reply,
    Taught,
    Told,
    Wake,
    decoder,
)
from gatecrash.node.test.bounds import Bounds
from gatecrash.node.uplink import ACQUAINT, CLAIM
from gatecrash.wire import codec
from gatecrash.wire.work import Accepted, Acquainted, Claim, Result, Results, Work


@run
async def test_a_lane_claims_tests_reports_and_ends(tmp_path: Path) -> None:
    async with RawServer().answering(OK) as target:
        ours, theirs = socket.socketpair()
        channel = await channel_at(ours.detach(), decoder)
        begin = Begin(0, str(tmp_path), Bounds(workers=2), None, 0.0)
        inner = await channel_at(theirs.detach(), decoder)
        lane = asyncio.ensure_future(Lane(inner, begin).run())
        request = Request("GET", b"/?q=1", ((b"Host", b"x"),), b"", "http", "127.0.0.1", target.port)
        baseline = Baseline("bl_1", Exchange(request, Response(200, body=b"ok")))
        channel.post(Taught((("header", "X-OWN"),), ()))
        channel.post(Told((order(),), None))
        came: list[Letter] = []
        results: list[Result] = []
        async for letter in channel.letters():
            came.append(letter)
            match letter:
                case Call(path=path, message=message) if path == CLAIM:
                    held = codec.decode(message, Claim).holding
                    work = Work() if results or held else Work((baseline,))
                    channel.post(Reply(letter.number, codec.encode(work)))
                case Call(path=path) if path == ACQUAINT:
                    channel.post(Reply(letter.number, codec.encode(Acquainted())))
                case Call():
                    results += codec.decode(letter.message, Results).results
                    channel.post(Reply(letter.number, codec.encode(Accepted())))
                    channel.post(Wake("tr_1"))
                    channel.post(End())
        await lane
        await channel.close()
        assert [(one.baseline_id, one.status) for one in results] == [("bl_1", "passed")]
        assert any(isinstance(letter, Met) and letter.exchange.request == request for letter in came)
        said = [far for letter in came if isinstance(letter, Far) for far in letter.runs]
        assert said[-1].sent == results[0].sent == len(target.received)


@run
async def test_a_refusal_is_tried_again(tmp_path: Path) -> None:
    ours, theirs = socket.socketpair()
    channel = await channel_at(ours.detach(), decoder)
    inner = await channel_at(theirs.detach(), decoder)
    lane = asyncio.ensure_future(Lane(inner, Begin(0, str(tmp_path), Bounds(workers=1), None, 0.0)).run())
    channel.post(Told((order(),), None))
    asked = 0
    async for letter in channel.letters():
        if isinstance(letter, Call):
            asked += 1
            channel.post(Reply(letter.number, b"", "The control plane answered 503.", 0.01))
            if asked == 2:
                break
    await channel.close()
    await lane
