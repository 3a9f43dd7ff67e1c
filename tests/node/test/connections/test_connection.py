"""One connection: times counted from the request's last byte, a TLS target spoken to as any other, what a target gives
up unread sent again.
"""

import asyncio
import socket
import ssl
import struct
import threading
from pathlib import Path

import pytest
from tests.node.loop import run, until
from tests.node.test.giving_up import Target
from tests.node.test.sending import OK, certificate, sending

from gatecrash.core.message import Request
from gatecrash.fakes.raw_server import RawServer
from gatecrash.node.test.connections.connection import Bounds, Repeated, TargetConnection
from gatecrash.node.test.connections.destinations import Destinations
from gatecrash.node.test.connections.sender import Sender

ASK = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"


async def connected(
    server: RawServer, bounds: Bounds | None = None, repeated: Repeated | None = None
) -> TargetConnection:
    loop = asyncio.get_running_loop()
    made = TargetConnection(bounds or Bounds(), repeated)
    await loop.create_connection(lambda: made, "127.0.0.1", server.port)
    return made


async def silent(reader: asyncio.StreamReader, _writer: asyncio.StreamWriter) -> None:
    await reader.read()


@run
async def test_answers_follow_each_other_on_one_connection() -> None:
    async with RawServer().answering(OK) as server:
        connection = await connected(server)
        for used in (1, 2, 3):
            outcome = await connection.ask(ASK, "GET", last=False)
            assert (outcome.failure, connection.used, connection.reusable) == ("", used, True)
            assert outcome.elapsed is not None
        assert not (await connection.ask(ASK, "GET", last=True)).failure
        assert not connection.reusable
        assert (await connection.ask(ASK, "GET", last=False)).failure == "closed"
        assert server.connections == 1


@run
async def test_an_answer_that_comes_again_byte_for_byte_is_what_it_was_read_as() -> None:
    """To another connection too; what has one byte more, or answers HEAD, is read for itself."""
    bare = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
    longer = b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nok!"
    repeated: Repeated = {}
    async with RawServer().answering(OK, longer, bare, bare, OK) as server:
        first, other = await connected(server, repeated=repeated), await connected(server, repeated=repeated)
        asked = [await first.ask(ASK, method, last=False) for method in ("GET", "GET", "HEAD", "GET", "GET")]
        elsewhere = await other.ask(ASK, "GET", last=False)
        last = await other.ask(ASK, "GET", last=True)
    responses = [each.response for each in asked]
    assert [each and each.body for each in responses] == [b"ok", b"ok!", b"", b"", b"ok"]
    assert responses[4] is responses[0] is elsewhere.response
    assert responses[3] is not responses[2]
    assert last.response == responses[1]
    assert last.elapsed is not None
    assert not other.reusable
    assert first.used == 5


@run
async def test_what_an_application_waits_for_behind_the_beginning_of_its_page_is_measured() -> None:
    loop = asyncio.get_running_loop()
    begun: list[float] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n")
        await writer.drain()
        begun.append(loop.time())
        await until(lambda: loop.time() >= begun[0] + 0.2)
        writer.write(b"end")

    async with RawServer(serve) as server:
        outcome = await (await connected(server)).ask(ASK, "GET", last=True)
    assert outcome.response is not None
    assert outcome.response.body == b"end"
    assert outcome.elapsed is not None
    assert outcome.elapsed >= 0.19  # clocks of loops are as of the beginning of their round


