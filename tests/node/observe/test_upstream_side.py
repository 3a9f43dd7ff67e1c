"""The application's side: every way of answering is passed on, every way of failing is told."""

import asyncio

import pytest
from tests.node.loop import run
from tests.node.observe.tapping import OK, client_of, exchange, tapping

from gatecrash.fakes.raw_server import RawServer


async def _closed_port() -> int:
    async with RawServer().answering(OK) as server:
        return server.port


@run
async def test_chunked_bodies_stay_chunked_with_their_trailers() -> None:
    raw = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: T\r\n\r\n3\r\nabc\r\n0\r\nT: v\r\n\r\n"
    async with RawServer().answering(raw) as server, tapping(server) as tap, client_of(tap) as client:
        client.writer.write(b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2;e=1\r\nhi\r\n0\r\n\r\n")
        assert await client.reader.readexactly(len(raw)) == raw
        assert server.received[0].endswith(b"Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n")
        observed = await exchange(tap)
        assert observed.request.body == b"hi"
        assert observed.response is not None
        assert observed.response.body == b"abc"


@run
async def test_head_and_no_content_keep_the_connection() -> None:
    answers = (b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n", b"HTTP/1.1 204 No Content\r\n\r\n", OK)
    async with RawServer().answering(*answers) as server, tapping(server) as tap, client_of(tap) as client:
        client.writer.write(b"HEAD / HTTP/1.1\r\nHost: a\r\n\r\n")
        assert await client.reader.readuntil(b"\r\n\r\n") == answers[0]
        assert await client.ask(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n") == answers[1]
        assert await client.ask(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n") == OK
        assert server.connections == 1


@run
async def test_100_continue_passes_both_ways() -> None:
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        assert b"Expect: 100-continue" in await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        assert await reader.readexactly(2) == b"hi"
        writer.write(OK)
        await writer.drain()

    async with RawServer(talk) as server, tapping(server) as tap, client_of(tap) as client:
        client.writer.write(b"PUT / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
        assert await client.reader.readuntil(b"\r\n\r\n") == b"HTTP/1.1 100 Continue\r\n\r\n"
        assert await client.ask(b"hi") == OK


@run
async def test_websocket_bytes_pass_through_in_both_directions() -> None:
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        assert b"Connection: Upgrade\r\n" in head
        assert b"Upgrade: websocket\r\n" in head
        assert b"Sec-WebSocket-Key: k\r\n" in head
        writer.write(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\nhello")
        writer.write(b"you said " + await reader.readexactly(5))
        await writer.drain()
        assert await reader.read() == b""

    async with RawServer(talk) as server, tapping(server) as tap, client_of(tap) as client:
        client.writer.write(
            b"GET /ws HTTP/1.1\r\nHost: a\r\nConnection: keep-alive, Upgrade\r\nUpgrade: websocket\r\n"
            b"Sec-WebSocket-Key: k\r\n\r\nearly"
        )
        assert b" 101 " in await client.reader.readuntil(b"\r\n\r\n")
        assert await client.reader.readexactly(19) == b"helloyou said early"
        observed = await exchange(tap)
        assert observed.response is not None
        assert observed.response.status == 101


@run
async def test_a_declined_upgrade_goes_on_as_http_and_h2c_is_not_offered() -> None:
    async with RawServer().answering(OK) as server, tapping(server) as tap, client_of(tap) as client:
        upgrade = b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: %b\r\nHTTP2-Settings: x\r\n\r\n"
        assert await client.ask(b"GET /1 HTTP/1.1\r\nHost: a\r\n" + upgrade % b"websocket") == OK
        assert await client.ask(b"GET /2 HTTP/1.1\r\nHost: a\r\n" + upgrade % b"h2c") == OK
        assert server.received[1] == b"GET /2 HTTP/1.1\r\nHost: a\r\n\r\n"


@run
async def test_an_application_that_is_not_there_is_a_502_with_a_sentence() -> None:
    port = await _closed_port()
    async with tapping() as tap, client_of(tap) as client:
        answer = await client.ask(b"GET http://127.0.0.1:%d/ HTTP/1.1\r\nHost: x\r\n\r\n" % port)
        assert answer.startswith(b"HTTP/1.1 502 Bad Gateway\r\n")
        assert b"could not be connected to" in answer
        assert (await exchange(tap)).response is None
        tunnel = await client.ask(b"CONNECT 127.0.0.1:%d HTTP/1.1\r\nHost: x\r\n\r\n" % port)
        assert tunnel.startswith(b"HTTP/1.1 502 ")


@pytest.mark.parametrize("raw", [b"", b"SSH-2.0-OpenSSH\r\n\r\n", b"HTTP/1.1 101 Surprise\r\n\r\n"])
@run
async def test_an_application_that_breaks_the_protocol_is_a_502(raw: bytes) -> None:
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await server.read_request(reader)
        writer.write(raw)
        await writer.drain()

    server = RawServer(talk)
    async with server, tapping(server) as tap, client_of(tap) as client:
        assert (await client.ask(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")).startswith(b"HTTP/1.1 502 ")


@run
async def test_an_application_that_never_answers_is_a_504() -> None:
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(100)
        await asyncio.Event().wait()

    settings = {"answer_seconds": 0.05, "sweep_seconds": 0.02}
    async with RawServer(talk) as server, tapping(server, **settings) as tap, client_of(tap) as client:
        assert (await client.ask(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")).startswith(b"HTTP/1.1 504 ")


@run
async def test_an_answer_that_breaks_off_is_seen_to_break_off() -> None:
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await server.read_request(reader)
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf")
        await writer.drain()

    server = RawServer(talk)
    async with server, tapping(server) as tap, client_of(tap) as client:
        client.writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        assert (await client.reader.read()).endswith(b"\r\n\r\nhalf")
        response = (await exchange(tap)).response
        assert response is not None
        assert (response.truncated, response.body, response.size) == (True, b"half", 10)


@run
async def test_a_client_that_does_not_read_stops_the_application() -> None:
    written = 0

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal written
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 10000000000\r\n\r\n")
        while True:
            writer.write(b"y" * 100_000)
            await writer.drain()
            written += 100_000

    async with RawServer(talk) as server, tapping(server) as tap, client_of(tap) as client:
        client.writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        before = -1
        while written != before:  # the kernel's buffers and ours fill up, then nothing moves
            before = written
            await asyncio.sleep(0.2)
        assert 0 < written < 40_000_000
