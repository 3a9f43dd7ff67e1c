"""What the answers to one baseline's tests say of the target as a whole ends them with its reason."""

import asyncio

import msgspec
import pytest
from tests.node.loop import run
from tests.node.test.trying import banning, passes, probe, tried

from gatecrash.core.message import Headers
from gatecrash.core.testing.probe import Dialogue, Situation, TestRequest
from gatecrash.fakes.raw_server import RawServer
from gatecrash.node.test import bans


@run
async def test_a_target_that_bans_for_good_leaves_its_baselines_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bans, "PAUSES", (0.1,))
    monkeypatch.setattr(bans, "PATIENCE", 0.3)
    async with RawServer(banning(4, 1000.0)) as server:
        result, _, _ = await tried(server.port, [probe("auth", passes, asks=5)])
    assert (result.status, result.reason) == ("error", "connection_failed"), result
    assert result.detail.startswith("blocked"), result


@pytest.mark.parametrize("recorded_there", [False, True])
@run
async def test_a_target_that_sends_everything_on_to_another_origin_was_not_tested(recorded_there: bool) -> None:
    away = b"https://x.example/"

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while await reader.readuntil(b"\r\n\r\n"):
            writer.write(b"HTTP/1.1 301 Moved\r\nLocation: " + away + b"\r\nContent-Length: 0\r\n\r\n")

    async with RawServer(talk) as server:
        location: Headers = ((b"Location", away),) if recorded_there else ()
        result, _, _ = await tried(server.port, [probe("auth", passes)], recorded=301, answered=location)
    if recorded_there:
        assert result.status == "passed", result
    else:
        assert (result.status, result.reason) == ("error", "connection_failed"), result
        assert result.detail.startswith("moved: the target sends this on to https://x.example"), result


@run
async def test_a_test_that_leads_to_its_own_host_says_nothing_of_where_the_target_is() -> None:
    """An open redirect at the root sends any test on to the root of the test's host."""

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while head := await reader.readuntil(b"\r\n\r\n"):
            led_to = head.split(b" ")[1].partition(b"next=")[2]
            writer.write(b"HTTP/1.1 302 Found\r\nLocation: " + led_to + b"\r\nContent-Length: 0\r\n\r\n")

    def leads_away(situation: Situation) -> Dialogue:
        request = msgspec.structs.replace(situation.baseline.request, target=b"/?next=https://away.example/")
        yield TestRequest(request, "test")
        return passes(situation, None)

    async with RawServer(talk) as server:
        leading = msgspec.structs.replace(probe("auth", passes), run=leads_away)
        result, _, _ = await tried(
            server.port, [leading], path=b"/?next=/home", recorded=302, answered=((b"Location", b"/home"),)
        )
    assert result.status == "passed", result