@run
async def test_an_answer_that_comes_in_two_pieces_is_not_taken_for_its_first() -> None:
    repeated: Repeated = {}
    async with RawServer(silent) as server:
        connection = await connected(server, repeated=repeated)
        for rest in (b"one", b"two"):
            answer = connection.ask(ASK, "GET", last=False)
            connection.data_received(b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n")
            connection.data_received(rest)
            response = (await answer).response
            assert response is not None
            assert response.body == rest
        connection.drop()
    assert not repeated


class Wire(asyncio.Transport):
    """Towards a target that the test plays. options: what was set on the socket, in order."""

    def __init__(self) -> None:
        super().__init__({"socket": self})
        self.options: list[tuple[int, ...]] = []

    def setsockopt(self, *option: int) -> None:
        self.options.append(option)

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None: ...

    def write(self, data: bytes | bytearray | memoryview) -> None: ...

    def is_closing(self) -> bool:
        return False

    def abort(self) -> None: ...


@run
async def test_a_part_of_an_answer_is_acknowledged_at_once_and_a_whole_one_as_the_system_does() -> None:
    wire, connection = Wire(), TargetConnection(Bounds())
    connection.connection_made(wire)
    whole = connection.ask(ASK, "GET", last=False)
    connection.data_received(OK)
    assert not (await whole).failure
    assert wire.options == []
    apart = connection.ask(ASK, "GET", last=False)
    connection.data_received(b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n")
    assert wire.options == [(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)]
    connection.data_received(b"end")
    assert not (await apart).failure
    assert len(wire.options) == 1


@run
async def test_bytes_that_nobody_asked_for_end_the_connection() -> None:
    pushed = asyncio.Event()

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await server.read_request(reader)
        writer.write(OK)
        await writer.drain()
        await pushed.wait()
        writer.write(b"HTTP/1.1 408 Request Timeout\r\n\r\n")
        await reader.read()

    server = RawServer(talk)
    async with server:
        connection = await connected(server)
        await connection.ask(ASK, "GET", last=False)
        pushed.set()
        await until(lambda: not connection.reusable)
        outcome = await connection.ask(ASK, "GET", last=False)
        assert (outcome.failure, outcome.untouched) == ("closed", True)


@run
async def test_one_timer_serves_many_turns_and_rings_for_the_one_that_is_late() -> None:
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while await server.read_request(reader):
            if len(server.received) <= 20:
                writer.write(OK)

    server = RawServer(talk)
    async with server:
        connection = await connected(server, Bounds(first_byte=1.5, total=1.5))
        for _ in range(20):
            assert not (await connection.ask(ASK, "GET", last=False)).failure
            await asyncio.sleep(0.1)
        begun = asyncio.get_running_loop().time()
        assert (await connection.ask(ASK, "GET", last=False)).failure == "timeout"
        await asyncio.sleep(0)
        assert asyncio.get_running_loop().time() - begun >= 1.49


@pytest.mark.parametrize("said", [b"", b"be"])
@run
async def test_an_answer_that_stalls_on_its_way_is_not_waited_for_to_the_end_of_its_time(said: bytes) -> None:
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n" + said)
        await reader.read()

    async with RawServer(talk) as server:
        connection = await connected(server, Bounds(first_byte=0.2, total=3600.0))
        outcome = await connection.ask(ASK, "GET", last=False)
    assert (outcome.failure, connection.reusable) == ("timeout", False)
    assert outcome.response is not None
    assert (outcome.response.body, outcome.response.truncated) == (said, True)


@run
async def test_a_stream_of_events_is_read_until_it_says_nothing_for_a_while() -> None:
    """Nobody waits for its end: what came is the answer, and the time is when the last of it came."""

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\n\r\ndata: 1\n\n")
        await reader.read()

    async with RawServer(talk) as server:
        connection = await connected(server, Bounds(quiet=0.2))
        outcome = await connection.ask(ASK, "GET", last=False)
    assert (outcome.failure, connection.reusable) == ("", False)
    assert outcome.response is not None
    assert (outcome.response.body, outcome.response.truncated) == (b"data: 1\n\n", True)


@run
async def test_a_stream_of_events_that_never_falls_silent_is_read_for_a_while() -> None:
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
        while not writer.is_closing():
            writer.write(b":\n\n")
            await asyncio.sleep(0.02)

    async with RawServer(talk) as server:
        outcome = await (await connected(server, Bounds(flowing=0.2))).ask(ASK, "GET", last=False)
    assert outcome.response is not None
    assert (outcome.failure, outcome.response.truncated) == ("", True)


@run
async def test_https_targets_are_verified_and_spoken_to(tmp_path: Path) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate(tmp_path))
    places = Destinations(lambda *_: None, lambda *_: None)
    async with RawServer(tls=context).answering(OK) as server:
        request = Request("GET", b"//%2e", ((b"Host", b"x"),), b"", "https", "127.0.0.1", server.port)
        wary, trusting = Sender(places), Sender(places, verify_tls=False)
        assert (await wary.send(request)).failure == "untrusted"
        assert (await trusting.send(request)).failure == ""
        assert (await trusting.send(request)).failure == ""
        assert server.received == [b"GET //%2e HTTP/1.1\r\nHost: x\r\n\r\n"] * 2
        await trusting.close()


@run
async def test_what_a_busy_target_gave_up_unread_goes_over_another_connection() -> None:
    with Target(lambda connection: connection.recv(1, socket.MSG_PEEK)) as target:
        async with sending() as sender:
            assert (await sender.send(target.post())).failure == ""
            assert (await sender.send(target.post())).failure == ""
            assert (target.calls, len(target.read)) == (2, 2), "it read each of them once"


@run
async def test_what_the_target_read_before_it_closed_is_not_sent_again() -> None:
    with Target(lambda connection: connection.recv(65536)) as target:
        async with sending() as sender:
            assert (await sender.send(target.post())).failure == ""
            assert (await sender.send(target.post())).failure == "closed"
            assert target.calls == 1


@run
async def test_what_a_fresh_connection_resets_is_a_failure() -> None:
    async def reset(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        linger = struct.pack("ii", 1, 0)
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        writer.close()

    async with RawServer(reset) as server, sending() as sender:
        headers = ((b"Host", b"x"), (b"Content-Length", b"0"))
        answer = await sender.send(Request("POST", b"/", headers, b"", "http", "127.0.0.1", server.port))
        assert (answer.failure, server.connections) == ("closed", 1)


@run
async def test_a_close_that_nobody_had_time_to_notice_costs_no_request() -> None:
    may_close = threading.Event()
    with Target(lambda _: may_close.wait(20)) as target:
        async with sending() as sender:
            assert (await sender.send(target.post())).failure == ""
            may_close.set()
            target.closed.wait(20)  # the loop has no turn in which it could see the close
            assert (await sender.send(target.post())).failure == ""
            assert (target.calls, len(target.read)) == (2, 2)


@run
async def test_a_connection_that_ends_while_a_request_waits_for_its_time_costs_nothing() -> None:
    may_close = threading.Event()
    with Target(lambda _: may_close.wait(20)) as target:
        async with sending() as sender:
            assert (await sender.send(target.post())).failure == ""

            async def wait() -> None:
                may_close.set()
                await asyncio.sleep(0.2)

            assert (await sender.send(target.post(), (), wait)).failure == ""
            assert (target.calls, len(target.read)) == (2, 2)
