"""What the answers to one baseline's tests say of the target as a whole ends them with its reason."""

import asyncio

import pytest
from tests.node.loop import run
from tests.node.test.trying import banning, passes, probe, tried

from gatecrash.core.message import Headers
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
