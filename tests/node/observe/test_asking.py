"""Requests go over the connection that is kept for them, or over a fresh one."""

import asyncio
from typing import Any

from tests.node.loop import run
from tests.node.observe.tapping import OK, client_of, tapping

from gatecrash.fakes.raw_server import RawServer


def _one_answer_each(server: RawServer) -> Any:
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await server.read_request(reader)
        writer.write(OK)
        await writer.drain()
        await server.read_request(reader)  # read, never answered

    return talk


@run
async def test_a_stale_upstream_connection_costs_a_get_nothing_and_a_post_a_502() -> None:
    server = RawServer()
    server._talk = _one_answer_each(server)
    async with server, tapping(server) as tap, client_of(tap) as client:
        for _ in range(3):
            assert await client.ask(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n") == OK
        refused = await client.ask(b"POST /pay HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n")
        assert refused.startswith(b"HTTP/1.1 502 ")
        assert sum(raw.startswith(b"POST") for raw in server.received) == 1


@run
async def test_a_body_that_comes_while_the_connection_is_made_is_sent_behind_its_head() -> None:
    async with RawServer().answering(OK) as server, tapping(server) as tap, client_of(tap) as client:
        assert await client.ask(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi") == OK
        assert server.received == [b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi"]
