"""A bad target costs its baseline an error with its reason, and nothing else: whole checks over the real sender."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from tests.node.loop import run
from tests.node.test.sending import OK, get, sending

from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.message import Exchange, Response
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.verdict import Outcome
from gatecrash.fakes.raw_server import RawServer
from gatecrash.node.session import Lifeline
from gatecrash.node.test.traffic import Tally, Traffic
from gatecrash.node.test.trial import Trial
from gatecrash.wire.session import RunOrder
from gatecrash.wire.work import Result


async def _hang(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await asyncio.Event().wait()


async def _drop(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.readuntil(b"\r\n\r\n")
    writer.transport.abort()


async def _endless(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.readuntil(b"\r\n\r\n")
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % (10 * 1024**3))
    while not writer.transport.is_closing():
        writer.write(bytes(1 << 16))
        await writer.drain()


async def _loop(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while True:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 0\r\n\r\n")


async def _break(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.readuntil(b"\r\n\r\n")
    writer.write(b"\x00\x01 this is no HTTP\r\n\r\n")


async def _cut(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.readuntil(b"\r\n\r\n")
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this")
    await writer.drain()
    writer.close()


async def _tried(bad: RawServer, good: RawServer) -> tuple[Result, Result]:
    """Both baselines with the whole of the default checks, at once, over real connections."""
    lifeline = Lifeline()
    lifeline.heard(asyncio.get_running_loop().time())
    order = RunOrder(
        run_id="tr_1", generation=1, record_id="r", recording=False, sending=True, policy=DEFAULT, marker_key=b"k" * 32
    )
    async with sending(first_byte=0.3, total=0.6, read=1 << 20, keep=1 << 18) as sender:
        traffic = Traffic(order, sender, lifeline, Tally(1))

        async def tried(server: RawServer) -> Result:
            baseline = Baseline(f"bl_{server.port}", Exchange(get(server, b"/?q=1"), Response(200, body=b"ok")))
            return await Trial(baseline, order, traffic, compile_recogniser()).run(lambda _: None)

        return await asyncio.gather(tried(bad), tried(good))


@pytest.mark.parametrize(
    ("talk", "detail"),
    [
        (_hang, "answer in time"),
        (_drop, "without an answer"),
        (_endless, ""),
        (_break, "HTTP"),
        (_cut, ""),
    ],
)
@run
async def test_a_bad_target_costs_its_baseline_an_error_with_its_reason_and_nothing_else(
    talk: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Coroutine[Any, Any, None]], detail: str
) -> None:
    async with RawServer(talk) as bad, RawServer().answering(OK) as good:
        broken, sound = await _tried(bad, good)
    assert (broken.status, broken.reason) == ("error", "connection_failed"), broken
    assert broken.detail
    assert detail in broken.detail
    assert not [verdict for verdict in broken.verdicts if verdict.outcome is Outcome.VULNERABLE]
    assert sound.status == "passed"


@run
async def test_a_redirect_that_leads_to_itself_is_an_answer_and_is_never_followed() -> None:
    async with RawServer(_loop) as bad, RawServer().answering(OK) as good:
        looping, sound = await _tried(bad, good)
    assert looping.sent <= 100
    assert not [verdict for verdict in looping.verdicts if verdict.outcome is Outcome.VULNERABLE]
    assert sound.status == "passed"
