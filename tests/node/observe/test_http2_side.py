"""HTTP/2 through the proxy: every stream an exchange, gRPC's trailers unchanged, memory bounded, ends told."""

import asyncio
import shutil
from pathlib import Path

import httpx
from tests.absent import require
from tests.node.http2.speaking import Call, Http2Server, Speaker, through_tunnel
from tests.node.loop import run, until
from tests.node.observe.intercepting import intercepting, server_tls, trusting
from tests.node.observe.tapping import OK, seen
from tests.plain_http import PATIENCE

from gatecrash.fakes.raw_server import RawServer
from gatecrash.node.http2.connection import CONNECTION_WINDOW

GRPC = [
    (b":method", b"POST"), (b":scheme", b"https"), (b":path", b"/tea.Shop/Brew"), (b":authority", b"localhost"),
    (b"te", b"trailers"), (b"content-type", b"application/grpc"), (b"authorization", b"Bearer 0123456789"),
]  # fmt: skip


async def echo(speaker: Speaker, stream: int, call: Call) -> None:
    """What a gRPC server does: headers, messages, and the status in trailers."""
    speaker.h2.send_headers(stream, [(b":status", b"200"), (b"content-type", b"application/grpc")])
    speaker.h2.send_data(stream, call.body)
    speaker.h2.send_headers(stream, [(b"grpc-status", b"0"), (b"grpc-message", b"")], end_stream=True)
    speaker.flush()


async def plain(speaker: Speaker, stream: int, call: Call) -> None:
    speaker.h2.send_headers(stream, [(b":status", b"200"), (b"content-length", b"2")])
    await speaker.send(stream, b"ok", end=True)


@run
async def test_grpc_passes_unchanged_with_its_trailers(tmp_path: Path) -> None:
    for tls in (server_tls(tmp_path / "app", "h2"), None):
        async with Http2Server(echo, tls) as server, intercepting(tmp_path / "tap") as tap:
            client_tls = trusting(tmp_path / "tap", "h2") if tls else None
            caller = await through_tunnel(tap.port, "localhost", server.port, client_tls)
            stream, call = caller.start(GRPC, end=False)
            await caller.speaker.send(stream, b"\0\0\0\0\x03abc", end=True)
            await call.done.wait()
            assert call.head == [(b":status", b"200"), (b"content-type", b"application/grpc")]
            assert call.body == b"\0\0\0\0\x03abc"
            assert call.trailers == [(b"grpc-status", b"0"), (b"grpc-message", b"")]
            assert server.calls[0].head == GRPC
            observed = (await seen(tap))[0].exchange
            request = observed.request
            assert observed.client == "127.0.0.1"
            assert (request.version, request.method, request.target) == ("2", "POST", b"/tea.Shop/Brew")
            assert (request.scheme, request.host) == ("https" if tls else "http", "localhost")
            assert (request.body, request.first(b"te")) == (b"\0\0\0\0\x03abc", b"trailers")
            assert request.first(b"host") == b"localhost"
            caller.speaker.transport.abort()


@run
async def test_an_answer_that_is_only_a_head_stays_one(tmp_path: Path) -> None:
    """gRPC tells an immediate error by it."""

    async def refuse(speaker: Speaker, stream: int, call: Call) -> None:
        speaker.h2.send_headers(stream, [(b":status", b"200"), (b"grpc-status", b"12")], end_stream=True)
        speaker.flush()

    tls = server_tls(tmp_path / "app", "h2")
    async with Http2Server(refuse, tls) as server, intercepting(tmp_path / "tap") as tap:
        caller = await through_tunnel(tap.port, "localhost", server.port, trusting(tmp_path / "tap", "h2"))
        _, call = caller.start(GRPC, end=True)
        await call.done.wait()
        assert call.head_ended
        assert server.calls[0].head_ended
        caller.speaker.transport.abort()


@run
async def test_many_streams_of_one_connection_are_as_many_exchanges(tmp_path: Path) -> None:
    tls = server_tls(tmp_path / "app", "h2", "http/1.1")
    async with Http2Server(plain, tls) as server, intercepting(tmp_path / "tap") as tap:
        proxy = f"http://127.0.0.1:{tap.port}"
        verify = trusting(tmp_path / "tap")
        async with httpx.AsyncClient(
            proxy=proxy, verify=verify, trust_env=False, http2=True, timeout=PATIENCE
        ) as client:
            url = f"https://localhost:{server.port}/"
            await client.post(url + "0")  # before the first answer httpx cannot know that one connection is enough
            answers = await asyncio.gather(*(client.post(url + str(n), content=b"x" * n) for n in range(1, 150)))
        assert {(answer.http_version, answer.text) for answer in answers} == {("HTTP/2", "ok")}
        observed = await seen(tap, 150)
        bodies = {each.exchange.request.target: len(each.exchange.request.body) for each in observed}
        assert bodies == {b"/%d" % n: n for n in range(150)}
        assert all(each.whole for each in observed)
        assert len(server.speakers) == 1


