"""A proxy in several processes is one proxy: one address, one stream of observations, and no process that cannot be missed."""

import asyncio
import os
import signal
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.node.loop import run, until
from tests.node.observe.intercepting import server_tls, trusting
from tests.node.observe.tapping import OK, Client
from tests.plain_http import PATIENCE

from gatecrash.core.errors import UserError
from gatecrash.core.message import Exchange
from gatecrash.fakes.raw_server import RawServer
from gatecrash.node.observe.observations import Observations
from gatecrash.node.observe.proxy_messages import Inside
from gatecrash.node.observe.proxy_processes import ProxyProcesses
from gatecrash.node.observe.route import Origin
from gatecrash.node.observe.tap import TapSettings
from gatecrash.node.tls.authority import CertificateAuthority

REQUEST = b"GET /%d HTTP/1.1\r\nHost: a.test\r\n\r\n"


@asynccontextmanager
async def proxying(
    upstream: RawServer | None = None, processes: int = 2, inside: Inside | None = None, **settings: Any
) -> AsyncIterator[ProxyProcesses]:
    origin = Origin("http", "127.0.0.1", upstream.port) if upstream else None
    proxy = ProxyProcesses(TapSettings(port=0, upstream=origin, **settings), Observations(), processes, inside)
    await proxy.start()
    try:
        yield proxy
    finally:
        await proxy.close()


async def asked(proxy: ProxyProcesses, number: int) -> bytes:
    """The answer over a connection of its own."""
    reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
    try:
        return await Client(reader, writer).ask(REQUEST % number)
    finally:
        writer.close()


async def seen(proxy: ProxyProcesses, count: int) -> list[Exchange]:
    found: list[Exchange] = []
    while len(found) < count:
        found += [each.exchange for each in await proxy.observations.take()]
    return found


def children() -> set[int]:
    """The processes of this one that proxy."""
    found = set[int]()
    for task in Path(f"/proc/{os.getpid()}/task").iterdir():
        for pid in (task / "children").read_text().split():
            if b"proxy_process" in Path(f"/proc/{pid}/cmdline").read_bytes():
                found.add(int(pid))
    return found


@run
async def test_connections_are_dealt_out_and_all_exchanges_come_to_one_place() -> None:
    async with RawServer().answering(OK) as server, proxying(server) as proxy:
        assert await asyncio.gather(*(asked(proxy, number) for number in range(40))) == [OK] * 40
        exchanges = await seen(proxy, 40)
        assert sorted(each.request.target for each in exchanges) == sorted(b"/%d" % number for number in range(40))
        names = {each.connection for each in exchanges}
        assert len(names) == 40
        assert {name.partition("-")[0] for name in names} == {"tap1", "tap2"}
        assert all(each.response is not None and each.response.body == b"ok" for each in exchanges)


@run
async def test_a_killed_process_is_replaced_and_the_address_stays() -> None:
    async with RawServer().answering(OK) as server, proxying(server, processes=1) as proxy:
        assert await asked(proxy, 1) == OK
        before = await seen(proxy, 1)
        (killed,) = children()
        os.kill(killed, signal.SIGKILL)
        # Connections wait on the socket, which this process holds too, for the next one.
        while True:
            try:
                assert await asked(proxy, 2) == OK
                break
            except (ConnectionError, asyncio.IncompleteReadError):
                continue  # taken by the one that was killed
        assert children() != {killed}
        after = await seen(proxy, 1)
        assert before[0].connection != after[0].connection


@run
async def test_what_was_under_way_at_the_end_is_told() -> None:
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await server.read_request(reader)
        await reader.read()

    server = RawServer(talk)
    async with server, proxying(server, processes=1) as proxy:
        _, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
        writer.write(REQUEST % 7)
        await until(lambda: len(server.received) == 1)
        await proxy.close()
        (left,) = proxy.observations.take_now()
        assert (left.exchange.request.target, left.exchange.response) == (b"/7", None)
        assert not children()
        writer.close()


@run
async def test_tls_is_opened_in_each_process_with_the_one_ca(tmp_path: Path) -> None:
    ca, other = tmp_path / "ca", tmp_path / "other"
    CertificateAuthority.open(ca)
    async with (
        RawServer(tls=server_tls(other, "http/1.1")).answering(OK) as server,
        proxying(inside=Inside.at(ca, ""), verify_tls=False) as proxy,
    ):
        trust = trusting(ca)
        for number in range(6):
            through = f"http://127.0.0.1:{proxy.port}"
            async with httpx.AsyncClient(proxy=through, verify=trust, trust_env=False, timeout=PATIENCE) as client:
                answer = await client.get(f"https://localhost:{server.port}/{number}")
                assert answer.text == "ok"
        exchanges = await seen(proxy, 6)
        told = {(each.request.scheme, each.request.target) for each in exchanges}
        assert told == {("https", b"/%d" % number) for number in range(6)}


@run
async def test_an_address_that_is_taken_is_told_and_not_shared() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        proxy = ProxyProcesses(TapSettings(port=taken.getsockname()[1]), Observations(), 2)
        with pytest.raises(UserError, match="Choose another port"):
            await proxy.start()


@run
async def test_a_ca_that_cannot_be_used_ends_the_start(tmp_path: Path) -> None:
    (tmp_path / "ca.pem").write_text("no certificate")
    (tmp_path / "ca.key").write_text("no key")
    proxy = ProxyProcesses(TapSettings(port=0), Observations(), 1, Inside.at(tmp_path, ""))
    with pytest.raises(UserError, match="did not start"):
        await proxy.start()
    assert not children()
