"""A message in one read goes on as it does in two, and is seen the same."""

import itertools
from collections.abc import Iterable
from typing import Any

import msgspec
from tests.node.loop import run

from gatecrash.node.observe.client_side import ClientConnection
from gatecrash.node.observe.observations import Observations
from gatecrash.node.observe.route import Origin
from gatecrash.node.observe.tap import Tap, TapSettings
from gatecrash.node.observe.whole import WholeAnswers

THERE = Origin("http", "localhost", 81)
REQUESTS = (
    b"GET /1 HTTP/1.1\r\nHost: a\r\nCookie: s=1\r\n\r\n",
    b"GET /2?q HTTP/1.1\r\nHost: a\r\nCookie: s=1\r\n\r\n",
    b"HEAD /3 HTTP/1.1\r\nHost: a\r\nCookie: s=1\r\n\r\n",
    b"GET /4 HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: keep-alive\r\nTE: trailers\r\n\r\n",
    b"GET /5 HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n",
    b"GET /6 HTTP/1.0\r\nHost: a\r\nConnection: keep-alive\r\n\r\n",
    b"POST /7 HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi",
    b"POST /8 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n",
)
ANSWERS = (
    b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
    b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: keep-alive\r\nKeep-Alive: timeout=5\r\n\r\nok",
    b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok and more",
    b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok",
    b"HTTP/1.0 200 OK\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\nok",
    b"HTTP/1.1 200\nX : 1\nContent-Length: 2\n\nok",
    b"\r\nHTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nok",
    b"HTTP/1.1 204 No Content\r\nX: 1\r\n\r\n",
    b"HTTP/1.1 304 Not Modified\r\nContent-Length: 2\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nT: v\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n2\r\nok\r\n0\r\n\r\n",
    b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
    b"HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
    b"HTTP/1.1 200 OK\r\nContent-Length: two\r\n\r\nok",
)


class Wire:
    """A transport that keeps what is written."""

    def __init__(self) -> None:
        self.written = b""
        self.closed = False

    def write(self, data: bytes) -> None:
        self.written += data

    def close(self) -> None:
        self.closed = True

    abort = close

    def is_closing(self) -> bool:
        return self.closed

    def get_extra_info(self, name: str) -> Any:
        return None

    def pause_reading(self) -> None: ...
    def resume_reading(self) -> None: ...


def in_one(data: bytes) -> Iterable[bytes]:
    return (data,)


def in_two(data: bytes) -> Iterable[bytes]:
    return (data[:1], data[1:])


def talk(request: bytes, answer: bytes, asks: Any, answers: Any) -> list[Any]:
    """Three times the same over one client's connection, as far as it goes: what each end got, and what was seen."""
    tap = Tap(TapSettings(port=0, upstream=THERE), Observations())
    client, near, fars = ClientConnection(tap, "c"), Wire(), []
    client.connection_made(near)  # type: ignore[arg-type]
    upstream = None
    for _ in range(3):
        if near.closed:
            break
        if upstream is None or not upstream.leads_to(THERE):
            fars.append(Wire())
            upstream = client.upstream(THERE)
            upstream.connection_made(fars[-1])  # type: ignore[arg-type]
        for piece in asks(request):
            client.data_received(piece)
        for piece in answers(answer):
            if not fars[-1].closed:
                upstream.data_received(piece)
        if fars[-1].closed:
            upstream.connection_lost(None)
    seen = [msgspec.structs.replace(each.exchange, started=0.0, elapsed=None) for each in tap.observations.take_now()]
    return [near.written, near.closed, [(far.written, far.closed) for far in fars], seen]


@run
async def test_what_came_in_one_read_goes_on_as_what_came_in_two() -> None:
    for request, answer in itertools.product(REQUESTS, ANSWERS):
        cut = talk(request, answer, in_two, in_two)
        assert cut[3], (request, answer)
        if not answer.endswith(b"more"):  # bytes that nobody asked for end the connection sooner when they come alone
            assert talk(request, answer, in_two, in_one) == cut
        assert talk(request, answer, in_one, in_one) == talk(request, answer, in_two, in_one)


@run
async def test_answers_over_one_connection_are_each_read_for_themselves() -> None:
    bodies = [
        b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX: %b\r\n\r\n%b" % pair for pair in ((b"1", b"ab"), (b"2", b"cd"))
    ]
    known = WholeAnswers()
    for raw in (*bodies, bodies[0], b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX: 1\r\n\r\nef"):
        found = known.of(raw)
        assert found is not None
        assert found.begins == raw[:-2]
        assert found.for_client(raw, raw[-2:]) == raw
        assert known.of(raw[:-1]) is None
        assert known.of(raw + b"x") is None


def test_a_head_that_holds_for_one_hop_only_is_changed_once_and_the_answer_with_it() -> None:
    known = WholeAnswers()
    raw = b"HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\n"
    for body in (b"ab", b"cd"):
        found = known.of(raw + body)
        assert found is not None
        assert found.for_client(raw + body, body) == b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n" + body
    assert known.of(raw + b"ef") is found
