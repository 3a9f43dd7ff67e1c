"""TLS over a connection whose first bytes were read already, on asyncio's loop and on uvloop's."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
import uvloop
from tests.node.loop import until
from tests.node.observe.intercepting import server_tls, trusting

from gatecrash.node.observe.tunnel import TunnelEnd
from gatecrash.node.tls.handing import serve_tls


@pytest.mark.parametrize("loop", [asyncio.new_event_loop, uvloop.new_event_loop], ids=["asyncio", "uvloop"])
def test_bytes_read_before_the_handshake_are_part_of_it(
    loop: Callable[[], asyncio.AbstractEventLoop], tmp_path: Path
) -> None:
    tls = server_tls(tmp_path)

    async def serve(outer: TunnelEnd) -> None:
        await until(lambda: bool(outer.held))
        end = TunnelEnd(set())
        assert outer.transport is not None
        inside = await serve_tls(outer.transport, end, tls, outer.take(), 5.0)
        await until(lambda: bool(end.held))
        inside.write(end.take().upper())

    async def talk() -> None:
        outer = TunnelEnd(set())
        server = await asyncio.get_running_loop().create_server(lambda: outer, "127.0.0.1", 0)
        async with server:
            port = server.sockets[0].getsockname()[1]
            serving = asyncio.ensure_future(serve(outer))
            reader, writer = await asyncio.open_connection(
                "127.0.0.1", port, ssl=trusting(tmp_path), server_hostname="localhost"
            )
            writer.write(b"hello")
            assert await reader.readexactly(5) == b"HELLO"
            await serving
            writer.transport.abort()
            outer.abort()
            await asyncio.sleep(0)

    with asyncio.Runner(loop_factory=loop) as runner:
        runner.run(asyncio.wait_for(talk(), 10))