@run
async def test_an_application_without_http2_is_spoken_to_as_it_wants(tmp_path: Path) -> None:
    tls = server_tls(tmp_path / "app", "http/1.1")
    async with RawServer(tls=tls).answering(OK) as server, intercepting(tmp_path / "tap") as tap:
        proxy = f"http://127.0.0.1:{tap.port}"
        verify = trusting(tmp_path / "tap")
        async with httpx.AsyncClient(
            proxy=proxy, verify=verify, trust_env=False, http2=True, timeout=PATIENCE
        ) as client:
            answer = await client.get(f"https://localhost:{server.port}/")
        assert (answer.http_version, answer.text) == ("HTTP/1.1", "ok")


@run
async def test_bodies_larger_than_every_window_pass_each_way(tmp_path: Path) -> None:
    size = 8 * 1024 * 1024  # more than every window and buffer on the way

    async def download(speaker: Speaker, stream: int, call: Call) -> None:
        speaker.h2.send_headers(stream, [(b":status", b"200")])
        await speaker.send(stream, bytes(size), end=True)

    tls = server_tls(tmp_path / "app", "h2")
    async with Http2Server(download, tls) as server, intercepting(tmp_path / "tap") as tap:
        caller = await through_tunnel(tap.port, "localhost", server.port, trusting(tmp_path / "tap", "h2"))
        stream, call = caller.start(GRPC, end=False)
        await caller.speaker.send(stream, bytes(size), end=True)
        await call.done.wait()
        assert (server.calls[0].size, call.size, call.reset) == (size, size, None)
        [observed] = await seen(tap)
        assert observed.whole
        assert len(observed.exchange.request.body) == size
        assert observed.exchange.response is not None
        assert (observed.exchange.response.truncated, len(observed.exchange.response.body)) == (False, size)
        caller.speaker.transport.abort()


@run
async def test_a_client_that_reads_nothing_stops_the_application(tmp_path: Path) -> None:
    sent = 0

    async def endless(speaker: Speaker, stream: int, call: Call) -> None:
        nonlocal sent
        speaker.h2.send_headers(stream, [(b":status", b"200")])
        while not speaker.lost.is_set():
            await speaker.send(stream, bytes(16384), end=False)
            sent += 16384

    tls = server_tls(tmp_path / "app", "h2")
    async with Http2Server(endless, tls) as server, intercepting(tmp_path / "tap") as tap:
        caller = await through_tunnel(tap.port, "localhost", server.port, trusting(tmp_path / "tap", "h2"))
        caller.speaker.lazy = True
        caller.start(GRPC, end=True)
        await until(lambda: bool(server.speakers) and not server.speakers[0].window_opened.is_set() and sent > 65535)
        for _ in range(20):
            await asyncio.sleep(0)
        assert sent <= 2 * CONNECTION_WINDOW
        caller.speaker.transport.abort()
        await server.speakers[0].lost.wait()
        assert (await seen(tap))[0].exchange.response is not None


@run
async def test_resets_pass_both_ways(tmp_path: Path) -> None:
    async def reset(speaker: Speaker, stream: int, call: Call) -> None:
        if call.head[2] == (b":path", b"/reset"):
            speaker.h2.reset_stream(stream, 8)
            speaker.flush()

    tls = server_tls(tmp_path / "app", "h2")
    async with Http2Server(reset, tls) as server, intercepting(tmp_path / "tap") as tap:
        caller = await through_tunnel(tap.port, "localhost", server.port, trusting(tmp_path / "tap", "h2"))
        _, call = caller.start([*GRPC[:2], (b":path", b"/reset"), *GRPC[3:]], end=True)
        await call.done.wait()
        assert call.reset == 8
        stream, _ = caller.start(GRPC, end=True)
        await until(lambda: len(server.calls) == 2)
        caller.speaker.h2.reset_stream(stream, 8)
        caller.speaker.flush()
        await server.calls[1].done.wait()
        await until(lambda: server.calls[1].reset == 8)
        assert [each.exchange.response for each in await seen(tap, 2)] == [None, None]
        caller.speaker.transport.abort()


