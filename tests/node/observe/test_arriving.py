"""The reverse proxy's port takes HTTP/1 and, by prior knowledge, HTTP/2 without TLS."""

import asyncio
from pathlib import Path

from tests.node.http2.speaking import Call, Http2Caller, Http2Server, Speaker
from tests.node.loop import run, until
from tests.node.observe.intercepting import server_tls
from tests.node.observe.tapping import OK, client_of, exchange, tapping

from gatecrash.fakes.raw_server import RawServer
from gatecrash.node.http2.connection import PREFACE
from gatecrash.node.observe.arriving import HELLO_SECONDS
from gatecrash.node.observe.observations import Observations
from gatecrash.node.observe.route import Origin
from gatecrash.node.observe.tap import Tap, TapSettings

ASKED = [(b":method", b"GET"), (b":scheme", b"http"), (b":path", b"/a?b=1"), (b":authority", b"127.0.0.1:1")]


async def plain(speaker: Speaker, stream: int, call: Call) -> None:
    speaker.h2.send_headers(stream, [(b":status", b"200")])
    await speaker.send(stream, b"ok", end=True)


async def call_of(port: int, authority: bytes = b"127.0.0.1:1") -> Call:
    caller = Http2Caller()
    transport, _ = await asyncio.get_running_loop().create_connection(lambda: caller.speaker, "127.0.0.1", port)
    _, call = caller.start([*ASKED[:3], (b":authority", authority)], end=True)
    await call.done.wait()
    transport.abort()
    return call


@run
async def test_prior_knowledge_reaches_an_application_without_tls_and_with_it(tmp_path: Path) -> None:
    for scheme in ("http", "https"):
        tls = server_tls(tmp_path, "h2") if scheme == "https" else None
        async with Http2Server(plain, tls) as server:
            origin = Origin(scheme, "localhost", server.port)
            tap = Tap(TapSettings(port=0, upstream=origin, verify_tls=False), Observations())
            await tap.start()
            try:
                assert (await call_of(tap.port)).body == b"ok"
                assert dict(server.calls[0].head) == {
                    b":method": b"GET",
                    b":scheme": scheme.encode(),
                    b":path": b"/a?b=1",
                    b":authority": b"localhost:%d" % server.port,
                }
                request = (await exchange(tap)).request
                assert (request.version, request.target, request.scheme) == ("2", b"/a?b=1", scheme)
                assert (await call_of(tap.port, b"api.example.com")).body == b"ok"
                assert dict(server.calls[1].head)[b":authority"] == b"api.example.com"
            finally:
                await tap.close()


@run
async def test_an_application_that_speaks_only_http1_is_a_502_that_says_so(tmp_path: Path) -> None:
    tls = server_tls(tmp_path, "http/1.1")
    async with RawServer(tls=tls).answering(OK) as server:
        origin = Origin("https", "localhost", server.port)
        tap = Tap(TapSettings(port=0, upstream=origin, verify_tls=False), Observations())
        await tap.start()
        call = await call_of(tap.port)
        assert (dict(call.head)[b":status"], server.received) == (b"502", [])
        assert b"does not speak HTTP/2, as the client does" in call.body
        await tap.close()


@run
async def test_a_preface_and_a_request_may_come_byte_by_byte() -> None:
    async with RawServer().answering(OK) as server, tapping(server) as tap, client_of(tap) as client:
        for byte in b"PATCH / HTTP/1.1\r\nHost: x\r\n\r\n":  # shares its first letter with the preface
            client.writer.write(bytes((byte,)))
            await client.writer.drain()
            await asyncio.sleep(0)
        assert await client.answer() == OK
    async with Http2Server(plain) as http2, tapping(http2) as tap, client_of(tap) as client:
        client.writer.write(PREFACE[:3])
        await until(lambda: any(getattr(each, "held", b"") == PREFACE[:3] for each in tap.connections))
        client.writer.write(PREFACE[3:] + b"\0\0\0\4\0\0\0\0\0")
        assert (await client.reader.readexactly(9))[3] == 4  # our SETTINGS


@run
async def test_a_client_that_says_nothing_is_let_go() -> None:
    async with RawServer().answering(OK) as server, tapping(server, sweep_seconds=0.01) as tap:
        async with client_of(tap) as client:
            await until(lambda: len(tap.connections) == 1)
            [arriving] = tap.connections
            arriving.sweep(asyncio.get_running_loop().time() + HELLO_SECONDS - 1)
            assert len(tap.connections) == 1
            arriving.sweep(asyncio.get_running_loop().time() + HELLO_SECONDS + 1)
            assert await client.reader.read() == b""
        async with client_of(tap) as client:
            client.writer.write_eof()
            assert await client.reader.read() == b""
        await until(lambda: not tap.connections)
