"""WebSockets as a target speaks them: heard until it is quiet, told what is to be said in turn, refused as any request is."""

import asyncio

from tests.node.loop import run, until
from tests.node.test.sending import sending

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.operations.sockets import as_opening
from gatecrash.fakes.raw_server import RawServer, Talk
from gatecrash.node.test.connections import frames
from gatecrash.node.test.connections.frames import CLOSE, TEXT
from gatecrash.node.test.connections.socket_target import MOST_MESSAGES, QUIET

PING = b"\x89\x01p"
AGREED = b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"


elapsed: list[float] = []


def whole(opcode: int, data: bytes) -> bytes:
    return bytes((0x80 | opcode, len(data))) + data


async def opened(server: RawServer, said: bytes = b"") -> Response:
    request = as_opening(Request("GET", b"/live", ((b"Host", b"x"),), said, host="127.0.0.1", port=server.port))
    async with sending() as sender:
        answer = await sender.send(request, ((b"X-Marker", b"m"),))
    assert answer.failure == ""
    assert answer.exchange.elapsed is not None
    elapsed.append(answer.exchange.elapsed)
    assert answer.exchange.request == request
    assert answer.exchange.response is not None
    return answer.exchange.response


def saying(*said: bytes, heard: bytearray | None = None) -> Talk:
    """Agrees, says all of it, and keeps what it hears until the client goes."""

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        assert b"Content-Length" not in head
        assert b"X-Marker: m" in head
        writer.write(AGREED + b"".join(said))
        while data := await reader.read(4096):
            if heard is not None:
                heard.extend(data)

    return talk


@run
async def test_what_the_server_says_until_it_is_quiet_is_the_body_a_message_a_line() -> None:
    heard = bytearray()
    async with RawServer(saying(whole(TEXT, b'{"a": 1}'), PING, whole(TEXT, b"b"), heard=heard)) as server:
        response = await opened(server)
    assert (response.status, response.body, response.truncated) == (101, b'{"a": 1}\nb', False)
    assert response.first(b"WebSocket-Close") is None
    assert heard.startswith(b"\x8a\x81"), "a pong of one letter, masked"
    assert elapsed[-1] < QUIET, "waiting for another word is no time that the target took"


@run
async def test_with_which_code_it_closes_stands_behind_its_headers_and_nothing_more_is_waited_for() -> None:
    closing = whole(CLOSE, (4401).to_bytes(2, "big") + b"sign\r\nin")
    async with RawServer(saying(whole(TEXT, b"hello"), closing, whole(TEXT, b"late"))) as server:
        response = await opened(server)
    assert (response.body, response.first(b"WebSocket-Close")) == (b"hello", b"4401 sign in")
    async with RawServer(saying(whole(CLOSE, b""))) as server:
        response = await opened(server)
    assert (response.body, response.first(b"WebSocket-Close")) == (b"", b"")


@run
async def test_what_is_to_be_said_is_said_in_turn_and_the_answers_are_heard() -> None:
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(AGREED)
        side = frames.Talk(server=True)
        while data := await reader.read(4096):
            for message in side.hear(data):
                if message.opcode is TEXT:
                    side.say(b"re " + message.data)
            writer.write(side.due())

    async with RawServer(talk) as server:
        assert (await opened(server, b"one\ntwo")).body == b"re one\nre two"


@run
async def test_a_refusal_is_an_answer_like_any_other_and_each_opening_has_its_own_connection() -> None:
    refusing = RawServer().answering(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno")
    async with refusing as server:
        for _ in range(2):
            response = await opened(server, b"hello")
            assert (response.status, response.body) == (403, b"no")
        assert server.connections == 2
        assert not any(each.endswith(b"hello") for each in server.received)


@run
async def test_what_goes_on_telling_is_as_quick_as_its_first_word() -> None:
    async def telling(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(AGREED + whole(TEXT, b"first"))
        loop = asyncio.get_running_loop()
        while not writer.is_closing():
            told = loop.time()
            await until(lambda told=told: loop.time() > told + QUIET / 5)  # type: ignore[misc]
            writer.write(whole(TEXT, b"more"))

    async with RawServer(telling) as server:
        assert (await opened(server)).body.startswith(b"first\nmore")
    assert elapsed[-1] < QUIET


@run
async def test_an_endless_feed_is_heard_for_a_while_and_a_lost_one_is_what_came() -> None:
    async with RawServer(saying(*[whole(TEXT, b"%d" % number) for number in range(99)])) as server:
        assert (await opened(server)).body.count(b"\n") >= MOST_MESSAGES - 1

    async def cut(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(AGREED + whole(TEXT, b"last words"))
        await writer.drain()
        writer.close()

    async with RawServer(cut) as server:
        assert (await opened(server)).body == b"last words"


@run
async def test_what_is_no_frame_is_broken() -> None:
    async with RawServer(saying(b"\xc1\x01x")) as server, sending() as sender:
        request = as_opening(Request("GET", b"/", ((b"Host", b"x"),), host="127.0.0.1", port=server.port))
        assert (await sender.send(request, ((b"X-Marker", b"m"),))).failure == "broken"
