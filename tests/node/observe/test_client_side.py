"""The client's side: one request after the other, whatever clients do."""

import asyncio
import socket
import struct

import pytest
from tests.node.loop import run, until
from tests.node.observe.tapping import OK, Client, client_of, exchange, seen, tapping

from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.inventory.heads import read_heads
from gatecrash.core.inventory.notes import SHARED_BY, NoteKind, Notes
from gatecrash.core.point import Point
from gatecrash.fakes.raw_server import RawServer


@run
async def test_pipelined_requests_are_answered_in_order() -> None:
    answers = [b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n" + bytes((65 + n,)) for n in range(5)]
    async with RawServer().answering(*answers) as server, tapping(server) as tap, client_of(tap) as client:
        client.writer.write(
            b"".join(b"POST /%d HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi" % n for n in range(5))
        )
        got = [await client.answer() for _ in range(5)]
        assert [raw[-1:] for raw in got] == [b"A", b"B", b"C", b"D", b"E"]
        assert [raw.split(b" ")[1] for raw in server.received] == [b"/0", b"/1", b"/2", b"/3", b"/4"]


@run
async def test_requests_with_the_same_headers_go_on_as_each_would_alone() -> None:
    lines = b"Host: localhost:1\r\nConnection: keep-alive, X-Hop\r\nX-Hop: 1\r\nX-Keep:  2 \r\n"
    async with RawServer().answering(OK) as server, tapping(server) as tap, client_of(tap) as client:
        for start, more in ((b"GET /1", b""), (b"GET /2", b""), (b"PUT /3", b"X: 3\r\n"), (b"DELETE /4", b"")):
            await client.ask(start + b" HTTP/1.1\r\n" + lines + more + b"\r\n")
        host = b"127.0.0.1:%d" % server.port
        sent = b" HTTP/1.1\r\nHost: " + host + b"\r\nX-Keep: 2\r\n"
        assert server.received == [
            b"GET /1" + sent + b"\r\n",
            b"GET /2" + sent + b"\r\n",
            b"PUT /3" + sent + b"X: 3\r\n\r\n",
            b"DELETE /4" + sent + b"\r\n",
        ]
        observed = [each.exchange.request for each in await seen(tap, 4)]
        assert [each.target for each in observed] == [b"/1", b"/2", b"/3", b"/4"]
        assert observed[0].headers == observed[1].headers == ((b"Host", host), (b"X-Keep", b"2"))
        assert server.connections == 1


@run
async def test_the_same_headers_before_a_forward_proxy_go_where_each_target_says() -> None:
    async with RawServer().answering(OK) as one, RawServer().answering(OK) as two, tapping() as tap:
        async with client_of(tap) as client:
            for server in (one, two, one):
                target = b"http://127.0.0.1:%d/x" % server.port
                assert await client.ask(b"GET " + target + b" HTTP/1.1\r\nHost: same\r\n\r\n") == OK
            answer = await client.ask(b"GET /x HTTP/1.1\r\nHost: same\r\n\r\n")
            assert answer.startswith(b"HTTP/1.1 400 ")
        assert (len(one.received), len(two.received)) == (2, 1)


@run
async def test_a_client_of_http_1_0_gets_no_chunks() -> None:
    raw = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
    async with RawServer().answering(raw) as server, tapping(server) as tap, client_of(tap) as client:
        client.writer.write(b"GET / HTTP/1.0\r\n\r\n")
        assert await client.reader.read() == b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nabc"
        assert server.received[0].startswith(b"GET / HTTP/1.1\r\nHost: 127.0.0.1")


@run
async def test_connect_is_tunnelled_blindly() -> None:
    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(100):
            writer.write(data.upper())
        writer.write(b"bye")
        await writer.drain()

    async with RawServer(echo) as server, tapping() as tap, client_of(tap) as client:
        client.writer.write(b"CONNECT 127.0.0.1:%d HTTP/1.1\r\nHost: x\r\n\r\nabc" % server.port)
        assert await client.reader.readuntil(b"\r\n\r\n") == b"HTTP/1.1 200 Connection established\r\n\r\n"
        assert await client.reader.readexactly(3) == b"ABC"
        client.writer.write_eof()
        assert await client.reader.read() == b"bye"


@run
async def test_an_early_answer_reaches_the_client_and_the_rest_of_the_upload_is_dropped() -> None:
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n")
        await reader.read()

    async with RawServer(talk) as server, tapping(server) as tap, client_of(tap) as client:
        head = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3000000\r\n\r\n"
        client.writer.write(head + b"x" * 3_000_000)
        assert (await client.answer()).startswith(b"HTTP/1.1 413 ")
        assert (await client.ask(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")).startswith(b"HTTP/1.1 413 ")


@run
async def test_an_answer_before_the_whole_request_is_seen_with_all_of_it() -> None:
    """What comes later, what breaks off and what breaks the rules are each seen once."""

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(OK)
        await reader.read()

    head = b"POST / HTTP/1.1\r\nHost: x\r\n"
    async with RawServer(talk) as server, tapping(server) as tap:
        for framing, rest, body in (
            (b"Content-Length: 12", b"access_token", b"access_token"),
            (b"Content-Length: 12", b"access", b"access"),
            (b"Transfer-Encoding: chunked", b"6\r\naccess\r\nno length", b"access"),
        ):
            async with client_of(tap) as client:
                client.writer.write(head + framing + b"\r\n\r\n")
                assert (await client.answer()).startswith(b"HTTP/1.1 200 ")
                client.writer.write(rest)
            (observed,) = await seen(tap)
            assert (observed.exchange.request.body, observed.whole) == (body, rest == body == b"access_token")
            assert observed.exchange.response is not None


@run
async def test_large_bodies_stream_and_are_copied_up_to_the_limit_only() -> None:
    size = 30 * 1024 * 1024

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        left = size
        while left:
            left -= len(await reader.read(min(left, 1 << 20)))
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % size)
        for _ in range(30):
            writer.write(b"y" * (1 << 20))
            await writer.drain()

    async with RawServer(talk) as server, tapping(server) as tap, client_of(tap) as client:

        async def upload() -> None:
            client.writer.write(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % size)
            for _ in range(30):
                client.writer.write(b"x" * (1 << 20))
                await client.writer.drain()

        await upload()
        assert len(await client.answer()) > size
        observed = (await seen(tap))[0]
        assert not observed.whole
        assert observed.exchange.response is not None
        assert (observed.exchange.response.truncated, observed.exchange.response.size) == (True, size)
        assert len(observed.exchange.response.body) <= 10 * 1024 * 1024


@run
async def test_a_client_that_resets_ends_the_upstream_request() -> None:
    left = asyncio.Event()

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await server.read_request(reader)
        try:
            await reader.read()
        finally:
            left.set()

    server = RawServer(talk)
    async with server, tapping(server) as tap:
        async with client_of(tap) as client:
            client.writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            await until(lambda: len(server.received) == 1)
            linger = struct.pack("ii", 1, 0)
            client.writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        await left.wait()
        assert (await exchange(tap)).response is None


@run
async def test_a_client_that_closes_its_direction_still_gets_its_answer() -> None:
    async with RawServer().answering(OK) as server, tapping(server) as tap, client_of(tap) as client:
        client.writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        client.writer.write_eof()
        assert (await client.reader.read()).endswith(b"\r\n\r\nok")


def _is_closed(client: Client) -> bool:
    """Whether the other end closed it; with what was sent meanwhile unread, the system says so by a reset."""
    return client.reader.at_eof() or client.reader.exception() is not None


@run
async def test_a_client_that_drips_its_head_is_let_go_and_one_that_asks_much_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("gatecrash.node.observe.client_side.HEAD_SECONDS", 0.3)
    async with RawServer().answering(OK) as server, tapping(server, sweep_seconds=0.01) as tap:
        async with client_of(tap) as busy, client_of(tap) as slow:
            slow.writer.write(b"GET / HTTP/1.1\r\n")
            dripped = 0
            while not _is_closed(slow) and dripped < 500:
                dripped += 1
                slow.writer.write(b"X: %d\r\n" % dripped)
                # Its heads come in two parts, and none of them takes long.
                busy.writer.write(b"GET /%d HTTP/1.1\r\n" % dripped)
                await asyncio.sleep(0.02)
                assert await busy.ask(b"Host: a\r\n\r\n") == OK
            assert _is_closed(slow)
            assert 10 < dripped < 500
        assert all(b"X:" not in raw for raw in server.received)


@pytest.mark.parametrize(
    ("raw", "status"),
    [
        (b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", b"400"),
        (b"nonsense\r\n\r\n", b"400"),
        (b"GET http://a/ HTTP/1.1\r\nHost : a\r\n\r\n", b"400"),
        (b"GET http://a/ HTTP/1.1\r\nA: 1\r\n 2\r\n\r\n", b"400"),
        (b"POST http://a/ HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", b"400"),
        (b"POST http://a/ HTTP/1.1\r\nContent-Length: +1\r\n\r\n", b"400"),
        (b"GET http://u:p@a/ HTTP/1.1\r\nHost: a\r\n\r\n", b"400"),
        (b"GET http://a:99999/ HTTP/1.1\r\nHost: a\r\n\r\n", b"400"),
        (b"GET http://a/ HTTP/1.1\r\nA: " + b"x" * 300_000 + b"\r\n\r\n", b"431"),
    ],
)
@run
async def test_what_is_no_request_for_a_proxy_is_refused(raw: bytes, status: bytes) -> None:
    async with tapping() as tap, client_of(tap) as client:
        assert (await client.ask(raw)).startswith(b"HTTP/1.1 " + status + b" ")


@run
async def test_header_lines_pass_byte_for_byte_each_way() -> None:
    answer = b"HTTP/1.1 200 Fine\r\nx-A:1\r\nX-a:  2\r\nContent-Length: 2\r\nSet-Cookie: a\r\nset-cookie: b\r\n\r\nok"
    async with RawServer().answering(answer) as server, tapping(server) as tap, client_of(tap) as client:
        asked = b"POST //a/%2e?x=<> HTTP/1.1\r\nx:1\r\nHOST:api.example.com\r\nX:   2\r\nContent-Length:2\r\n\r\nhi"
        assert await client.ask(asked) == answer
        assert server.received == [asked]
        observed = await exchange(tap)
        assert observed.request.headers[2] == (b"X", b"2")
        assert observed.response is not None
        assert observed.response.headers[1] == (b"X-a", b"2")


@run
async def test_a_secret_that_many_addresses_send_through_the_proxy_is_noted_as_shared() -> None:
    recogniser, notes, told = compile_recogniser(), Notes(), []
    async with RawServer().answering(*[OK] * SHARED_BY) as server, tapping(server) as tap:
        for number in range(1, SHARED_BY + 1):
            local = (f"127.0.0.{number}", 0)
            reader, writer = await asyncio.open_connection("127.0.0.1", tap.port, local_addr=local)
            writer.write(b"GET / HTTP/1.1\r\nHost: a\r\nX-API-Key: 9f8e7d6c5b4a\r\n\r\n")
            await reader.readexactly(len(OK))
            writer.close()
            observed = await exchange(tap)
            assert observed.client == f"127.0.0.{number}"
            request = observed.request
            told.append(notes.of(observed, read_heads(request.headers), recogniser.recognise(request)))
    assert told == [()] * (SHARED_BY - 1) + [((NoteKind.SHARED_SECRET, Point.of("header", "X-API-KEY")),)]
