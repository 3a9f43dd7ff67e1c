"""The pool: connections are shared as far as they go, and none is left behind, whenever a request is given up."""

import asyncio
import gc
import warnings

import pytest
from tests.node.http2.speaking import Call, Http2Server, Speaker
from tests.node.loop import run
from tests.node.test.sending import OK, anywhere, asking, sending
from tests.node.test.sending import http2_ok as ok

from gatecrash.fakes.raw_server import RawServer
from gatecrash.node.test.connections.sender import Sender


@run
async def test_streams_share_a_connection_within_what_the_target_takes() -> None:
    most = 0

    async def slow(speaker: Speaker, stream: int, call: Call) -> None:
        nonlocal most
        most = max(most, speaker.h2.open_inbound_streams)
        await asyncio.sleep(0.01)
        await ok(speaker, stream, call)

    async with Http2Server(slow, streams=5) as server, sending() as sender:
        answers = await asyncio.gather(*(sender.send(asking(server.port, target=b"/%d" % n)) for n in range(60)))
        assert [answer.failure for answer in answers] == [""] * 60
        bodies = [answer.exchange.response.body for answer in answers if answer.exchange.response]
        assert bodies == [b"got /%d" % n for n in range(60)], "each stream gets its own answer"
        assert most == 5
        assert len(server.speakers) <= 12


@pytest.mark.parametrize("version", ["1.1", "2"])
@run
async def test_a_request_given_up_at_any_moment_leaves_no_connection_open(version: str) -> None:
    gc.freeze()  # or each collection would look through all that other tests left in this process
    async with RawServer().answering(OK) as old, Http2Server(ok) as new:
        port = old.port if version == "1.1" else new.port
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always", ResourceWarning)
            for turns in range(20):
                sender = Sender(anywhere())
                tasks = [asyncio.ensure_future(sender.send(asking(port, version=version))) for _ in range(4)]
                for _ in range(turns):
                    await asyncio.sleep(0)
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
                await sender.close()
                del sender, task, tasks
                gc.collect()
        assert [str(each.message) for each in warned] == []
    gc.unfreeze()


@run
async def test_one_that_waits_for_anothers_connection_survives_that_ones_end() -> None:
    async with Http2Server(ok) as server, sending() as sender:
        first, second = (asyncio.ensure_future(sender.send(asking(server.port))) for _ in range(2))
        await asyncio.sleep(0)
        first.cancel()
        assert (await second).failure == ""
        assert len(server.speakers) == 1
