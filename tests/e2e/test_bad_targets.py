"""A bad target costs its baseline an error with its reason, and nothing else: whole checks over the real sender."""

import asyncio
import math
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from tests.node.http2.speaking import Http2Server
from tests.node.loop import run
from tests.node.test.sending import OK, asking, http2_ok, sending

from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.message import Exchange, Response
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.verdict import Outcome
from gatecrash.fakes.raw_server import RawServer
from gatecrash.node.session import Lifeline
from gatecrash.node.test.connections.traffic import Tally, Traffic
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


def _to(location: bytes) -> bytes:
    return b"HTTP/1.1 302 Found\r\nLocation: %b\r\nContent-Length: 0\r\n\r\n" % location


def _looping(
    ways: tuple[bytes, ...],
) -> Callable[[asyncio.StreamReader, asyncio.StreamWriter], Coroutine[Any, Any, None]]:
    """Sends from each place to the next, and from the last to the first."""

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while head := await reader.readuntil(b"\r\n\r\n"):
            target = head.split(b" ")[1]
            writer.write(_to(ways[(ways.index(target) + 1) % len(ways)] if target in ways else ways[0]))

    return talk


async def _break(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.readuntil(b"\r\n\r\n")
    writer.write(b"\x00\x01 this is no HTTP\r\n\r\n")


async def _cut(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.readuntil(b"\r\n\r\n")
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this")
    await writer.drain()
    writer.close()


async def _tried(
    bad: RawServer, good: RawServer | Http2Server, recorded: Response | None = None, *, version: str = "1.1"
) -> tuple[Result, Result]:
    """Both baselines with the whole of the default checks, at once, over real connections."""
    lifeline = Lifeline(math.inf)
    lifeline.heard(asyncio.get_running_loop().time() + 3600)  # a busy machine may take longer than the silence allowed
    order = RunOrder(
        run_id="tr_1", generation=1, record_id="r", recording=False, sending=True, policy=DEFAULT, marker_key=b"k" * 32
    )
    async with sending(connect=2.0, first_byte=1.0, total=1.5, read=1 << 20, keep=1 << 18) as sender:
        traffic = Traffic(order, sender, lifeline, Tally(1))

        async def tried(port: int, answer: Response) -> Result:
            request = asking(port, target=b"/?q=1", version=version)
            baseline = Baseline(f"bl_{port}", Exchange(request, answer))
            return await Trial(baseline, order, traffic, compile_recogniser()).run(lambda _: None)

        ok = Response(200, body=b"ok")
        return await asyncio.gather(tried(bad.port, recorded or ok), tried(good.port, ok))


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


@pytest.mark.parametrize("ways", [(b"/?q=1",), (b"/a", b"/?q=1"), tuple(b"/%d" % number for number in range(20))])
@run
async def test_a_redirect_loop_costs_its_baseline_an_error_with_its_reason_and_nothing_else(
    ways: tuple[bytes, ...],
) -> None:
    async with RawServer(_looping(ways)) as bad, RawServer().answering(OK) as good:
        looping, sound = await _tried(bad, good)
    assert (looping.status, looping.reason) == ("error", "connection_failed"), looping
    assert looping.detail.startswith("redirect_loop: the target redirects without end: ")
    assert looping.sent <= 40
    assert sound.status == "passed"


@run
async def test_a_redirect_that_ends_is_an_answer() -> None:
    async def once(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while head := await reader.readuntil(b"\r\n\r\n"):
            writer.write(OK if head.startswith(b"GET /there ") else _to(b"/there"))

    async with RawServer(once) as server, RawServer().answering(OK) as good:
        redirected, sound = await _tried(server, good, Response(302, ((b"Location", b"/there"),)))
    assert (redirected.status, sound.status) == ("passed", "passed"), redirected


async def _http2_broken(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answers each connection with its settings and then with DATA on a stream that nobody opened."""
    await reader.readuntil(b"SM\r\n\r\n")
    writer.write(b"\x00\x00\x00\x04\x00\x00\x00\x00\x00")
    await reader.read(65536)
    writer.write(b"\x00\x00\x01\x00\x01\x00\x00\x00\x63x")
    await asyncio.Event().wait()


@pytest.mark.parametrize(
    ("talk", "detail"), [(_hang, "answer in time"), (_break, ""), (_cut, ""), (_http2_broken, "HTTP")]
)
@run
async def test_so_does_a_bad_target_that_was_recorded_in_http2(
    talk: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Coroutine[Any, Any, None]], detail: str
) -> None:
    async with RawServer(talk) as bad, Http2Server(http2_ok) as good:
        broken, sound = await _tried(bad, good, version="2")
    assert (broken.status, broken.reason) == ("error", "connection_failed"), broken
    assert detail in broken.detail
    assert not [verdict for verdict in broken.verdicts if verdict.outcome is Outcome.VULNERABLE]
    assert sound.status == "passed", sound
