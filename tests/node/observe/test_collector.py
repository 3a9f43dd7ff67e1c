"""The collector answers at once, and what it received is counted: bounded, guarded, and never at the proxy's cost."""

import asyncio

import pytest
from tests.node.loop import run, until
from tests.node.observe.collecting import MIRROR, collecting, sender, taken

from gatecrash.core.errors import UserError
from gatecrash.node.observe import collector as module
from gatecrash.node.observe.collector import Collector, CollectorSettings
from gatecrash.node.observe.observations import Observations


@run
async def test_a_mirrored_request_is_answered_and_observed_without_an_answer() -> None:
    async with collecting() as collector, sender(collector) as client:
        assert await client.ask(MIRROR) == b"HTTP/1.1 204 No Content\r\n\r\n"
        [exchange] = await taken(collector, 1)
        assert exchange.response is None
        assert (exchange.request.method, exchange.request.url) == ("PUT", "https://api.example.com/a?b=1")
        assert exchange.request.first(b"authorization") == b"Bearer abcdefgh"


@run
async def test_the_answer_does_not_wait_for_the_reading() -> None:
    """Garbage is answered like a request, since nobody has read it yet."""
    async with collecting() as collector, sender(collector) as client:
        assert (await client.ask(b"GET / HTTP/1.1\r\nno colon here\r\n\r\n")).startswith(b"HTTP/1.1 204 ")
        await until(lambda: collector.unread == 1)


@run
async def test_what_waits_to_be_read_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_WAITING", 10)
    async with collecting() as collector, sender(collector) as client:
        client.writer.write(MIRROR * 50)
        for _ in range(50):
            await client.answer()
        assert collector.dropped >= 1
        assert len(await taken(collector, 50 - collector.dropped)) == 50 - collector.dropped


@run
async def test_what_finds_the_observers_too_far_behind_is_dropped_and_counted() -> None:
    async with collecting(observations=Observations(max_bytes=len(MIRROR))) as collector, sender(collector) as client:
        await client.ask(MIRROR)
        await client.ask(MIRROR)
        await until(lambda: collector.dropped == 1)


@run
async def test_a_request_that_is_mirrored_again_at_a_redirect_is_counted_once() -> None:
    named = [MIRROR.replace(b"\r\n\r\n", b"\r\nX-Original-Id: %b\r\n\r\n" % name) for name in (b"a", b"a", b"b")]
    async with collecting() as collector, sender(collector) as client:
        for raw in (*named, MIRROR, MIRROR):
            await client.ask(raw)
        found = await taken(collector, 4)
        assert not collector.observations.take_now()
        assert all(exchange.request.first(b"X-Original-Id") is None for exchange in found)


@run
async def test_without_the_key_nothing_is_counted() -> None:
    async with collecting(key="k3y") as collector, sender(collector) as client:
        await client.ask(MIRROR)
        await client.ask(MIRROR.replace(b"\r\n\r\n", b"\r\nX-Gatecrash-Key: wrong\r\n\r\n"))
        await until(lambda: collector.keyless == 2)
        await client.ask(MIRROR.replace(b"\r\n\r\n", b"\r\nX-Gatecrash-Key: k3y\r\n\r\n"))
        [exchange] = await taken(collector, 1)
        assert exchange.request.first(b"X-Gatecrash-Key") is None


@run
async def test_what_was_received_is_read_at_the_end() -> None:
    observations = Observations()
    async with collecting(observations=observations) as collector, sender(collector) as client:
        client.writer.write(MIRROR * 300)
        for _ in range(300):
            await client.answer()
    assert len(observations.take_now(1000)) == 300


@run
async def test_too_many_connections_are_turned_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_CONNECTIONS", 1)
    async with collecting() as collector, sender(collector) as client:
        await client.ask(MIRROR)
        async with sender(collector) as second:
            second.writer.write(MIRROR)
            with pytest.raises((asyncio.IncompleteReadError, ConnectionError)):
                await second.answer()
        assert await client.ask(MIRROR)


@run
async def test_who_never_ends_a_request_is_hung_up_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SWEEP_SECONDS", 0.01)
    monkeypatch.setattr(module, "UNFINISHED_SECONDS", 0.02)
    async with collecting() as collector, sender(collector) as quiet, sender(collector) as client:
        quiet.writer.write(b"GET / HT")
        with pytest.raises((asyncio.IncompleteReadError, ConnectionError)):
            await quiet.answer()
        assert await client.ask(MIRROR)


def test_off_loopback_a_key_is_needed() -> None:
    with pytest.raises(UserError, match="GATECRASH_COLLECTOR_KEY"):
        Collector(CollectorSettings(host="0.0.0.0"), Observations())
    Collector(CollectorSettings(host="0.0.0.0", key="k"), Observations())


@run
async def test_a_taken_port_is_named_with_the_way_out() -> None:
    async with collecting() as collector:
        other = Collector(CollectorSettings(port=collector.port), Observations())
        with pytest.raises(UserError, match="--collector-listen"):
            await other.start()
