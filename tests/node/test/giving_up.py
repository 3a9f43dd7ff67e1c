"""A target that gives up a connection that it kept."""

import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Self

from tests.node.test.sending import OK

from gatecrash.core.message import Request


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
