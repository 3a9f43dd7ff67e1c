"""HTTP/2 to the target: what arrives is what was given, streams share connections, and every bad target is a failure."""

import asyncio
from collections.abc import Callable
from typing import Any

import grpc
import h2.errors
import h2.settings
import pytest
from tests.node.http2.speaking import Call, Http2Server, Speaker
from tests.node.loop import run, until
from tests.node.test.sending import OK, asking, sending
from tests.node.test.sending import http2_ok as ok

from gatecrash.core.message import Request
from gatecrash.fakes.raw_server import RawServer
from gatecrash.node.test.connections.http2_target import fields_of

PREFACE_SETTINGS = b"\x00\x00\x00\x04\x00\x00\x00\x00\x00"
HEAD = [(b":status", b"200"), (b"X-Odd", b"1")]


def test_only_what_http2_forbids_is_changed() -> None:
    headers = (
        (b"X-A", b" \xff"),
        (b"hOsT", b"Shop.example"),
        (b"Connection", b"X-Hop, cookie"),
        (b"X-Hop", b"1"),
        (b"Transfer-Encoding", b"chunked"),
        (b"Cookie", b"a=1; b=2"),
        (b"TE", b"gzip"),
        (b"Host", b"second"),
    )
    request = Request("PoST", b"//a/%2e?q=\xff#x", headers, b"", "https", "shop.example", 443)
    assert fields_of(request, ((b"X-Marker", b"M"),)) == (
        (b":method", b"PoST"),
        (b":scheme", b"https"),
        (b":authority", b"Shop.example"),
        (b":path", b"//a/%2e?q=\xff#x"),
        (b"x-a", b" \xff"),
        (b"cookie", b"a=1; b=2"),
        (b"host", b"second"),
        (b"x-marker", b"M"),
    )


@run
async def test_path_values_and_body_arrive_byte_for_byte_in_the_clear() -> None:
    async with Http2Server(ok) as server, sending() as sender:
        request = asking(server.port, "POST", b"//a/../%2e;x?q='\"<>&&", body=b"\x00\xffz" * 30_000)
        answer = await sender.send(request, ((b"X-Marker", b"m"),))
        assert answer.failure == ""
        response = answer.exchange.response
        assert response is not None
        assert (response.status, response.version, response.body) == (200, "2", b"got //a/../%2e;x?q='\"<>&&")
        [call] = server.calls
        assert dict(call.head)[b":path"] == b"//a/../%2e;x?q='\"<>&&"
        assert dict(call.head)[b"x-marker"] == b"m"
        assert call.size == 90_000
        assert answer.exchange.elapsed is not None


@run
async def test_what_a_leaving_target_has_not_looked_at_is_sent_elsewhere_whatever_the_method() -> None:
    async def leaving(speaker: Speaker, stream: int, call: Call) -> None:
        if speaker is server.speakers[0]:
            # GOAWAY, last stream 0, NO_ERROR
            speaker.transport.write(b"\x00\x00\x08\x07\x00\x00\x00\x00\x00" + bytes(8))
            return
        await ok(speaker, stream, call)

    async with Http2Server(leaving) as server, sending() as sender:
        assert (await sender.send(asking(server.port, "POST", body=b"pay"))).failure == ""
        assert len(server.speakers) == 2


@pytest.mark.parametrize(
    ("code", "calls", "failure"),
    [
        (h2.errors.ErrorCodes.REFUSED_STREAM, 3, "closed"),
        (h2.errors.ErrorCodes.INTERNAL_ERROR, 1, "closed"),
    ],
)
@run
async def test_a_reset_stream_is_sent_again_only_where_nothing_was_done(code: int, calls: int, failure: str) -> None:
    async def resetting(speaker: Speaker, stream: int, _call: Call) -> None:
        speaker.h2.reset_stream(stream, code)
        speaker.flush()

    async with Http2Server(resetting) as server, sending() as sender:
        assert (await sender.send(asking(server.port, "POST", body=b"pay"))).failure == failure
        assert len(server.calls) == calls


