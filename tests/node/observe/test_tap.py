"""The tap with real sockets on both sides: traffic passes unchanged, is copied, and no side can hurt the other."""

import asyncio
import base64
import shutil
import socket
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
from tests.node.loop import run, until

from gatecrash.core.errors import UserError
from gatecrash.core.message import Exchange
from gatecrash.fakes.raw_server import RawServer
from gatecrash.node.observe.observations import Observation, Observations
from gatecrash.node.observe.route import Origin
from gatecrash.node.observe.tap import Tap, TapSettings

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


class Client:
    """A raw client of the tap."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    async def ask(self, raw: bytes) -> bytes:
        self.writer.write(raw)
        await self.writer.drain()
        return await self.answer()

    async def answer(self) -> bytes:
        """One answer with a Content-Length or without a body, exactly."""
        head = await self.reader.readuntil(b"\r\n\r\n")
        for line in head.split(b"\r\n"):
            if line.lower().startswith(b"content-length:"):
                return head + await self.reader.readexactly(int(line.split(b":")[1]))
        return head


@asynccontextmanager
async def tapping(upstream: RawServer | None = None, **settings: Any) -> AsyncIterator[Tap]:
    origin = Origin("http", "127.0.0.1", upstream.port) if upstream else None
    observations = settings.pop("observations", None) or Observations()
    tap = Tap(TapSettings(port=0, upstream=origin, **settings), observations)
    await tap.start()
    try:
        yield tap
    finally:
        await tap.close()


@asynccontextmanager
async def client_of(tap: Tap) -> AsyncIterator[Client]:
    reader, writer = await asyncio.open_connection("127.0.0.1", tap.port)
    try:
        yield Client(reader, writer)
    finally:
        writer.close()


async def seen(tap: Tap, count: int = 1) -> list[Observation]:
    found: list[Observation] = []
    while len(found) < count:
        found += await tap.observations.take()
    return found


async def exchange(tap: Tap) -> Exchange:
    return (await seen(tap))[0].exchange


@run
async def test_forward_the_request_passes_unchanged_but_for_its_hop() -> None:
    async with RawServer().answering(OK) as server, tapping() as tap, client_of(tap) as client:
        authority = f"127.0.0.1:{server.port}".encode()
        answer = await client.ask(
            b"GET http://" + authority + b"//a/%2e./?q=\xff\"'<>&&=#f HTTP/1.1\r\n"
            b"hOsT: other\r\nX-A: 1\r\nx-a: 2\r\nProxy-Connection: keep-alive\r\nConnection: X-Hop, close, host\r\n"
            b"X-Hop: 1\r\nTE: trailers\r\nX-A:  3 \r\nProxy-Authorization: Basic eDp5\r\nKeep-Alive: 5\r\n\r\n"
        )
        assert answer == b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok"
        assert await client.reader.read() == b""
        assert server.received == [
            b"GET //a/%2e./?q=\xff\"'<>&&=#f HTTP/1.1\r\nhOsT: " + authority + b"\r\nX-A: 1\r\nx-a: 2\r\nX-A: 3\r\n\r\n"
        ]
        request = (await exchange(tap)).request
        assert request.target == b"//a/%2e./?q=\xff\"'<>&&=#f"
        assert (request.host, request.port, request.scheme) == ("127.0.0.1", server.port, "http")
        assert request.headers == ((b"hOsT", authority), (b"X-A", b"1"), (b"x-a", b"2"), (b"X-A", b"3"))


@run
async def test_the_exchange_holds_both_bodies_and_the_connections_name() -> None:
    async with RawServer().answering(OK) as server, tapping(server) as tap, client_of(tap) as client:
        for body in (b"one", b"two"):
            await client.ask(b"POST /x HTTP/1.1\r\nHost: a.example\r\nContent-Length: 3\r\n\r\n" + body)
        first, second = await seen(tap, 2)
        assert first.whole
        assert [first.exchange.request.body, second.exchange.request.body] == [b"one", b"two"]
        assert first.exchange.response is not None
        assert (first.exchange.response.status, first.exchange.response.body) == (200, b"ok")
        assert first.exchange.connection == second.exchange.connection != ""
        assert first.exchange.elapsed is not None
        assert server.connections == 1


@pytest.mark.parametrize(
    ("host", "passed"), [(b"api.example.com", b"api.example.com"), (b"127.0.0.1:1", None), (b"localhost", None)]
)
@run
async def test_reverse_a_host_that_means_the_proxy_becomes_the_upstreams(host: bytes, passed: bytes | None) -> None:
    async with RawServer().answering(OK) as server, tapping(server) as tap, client_of(tap) as client:
        await client.ask(b"GET / HTTP/1.1\r\nHost: " + host + b"\r\n\r\n")
        expected = passed or f"127.0.0.1:{server.port}".encode()
        assert server.received == [b"GET / HTTP/1.1\r\nHost: " + expected + b"\r\n\r\n"]


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
async def test_a_client_of_http_1_0_gets_no_chunks() -> None:
    raw = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
    async with RawServer().answering(raw) as server, tapping(server) as tap, client_of(tap) as client:
        client.writer.write(b"GET / HTTP/1.0\r\n\r\n")
        assert await client.reader.read() == b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nabc"
        assert server.received[0].startswith(b"GET / HTTP/1.1\r\nHost: 127.0.0.1")


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


async def _closed_port() -> int:
    async with RawServer().answering(OK) as server:
        return server.port


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


@run
async def test_a_thousand_connections_are_held_at_once() -> None:
    release = asyncio.Event()

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await server.read_request(reader)
        await release.wait()
        writer.write(OK)
        await writer.drain()

    server = RawServer(talk)
    async with server, tapping(server) as tap:
        clients = [await asyncio.open_connection("127.0.0.1", tap.port) for _ in range(1000)]
        for _, writer in clients:
            writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        await until(lambda: len(server.received) == 1000)
        release.set()
        answers = await asyncio.gather(*(reader.readexactly(len(OK)) for reader, _ in clients))
        assert set(answers) == {OK}
        for _, writer in clients:
            writer.close()


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
async def test_a_request_to_the_proxy_itself_is_noticed() -> None:
    async with tapping() as tap, client_of(tap) as client:
        answer = await client.ask(b"GET http://127.0.0.1:%d/ HTTP/1.1\r\nHost: x\r\n\r\n" % tap.port)
        assert answer.startswith(b"HTTP/1.1 508 ")


@run
async def test_with_credentials_only_who_shows_them_passes_and_they_go_no_further() -> None:
    async with RawServer().answering(OK) as server, tapping(credentials="me:secret") as tap:
        line = b"GET http://127.0.0.1:%d/ HTTP/1.1\r\nHost: x\r\n" % server.port
        async with client_of(tap) as client:
            assert (await client.ask(line + b"\r\n")).startswith(b"HTTP/1.1 407 ")
            wrong = base64.b64encode(b"me:wrong")
            assert (await client.ask(line + b"Proxy-Authorization: Basic " + wrong + b"\r\n\r\n")).startswith(
                b"HTTP/1.1 407 "
            )
            right = base64.b64encode(b"me:secret")
            assert await client.ask(line + b"Proxy-Authorization: basic " + right + b"\r\n\r\n") == OK
        assert b"secret" not in server.received[0]
        assert b"Proxy-Authorization" not in server.received[0]


def test_an_open_proxy_off_loopback_is_refused() -> None:
    with pytest.raises(UserError, match="could be used by anybody"):
        Tap(TapSettings(host="0.0.0.0"), Observations())
    Tap(TapSettings(host="0.0.0.0", credentials="a:b"), Observations())
    Tap(TapSettings(host="0.0.0.0", upstream=Origin("http", "a", 1)), Observations())


@run
async def test_observers_that_are_too_slow_lose_observations_and_never_traffic() -> None:
    observations = Observations(max_waiting=2)
    async with RawServer().answering(OK) as server, tapping(server, observations=observations) as tap:
        async with client_of(tap) as client:
            for _ in range(5):
                assert await client.ask(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n") == OK
        assert observations.dropped == 3


@run
async def test_httpx_works_through_both_kinds_of_proxy() -> None:
    async with RawServer().answering(OK) as server, tapping() as forward, tapping(server) as reverse:
        url = f"http://127.0.0.1:{server.port}/x"
        async with httpx.AsyncClient(proxy=f"http://127.0.0.1:{forward.port}", trust_env=False) as client:
            assert [(await client.post(url, json={"a": 1})).text for _ in range(3)] == ["ok"] * 3
        async with httpx.AsyncClient(trust_env=False) as client:
            assert (await client.get(f"http://127.0.0.1:{reverse.port}/x")).text == "ok"


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
@run
async def test_curl_works_through_the_proxy() -> None:
    async with RawServer().answering(OK) as server, tapping() as tap:
        curl = await asyncio.create_subprocess_exec(
            *("curl", "-s", "-x", f"http://127.0.0.1:{tap.port}", "--noproxy", "", "--http2"),
            *("-d", "x" * 5000, "-H", "Expect: 100-continue", "--expect100-timeout", "0.1"),
            *(f"http://127.0.0.1:{server.port}/a", f"http://127.0.0.1:{server.port}/b"),
            stdout=asyncio.subprocess.PIPE,
        )
        out, _ = await curl.communicate()
        assert (curl.returncode, out) == (0, b"okok")
        assert len(server.received) == 2
