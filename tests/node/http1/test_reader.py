"""The reader gives one message after the other, and the next only when asked."""

import itertools
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatecrash.node.http1.body import request_body
from gatecrash.node.http1.head import BrokenMessage, RequestHead, read_request_head
from gatecrash.node.http1.reader import MessageReader


class Sink:
    """Notes what came; goes on by itself where told to."""

    def __init__(self, *, eager: bool) -> None:
        self.seen: list[Any] = []
        self.eager = eager
        self.reader: MessageReader[RequestHead] = MessageReader(self, read_request_head)

    def head_received(self, head: RequestHead) -> Any:
        self.seen.append([head.target, b""])
        return None if head.method == "CONNECT" else request_body(head)

    def body_received(self, piece: bytes) -> None:
        self.seen[-1][1] += piece

    def message_complete(self, trailers: Any) -> None:
        self.seen[-1].append("end")
        assert not self.reader.fresh
        if self.eager:
            self.reader.next()


WIRE = b"\r\nPOST /1 HTTP/1.1\r\nContent-Length: 2\r\n\r\nhiGET /2 HTTP/1.1\r\n\r\nPOST /3 HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"


@given(st.lists(st.integers(0, len(WIRE)), max_size=8))
def test_messages_are_the_same_whatever_the_cuts(cuts: list[int]) -> None:
    sink = Sink(eager=True)
    edges = [0, *sorted(cuts), len(WIRE)]
    for start, end in itertools.pairwise(edges):
        sink.reader.feed(WIRE[start:end])
    assert sink.seen == [[b"/1", b"hi", "end"], [b"/2", b"", "end"], [b"/3", b"abc", "end"]]
    assert sink.reader.idle


def test_a_pipelined_message_waits_for_its_turn() -> None:
    sink = Sink(eager=False)
    sink.reader.feed(WIRE)
    assert [each[0] for each in sink.seen] == [b"/1"]
    assert sink.reader.waiting
    sink.reader.next()
    assert [each[0] for each in sink.seen] == [b"/1", b"/2"]


def test_ten_thousand_short_messages_do_not_exhaust_the_stack() -> None:
    sink = Sink(eager=True)
    sink.reader.feed(b"GET / HTTP/1.1\r\n\r\n" * 10_000)
    assert len(sink.seen) == 10_000


def test_behind_a_tunnels_head_nothing_is_read() -> None:
    sink = Sink(eager=True)
    sink.reader.feed(b"CONNECT a:1 HTTP/1.1\r\n\r\n\x16\x03\x01")
    sink.reader.feed(b"more")
    assert sink.reader.rest == b"\x16\x03\x01more"


def test_the_end_of_the_connection_is_whole_between_messages_only() -> None:
    sink = Sink(eager=True)
    sink.reader.feed(b"GET / HTTP/1.1\r\n\r\n")
    assert sink.reader.close()
    sink.reader.feed(b"GET / HT")
    assert not sink.reader.close()


def test_tls_is_refused_at_its_first_bytes_instead_of_waited_on() -> None:
    with pytest.raises(BrokenMessage, match="TLS was begun where plain HTTP is spoken"):
        Sink(eager=True).reader.feed(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03")