@run
async def test_a_target_that_wants_http1_for_a_request_gets_it() -> None:
    """One port that speaks both in the clear: by the preface."""
    first = Http2Server(lambda speaker, stream, _call: _wants_http1(speaker, stream))
    async with first, RawServer().answering(OK) as second, sending() as sender:

        async def either(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            begun = await reader.read(65536)
            port = first.port if begun.startswith(b"PRI ") else second.port
            there, here = await asyncio.open_connection("127.0.0.1", port)
            here.write(begun)
            try:
                await asyncio.gather(_pass(reader, here), _pass(there, writer))
            finally:
                here.close()

        async with RawServer(either) as server:
            answer = await sender.send(asking(server.port))
            assert answer.failure == ""
            assert second.received == [b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"]


async def _pass(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(65536):
        writer.write(data)


async def _wants_http1(speaker: Speaker, stream: int) -> None:
    speaker.h2.reset_stream(stream, h2.errors.ErrorCodes.HTTP_1_1_REQUIRED)
    speaker.flush()


@run
async def test_one_streams_fault_costs_no_other_stream_its_answer() -> None:
    async def mixed(speaker: Speaker, stream: int, call: Call) -> None:
        if dict(call.head)[b":path"] == b"/bad":
            speaker.transport.write(b"\x00\x00\x00\x00\x00" + (999).to_bytes(4, "big"))  # DATA on an idle stream
            return
        await asyncio.sleep(0.02)
        await ok(speaker, stream, call)

    async with Http2Server(mixed) as server, sending() as sender:
        bad = [sender.send(asking(server.port, target=b"/bad"))]
        good = [sender.send(asking(server.port, target=b"/%d" % n)) for n in range(5)]
        unsafe = [sender.send(asking(server.port, "POST", target=b"/p", body=b"x"))]
        answers = await asyncio.gather(*bad, *good, *unsafe)
        assert [answer.failure for answer in answers] == ["broken", "", "", "", "", "", ""]


@run
async def test_the_trailers_of_grpc_are_read_from_a_real_server() -> None:
    def handle(call: Any) -> Any:
        def answer(message: bytes, context: Any) -> bytes:
            if message == b"no":
                context.abort(grpc.StatusCode.UNAUTHENTICATED, "who?")
            return b"echo " + message

        return grpc.unary_unary_rpc_method_handler(answer) if call.method == "/shop.Shop/Echo" else None

    server = grpc.aio.server()
    handler: Any = type("Handler", (grpc.GenericRpcHandler,), {"service": lambda _self, call: handle(call)})
    server.add_generic_rpc_handlers((handler(),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    headers = ((b"Host", b"x"), (b"Content-Type", b"application/grpc"))
    async with sending() as sender:
        for message, status in ((b"hi", b"0"), (b"no", b"16")):
            body = b"\x00" + len(message).to_bytes(4, "big") + message
            answer = await sender.send(asking(port, "POST", b"/shop.Shop/Echo", headers=headers, body=body))
            response = answer.exchange.response
            assert response is not None, answer.failure
            assert response.first(b"grpc-status") == status
            assert response.body[5:] == (b"echo hi" if status == b"0" else b"")
    await server.stop(None)


@run
async def test_a_cancelled_request_resets_its_stream_and_leaves_the_connection() -> None:
    async def hanging(speaker: Speaker, stream: int, call: Call) -> None:
        if dict(call.head)[b":path"] != b"/hang":
            await ok(speaker, stream, call)

    async with Http2Server(hanging) as server, sending() as sender:
        task = asyncio.ensure_future(sender.send(asking(server.port, target=b"/hang")))
        await until(lambda: len(server.calls) == 1)
        task.cancel()
        await until(lambda: server.calls[0].reset is not None)
        assert (await sender.send(asking(server.port))).failure == ""
        assert len(server.speakers) == 1


# Bad targets


def saying(raw: bytes, *, then: str = "hang") -> Callable[[asyncio.StreamReader, asyncio.StreamWriter], Any]:
    """A target that sends its settings, these bytes after the request, and then hangs or closes."""

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"SM\r\n\r\n")
        writer.write(PREFACE_SETTINGS)
        received = b""
        while b"\x01\x05\x00\x00\x00\x01" not in received:  # HEADERS that end stream 1
            received += await reader.read(65536)
        writer.write(raw)
        await writer.drain()
        if then == "hang":
            await asyncio.Event().wait()

    return talk


def greeting(raw: bytes, *, then: str = "hang") -> Callable[[asyncio.StreamReader, asyncio.StreamWriter], Any]:
    """A target that sends these bytes in place of its settings."""

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(65536)
        writer.write(raw)
        await writer.drain()
        if then == "hang":
            await asyncio.Event().wait()

    return talk


async def pinging(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Floods and never reads what we answer."""
    await reader.read(65536)
    writer.write(PREFACE_SETTINGS)
    writer.transport.pause_reading()  # type: ignore[attr-defined]  # both kinds of transports have it
    while True:
        writer.write(b"\x00\x00\x08\x06\x00\x00\x00\x00\x0012345678" * 1000)
        await writer.drain()
        await asyncio.sleep(0)


@pytest.mark.parametrize(
    ("talk", "failure"),
    [
        (greeting(b""), "timeout"),
        (greeting(b"", then="close"), "closed"),
        (greeting(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"), "broken"),
        (
            greeting(b"\x00\x00\x06\x04\x00\x00\x00\x00\x00\x00\x03\x00\x00\x00\x00"),
            "closed",
        ),  # takes no streams at all
        (saying(b""), "timeout"),
        (saying(b"", then="close"), "closed"),
        (saying(b"\x00\x00\x01\x00\x01\x00\x00\x00\x01x"), "broken"),  # DATA before HEADERS
        (saying(b"\xff\xff\xff\x00\x01\x00\x00\x00\x01"), "broken"),  # a frame of 16 MiB
        (saying(b"\x00\x00\x01\x01\x05\x00\x00\x00\x01\x80"), "broken"),  # no such header index
        (saying(b"\x00\x00\x01\x01\x04\x00\x00\x00\x01\x88"), "timeout"),  # 200 and no end
        (saying(b"\x00\x00\x01\x01\x04\x00\x00\x00\x01\x88", then="close"), "closed"),
        (pinging, "timeout"),
    ],
)
@run
async def test_a_bad_target_is_a_kind_of_failure(talk: Any, failure: str) -> None:
    async with RawServer(talk) as server, sending(connect=0.3, first_byte=0.3, total=0.5) as sender:
        assert (await sender.send(asking(server.port, "POST"))).failure == failure


@pytest.mark.parametrize("headers", [[], [(b"content-length", b"10737418240")]])
@run
async def test_an_endless_body_is_cut_at_the_bound(headers: list[tuple[bytes, bytes]]) -> None:
    async def endless(speaker: Speaker, stream: int, _call: Call) -> None:
        speaker.h2.send_headers(stream, [(b":status", b"200"), *headers])
        while stream in speaker.h2.streams and not speaker.h2.streams[stream].closed:
            await speaker.send(stream, bytes(1 << 16), end=False)

    async with Http2Server(endless) as server, sending(keep=1000, read=200_000) as sender:
        answer = await sender.send(asking(server.port))
        assert answer.failure == "too_large"
        response = answer.exchange.response
        assert response is not None
        assert (len(response.body), response.truncated) == (1000, True)
        assert (response.size or 0) >= (10737418240 if headers else 200_000)


@run
async def test_a_stream_of_events_is_read_until_it_says_nothing_for_a_while() -> None:
    async def events(speaker: Speaker, stream: int, _call: Call) -> None:
        speaker.h2.send_headers(stream, [(b":status", b"200"), (b"content-type", b"text/event-stream")])
        await speaker.send(stream, b"data: 1\n\n", end=False)

    async with Http2Server(events) as server, sending(quiet=0.2) as sender:
        for _ in range(2):
            answer = await sender.send(asking(server.port))
            assert answer.failure == ""
            response = answer.exchange.response
            assert response is not None
            assert (response.body, response.truncated) == (b"data: 1\n\n", True)


@run
async def test_nobody_listening_is_refused_and_plain_answers_in_tls_are_broken() -> None:
    async with Http2Server(ok) as server, sending() as sender:
        assert (await sender.send(asking(server.port, scheme="https"))).failure == "broken"
        port = server.port
    async with sending() as sender:
        assert (await sender.send(asking(port))).failure == "refused"


@run
async def test_the_answer_to_head_and_an_early_answer_leave_the_connection() -> None:
    async def early(speaker: Speaker, stream: int, call: Call) -> None:
        method = dict(call.head)[b":method"]
        speaker.h2.send_headers(stream, [(b":status", b"200"), (b"content-length", b"4")], end_stream=method == b"HEAD")
        speaker.flush()
        if method != b"HEAD":
            await speaker.send(stream, b"done", end=True)

    async with Http2Server(early) as server, sending() as sender:
        for method, body in (("HEAD", b""), ("GET", b"done"), ("HEAD", b"")):
            answer = await sender.send(asking(server.port, method))
            assert answer.failure == ""
            assert answer.exchange.response is not None
            assert answer.exchange.response.body == body
        assert len(server.speakers) == 1
