"""Kept connections that the target gave up: what it surely had not read goes over another, whatever its method."""

import asyncio
import socket
import struct
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Self

from tests.node.loop import run
from tests.node.test.sending import OK, sending

from gatecrash.core.message import Request
from gatecrash.fakes.raw_server import RawServer


class Target:
    """One thread with blocking sockets: it answers one request of its first connection, gives that up, and answers others.

    give_up: what it does with the first connection before it closes it. read: all that it read, one entry a request.
    calls: connections that came.
    """

    def __init__(self, give_up: Callable[[socket.socket], object]) -> None:
        self.read: list[bytes] = []
        self.calls = 0
        self.closed = threading.Event()
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._listening.settimeout(20)
        self._give_up = give_up
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def post(self) -> Request:
        headers = ((b"Host", b"x"), (b"Content-Length", b"3"))
        return Request("POST", b"/pay", headers, b"x=1", "http", "127.0.0.1", self._listening.getsockname()[1])

    def _serve(self) -> None:
        with suppress(OSError):
            self._answer_one(self._give_up)
            self.closed.set()
            while True:
                self._answer_one(lambda connection: connection.recv(1))

    def _answer_one(self, afterwards: Callable[[socket.socket], object]) -> None:
        connection, _ = self._listening.accept()
        with connection:
            self.calls += 1
            connection.settimeout(20)
            self.read.append(connection.recv(65536))
            connection.sendall(OK)
            afterwards(connection)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._listening.shutdown(socket.SHUT_RDWR)
        self._thread.join(20)
        self._listening.close()


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
