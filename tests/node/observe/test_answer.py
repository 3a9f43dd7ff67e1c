"""An answer reaches the client as far as the client can take it, and its end can be told from a break."""

import pytest
from tests.node.loop import run

from gatecrash.node.http1.body import response_body
from gatecrash.node.http1.head import read_request_head, read_response_head
from gatecrash.node.observe.answer import AnswerSocket
from gatecrash.node.observe.observations import Observations
from gatecrash.node.observe.passing import Passing
from gatecrash.node.observe.route import Origin, reverse

CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked"
LENGTH = b"HTTP/1.1 200 OK\r\nContent-Length: 2"
NEITHER = b"HTTP/1.1 200 OK\r\nX: 1"


def asked(version: bytes = b"1.1", *more: bytes) -> Passing:
    head = read_request_head(b"\r\n".join((b"GET / HTTP/" + version, b"Host: a", *more)))
    return Passing(head, reverse(head, Origin("http", "a", 80)), Observations(), 0.0)


class Listening:
    """A transport that keeps what is written."""

    def __init__(self) -> None:
        self.written = b""

    def write(self, data: bytes) -> None:
        self.written += data


def answer(passing: Passing, raw: bytes, *pieces: bytes) -> tuple[AnswerSocket, bytes]:
    head = read_response_head(raw)
    socket, transport = AnswerSocket(), Listening()
    socket.attach(transport)  # type: ignore[arg-type]
    socket.start(passing, head, response_body(head, passing.head.method))
    for piece in pieces:
        socket.piece(piece)
    socket.end(())
    socket.flush()
    return socket, transport.written


@pytest.mark.parametrize(
    ("version", "raw", "body", "closing", "cut"),
    [
        (b"1.1", LENGTH, b"ok", False, False),
        (b"1.1", CHUNKED, b"2\r\nok\r\n0\r\n\r\n", False, False),
        (b"1.1", NEITHER, b"ok", True, True),
        (b"1.0", LENGTH, b"ok", True, False),
        (b"1.0", CHUNKED, b"ok", True, True),
    ],
)
@run
async def test_each_way_to_end_for_each_kind_of_client(
    version: bytes, raw: bytes, body: bytes, closing: bool, cut: bool
) -> None:
    socket, written = answer(asked(version), raw, b"ok")
    head, _, rest = written.partition(b"\r\n\r\n")
    assert (rest, socket.closing, socket.cut_by_close) == (body, closing, cut)
    assert (b"Connection: close" in head) is closing


@run
async def test_an_old_client_that_wants_to_go_on_is_told_so() -> None:
    socket, written = answer(asked(b"1.0", b"Connection: keep-alive"), LENGTH, b"ok")
    assert not socket.closing
    assert written == b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\nok"


@run
async def test_a_refusal_of_a_request_whose_body_is_owed_closes() -> None:
    for more, closing in (((), False), ((b"Content-Length: 9",), True)):
        socket, transport = AnswerSocket(), Listening()
        socket.attach(transport)  # type: ignore[arg-type]
        socket.refuse(asked(b"1.1", *more), 502, "It is so.")
        assert socket.closing is closing
        assert transport.written.startswith(b"HTTP/1.1 502 ")
