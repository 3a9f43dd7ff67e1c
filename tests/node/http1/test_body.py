"""Bodies end where the RFC says, however the bytes are cut."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatecrash.node.http1.body import ChunkedBody, ClosingBody, LengthBody, request_body, response_body
from gatecrash.node.http1.head import BrokenMessage, read_request_head, read_response_head
from gatecrash.node.http1.write import chunk, last_chunk


def test_a_length_takes_what_it_says_and_leaves_the_rest() -> None:
    body = LengthBody(5)
    assert body.feed(b"abc") == (b"abc", b"")
    assert not body.done
    assert body.feed(b"defg") == (b"de", b"fg")
    assert body.done
    assert LengthBody(0).done


def test_a_close_in_the_middle_is_not_whole() -> None:
    assert not LengthBody(1).close()
    assert not ChunkedBody().close()
    assert ClosingBody().close()


@given(pieces=st.lists(st.binary(max_size=50), max_size=8), cuts=st.lists(st.integers(0, 400), max_size=6))
def test_chunks_give_their_bytes_whatever_the_cuts(pieces: list[bytes], cuts: list[int]) -> None:
    wire = b"".join(map(chunk, pieces)) + last_chunk(((b"T", b"v"),)) + b"next"
    edges = [0, *sorted(min(cut, len(wire)) for cut in cuts), len(wire)]
    body = ChunkedBody()
    got = rest = b""
    for start, end in itertools.pairwise(edges):
        if body.done:
            rest += wire[start:end]
            continue
        piece, behind = body.feed(wire[start:end])
        got += piece
        rest += behind
    assert body.done
    assert got == b"".join(pieces)
    assert rest == b"next"
    assert body.trailers == ((b"T", b"v"),)


@pytest.mark.parametrize(
    "raw",
    [b"-1\r\n", b"0x5\r\n", b"1_0\r\n", b"\r\n", b"z\r\n", b"1\r\nab\r\n", b"f" * 17 + b"\r\n", b"0\r\nno colon\r\n"],
)
def test_a_broken_coding_is_refused(raw: bytes) -> None:
    with pytest.raises(BrokenMessage):
        ChunkedBody().feed(raw)


def test_an_endless_size_line_is_too_large() -> None:
    with pytest.raises(BrokenMessage) as caught:
        ChunkedBody().feed(b"1;" + b"x" * 20_000)
    assert caught.value.too_large


def test_what_delimits_a_body() -> None:
    assert request_body(read_request_head(b"GET / HTTP/1.1")).done
    assert isinstance(request_body(read_request_head(b"PUT / HTTP/1.1\r\nTransfer-Encoding: chunked")), ChunkedBody)
    ok = read_response_head(b"HTTP/1.1 200 OK\r\nContent-Length: 5")
    assert response_body(ok, "HEAD").done
    assert not response_body(ok, "GET").done
    assert response_body(read_response_head(b"HTTP/1.1 304 X\r\nContent-Length: 5"), "GET").done
    assert isinstance(response_body(read_response_head(b"HTTP/1.1 200 OK"), "GET"), ClosingBody)
    gzip = read_response_head(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\nContent-Length: 5")
    assert isinstance(response_body(gzip, "GET"), ClosingBody)
