"""Where a request ends is found however its bytes arrive, and the connection is kept as HTTP says."""

import asyncio

import pytest
from tests.node.loop import run, until
from tests.node.observe.collecting import MIRROR, call, collecting, sender, taken

from gatecrash.node.http1.head import MAX_HEAD

LINE = b'{"method": "GET", "url": "http://a.example/x", "status": 200}\n'


@pytest.mark.parametrize("size", [1, 7, 64, 1000])
@run
async def test_requests_in_pieces_and_in_a_row_are_each_answered_once(size: int) -> None:
    posted = b"POST /b HTTP/1.1\r\nHost: h.example\r\nContent-Length: 5\r\n\r\nhello"
    chunked = b"POST /c HTTP/1.1\r\nHost: h.example\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
    stream = MIRROR + posted + call(LINE) + chunked + MIRROR
    async with collecting() as collector, sender(collector) as client:
        for start in range(0, len(stream), size):
            client.writer.write(stream[start : start + size])
            await client.writer.drain()
            await asyncio.sleep(0)
        answers = [await client.answer() for _ in range(5)]
        assert [answer[9:12] for answer in answers] == [b"204", b"204", b"200", b"204", b"204"]
        exchanges = await taken(collector, 5)
        assert {(one.request.target, one.request.body) for one in exchanges} == {
            (b"/a?b=1", b""),
            (b"/b", b"hello"),
            (b"/x", b""),
            (b"/c", b"abc"),
        }


@pytest.mark.parametrize(
    ("raw", "closed"),
    [
        (b"GET / HTTP/1.1\r\nHost: h\r\n\r\n", False),
        (b"GET / HTTP/1.0\r\nHost: h\r\n\r\n", True),
        (b"GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n", True),
    ],
)
@run
async def test_the_connection_is_kept_as_the_sender_wants(raw: bytes, closed: bool) -> None:
    async with collecting() as collector, sender(collector) as client:
        answer = await client.ask(raw)
        assert (b"Connection: close" in answer) is closed
        if closed:
            assert await client.reader.read() == b""


@run
async def test_a_body_that_is_too_large_to_keep_is_passed_over() -> None:
    big = b"POST /b HTTP/1.1\r\nHost: h.example\r\nContent-Length: 100000\r\n\r\n" + b"x" * 100000
    async with collecting() as collector, sender(collector) as client:
        assert (await client.ask(big)).startswith(b"HTTP/1.1 204 ")
        [exchange] = await taken(collector, 1)
        assert exchange.request.body == b""


@pytest.mark.parametrize(
    ("raw", "status"),
    [
        (b"X" * (MAX_HEAD + 1), b"431"),  # no byte more, or the unread rest resets the connection
        (b"POST / HTTP/1.1\r\nContent-Length: x\r\n\r\n", b"400"),
        (b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", b"400"),
        (b"GET /gatecrash/v1/nothing HTTP/1.1\r\n\r\n", b"404"),
        (b"GET /gatecrash/v1/exchanges HTTP/1.1\r\n\r\n", b"405"),
        (b"POST /gatecrash/v1/exchanges HTTP/1.1\r\nContent-Length: 999999999\r\n\r\n", b"413"),
        (b"POST /gatecrash/v1/exchanges HTTP/1.1\r\nContent-Encoding: br\r\nContent-Length: 1\r\n\r\n", b"415"),
        (b"POST /gatecrash/v1/exchanges HTTP/1.1\r\nOrigin: http://evil.example\r\nContent-Length: 1\r\n\r\n", b"403"),
    ],
)
@run
async def test_what_is_no_request_for_a_collector_is_told_and_hung_up_on(raw: bytes, status: bytes) -> None:
    async with collecting() as collector, sender(collector) as client:
        answer = await client.ask(raw)
        assert answer[9:12] == status
        assert b'"message":' in answer
        assert await client.reader.read() == b""


@run
async def test_a_chunked_call_is_bounded_too() -> None:
    head = b"POST /gatecrash/v1/exchanges HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
    async with collecting() as collector, sender(collector) as client:
        client.writer.write(head + b"a00000\r\n" + b"\n" * 0xA00000 + b"\r\n0\r\n\r\n")
        assert (await client.answer())[9:12] == b"413"


@run
async def test_who_expects_a_continue_gets_one() -> None:
    async with collecting() as collector, sender(collector) as client:
        client.writer.write(call(LINE, b"Expect: 100-continue"))
        assert await client.reader.readuntil(b"\r\n\r\n") == b"HTTP/1.1 100 Continue\r\n\r\n"
        assert (await client.answer())[9:12] == b"200"


@run
async def test_who_hangs_up_in_the_middle_leaves_nothing_behind() -> None:
    async with collecting() as collector:
        async with sender(collector) as client:
            client.writer.write(call(LINE)[:-5])
            await client.writer.drain()
        await until(lambda: not collector.senders)