@run
async def test_an_application_that_leaves_is_a_502_and_the_next_request_reaches_it_again(tmp_path: Path) -> None:
    async def leave_once(speaker: Speaker, stream: int, call: Call) -> None:
        if len(server.calls) == 1:
            speaker.transport.abort()
        else:
            await plain(speaker, stream, call)

    tls = server_tls(tmp_path / "app", "h2")
    server = Http2Server(leave_once, tls)
    async with server, intercepting(tmp_path / "tap") as tap:
        caller = await through_tunnel(tap.port, "localhost", server.port, trusting(tmp_path / "tap", "h2"))
        for status in (b"502", b"200"):
            _, call = caller.start(GRPC, end=True)
            await call.done.wait()
            assert call.head[0] == (b":status", status)
        caller.speaker.transport.abort()


@run
async def test_a_goaway_lets_what_is_under_way_end_and_the_rest_go_over_a_fresh_connection(tmp_path: Path) -> None:
    async def go_away(speaker: Speaker, stream: int, call: Call) -> None:
        if len(server.speakers) == 1:
            # GOAWAY by hand: h2 would close its own side too.
            speaker.transport.write(b"\0\0\x08\x07\0\0\0\0\0" + stream.to_bytes(4, "big") + b"\0\0\0\0")
            await until(lambda: started)
        await plain(speaker, stream, call)
        speaker.transport.close()

    started = False
    tls = server_tls(tmp_path / "app", "h2")
    server = Http2Server(go_away, tls)
    async with server, intercepting(tmp_path / "tap") as tap:
        caller = await through_tunnel(tap.port, "localhost", server.port, trusting(tmp_path / "tap", "h2"))
        _, first = caller.start(GRPC, end=True)
        await until(lambda: len(server.calls) == 1)
        _, second = caller.start(GRPC, end=True)
        started = True
        await first.done.wait()
        await second.done.wait()
        assert (first.head[0], second.head[0]) == ((b":status", b"200"), (b":status", b"200"))
        caller.speaker.transport.abort()


@run
async def test_curl_speaks_http2_through_the_proxy(tmp_path: Path) -> None:
    require(shutil.which("curl"), "curl is not installed")
    tls = server_tls(tmp_path / "app", "h2")
    async with Http2Server(plain, tls) as server, intercepting(tmp_path / "tap") as tap:
        curl = await asyncio.create_subprocess_exec(
            *("curl", "-s", "-x", f"http://127.0.0.1:{tap.port}", "--noproxy", "", "--http2"),
            *("--cacert", str(tmp_path / "tap" / "ca.pem"), "-w", "%{http_version} ", "-d", "x" * 100_000),
            *(f"https://localhost:{server.port}/a", f"https://localhost:{server.port}/b"),
            stdout=asyncio.subprocess.PIPE,
        )
        out, _ = await curl.communicate()
        assert (curl.returncode, out) == (0, b"ok2 ok2 ")
        assert [call.size for call in server.calls] == [100_000, 100_000]


@run
async def test_an_answer_before_the_whole_request_is_seen_with_all_of_it(tmp_path: Path) -> None:
    """With and without a word that no more of it is needed (RFC 9113 section 8.1)."""

    async def answered_before(_speaker: Speaker, _stream: int, _call: Call) -> None:
        """Nothing is left to say when the request ends."""

    tls = server_tls(tmp_path / "app", "h2")
    async with Http2Server(answered_before, tls) as server, intercepting(tmp_path / "tap") as tap:
        caller = await through_tunnel(tap.port, "localhost", server.port, trusting(tmp_path / "tap", "h2"))
        for number, enough in enumerate((False, True)):
            stream, call = caller.start(GRPC, end=False)
            await until(lambda number=number: len(server.calls) > number)
            await plain(server.speakers[0], stream, server.calls[number])
            if enough:
                server.speakers[0].h2.reset_stream(stream, 0)
                server.speakers[0].flush()
            await call.done.wait()
            await caller.speaker.send(stream, b"access_token=0123456789", end=True)
            (observed,) = await seen(tap)
            assert (observed.exchange.request.body, observed.whole) == (b"access_token=0123456789", True)
            assert observed.exchange.response is not None
            assert (observed.exchange.response.body, call.reset) == (b"ok", None)
        caller.speaker.transport.abort()
