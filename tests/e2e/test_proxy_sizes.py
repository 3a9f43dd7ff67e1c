"""Bodies of any size stream through a node in bounded memory, and it holds a thousand connections at once."""

import asyncio
import json
import os
import ssl
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from tests.e2e.proxy_application import PIECE, Application
from tests.e2e.proxy_node import NodeProcess, running_node
from tests.node.http2.speaking import Call, Http2Server, Speaker, through_tunnel
from tests.node.loop import run, until
from tests.node.observe.intercepting import server_tls, trusting

MIB = 1024 * 1024
SIZE = 64 * MIB
GROWTH = 32 * MIB
CONNECTIONS = 1000
AT_ONCE = 50

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")


@asynccontextmanager
async def node_in(folder: Path) -> AsyncIterator[NodeProcess]:
    environment = {**os.environ, "SSL_CERT_FILE": str(folder / "app" / "ca.pem")}
    async with running_node(folder / "node", environment) as node:
        yield node


@asynccontextmanager
async def connected(
    node: NodeProcess, port: int, tls: ssl.SSLContext | None
) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """A client's connection to the proxy, or through its CONNECT in TLS."""
    reader, writer = await asyncio.open_connection("127.0.0.1", node.port, limit=MIB)
    try:
        if tls is not None:
            writer.write(f"CONNECT localhost:{port} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 200 ")
            await writer.start_tls(tls, server_hostname="localhost", ssl_handshake_timeout=30)
        yield reader, writer
    finally:
        writer.close()


async def answer_of(reader: asyncio.StreamReader) -> int:
    """Reads one answer and forgets it; gives its size."""
    head = await reader.readuntil(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200 "), head
    [size] = [int(line[15:]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")]
    left = size
    while left:
        piece = await reader.read(min(left, MIB))
        assert piece, "it ended in the middle"
        left -= len(piece)
    return size


@pytest.mark.parametrize("secure", [False, True], ids=["plain", "tls"])
@run
async def test_large_bodies_each_way_take_little_memory(tmp_path: Path, secure: bool) -> None:
    tls = server_tls(tmp_path / "app", "http/1.1")
    async with Application(tls if secure else None) as application, node_in(tmp_path) as node:
        client_tls = trusting(tmp_path / "node" / "spool") if secure else None
        async with connected(node, application.port, client_tls) as (reader, writer):
            base = b"" if secure else b"http://127.0.0.1:%d" % application.port
            writer.write(b"GET %b/json HTTP/1.1\r\nHost: x\r\n\r\n" % base)
            await answer_of(reader)  # what the first request loads is no growth
            node.forget_peak()
            before = node.memory()
            writer.write(b"POST %b/upload HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % (base, SIZE))
            for _ in range(SIZE // len(PIECE)):
                writer.write(PIECE)
                await writer.drain()
            head = await reader.readuntil(b"\r\n\r\n")
            size = int(head.rpartition(b"Content-Length: ")[2])
            assert json.loads(await reader.readexactly(size)) == {"size": SIZE}
            writer.write(b"GET %b/download/%d HTTP/1.1\r\nHost: x\r\n\r\n" % (base, SIZE))
            assert await answer_of(reader) == SIZE
            assert node.memory("VmHWM") - before < GROWTH


@run
async def test_large_bodies_in_http2_take_little_memory(tmp_path: Path) -> None:
    async def download(speaker: Speaker, stream: int, call: Call) -> None:
        speaker.h2.send_headers(stream, [(b":status", b"200")])
        await speaker.send(stream, bytes(SIZE if call.size else 2), end=True)

    tls = server_tls(tmp_path / "app", "h2")
    async with Http2Server(download, tls) as server, node_in(tmp_path) as node:
        caller = await through_tunnel(node.port, "localhost", server.port, trusting(node.ca.parent, "h2"))
        head = [(b":method", b"POST"), (b":scheme", b"https"), (b":path", b"/"), (b":authority", b"localhost")]
        _, call = caller.start(head, end=True)
        await call.done.wait()
        node.forget_peak()
        before = node.memory()
        stream, call = caller.start(head, end=False)
        await caller.speaker.send(stream, bytes(SIZE), end=True)
        await call.done.wait()
        assert (server.calls[-1].size, call.size, call.reset) == (SIZE, SIZE, None)
        assert node.memory("VmHWM") - before < GROWTH
        caller.speaker.transport.abort()


@pytest.mark.parametrize("secure", [False, True], ids=["plain", "tls"])
@run
async def test_a_thousand_connections_are_held_at_once(tmp_path: Path, secure: bool) -> None:
    """Each has a request under way, and all of them are answered."""
    tls = server_tls(tmp_path / "app", "http/1.1")
    async with Application(tls if secure else None) as application, node_in(tmp_path) as node:
        client_tls = trusting(tmp_path / "node" / "spool") if secure else None
        base = b"" if secure else b"http://127.0.0.1:%d" % application.port
        turns = asyncio.Semaphore(AT_ONCE)  # or the handshakes' own patience would be measured
        sizes: list[int] = []

        async def hold() -> None:
            async with turns:
                connection = connected(node, application.port, client_tls)
                reader, writer = await connection.__aenter__()
                writer.write(b"GET %b/hold HTTP/1.1\r\nHost: x\r\n\r\n" % base)
            sizes.append(await answer_of(reader))
            await connection.__aexit__(None, None, None)

        holding = [asyncio.ensure_future(hold()) for _ in range(CONNECTIONS)]
        await until(lambda: application.held == CONNECTIONS or any(one.done() for one in holding))
        assert application.held == CONNECTIONS
        application.release.set()
        await asyncio.gather(*holding)
        assert len(sizes) == CONNECTIONS
