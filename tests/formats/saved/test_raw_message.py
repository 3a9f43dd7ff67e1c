"""Messages as text: heads and bodies as tools save them and people edit them."""

import pytest

from gatecrash.formats.saved.raw_message import request_line, response_of, taken_apart


@pytest.mark.parametrize("end", [b"\r\n", b"\n"])
def test_the_head_ends_at_an_empty_line_with_or_without_carriage_returns(end: bytes) -> None:
    raw = end.join([b"POST /a HTTP/1.1", b"Host: a.example", b"X-Two: 1", b"x-two:  2 ", b"", b"one", b"", b"two"])
    first, headers, body = taken_apart(raw)
    assert first == b"POST /a HTTP/1.1"
    assert headers == ((b"Host", b"a.example"), (b"X-Two", b"1"), (b"x-two", b"2"))
    assert body == end.join([b"one", b"", b"two"])


def test_what_http2_writes_as_headers_is_left_out() -> None:
    _, headers, _ = taken_apart(b"GET / HTTP/2\r\n:authority: a.example\r\nAccept: */*\r\n\r\n")
    assert headers == ((b"Accept", b"*/*"),)


def of_a_chunked(body: bytes) -> bytes:
    _, headers, found = taken_apart(b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nA: b\r\n\r\n" + body)
    assert headers == ((b"A", b"b"),), "it is chunked no more"
    return found


def test_chunks_are_joined() -> None:
    assert of_a_chunked(b"3\r\nabc\r\n2;x=1\r\nde\r\n0\r\n\r\n") == b"abcde"
    assert of_a_chunked(b"3\nabc\n0\n\n") == b"abc"


@pytest.mark.parametrize("body", [b"plain already", b"ff\r\ntoo short", b""])
def test_what_is_no_chunks_is_kept(body: bytes) -> None:
    assert of_a_chunked(body) == body


def test_the_lines_that_begin_messages() -> None:
    assert request_line(b"GET /a b HTTP/1.0") == ("GET", b"/a b", "1.0")
    assert request_line(b"PUT http://a.example/x HTTP/2") == ("PUT", b"http://a.example/x", "2")
    assert request_line(b"DELETE /x") == ("DELETE", b"/x", "1.1")
    answer = response_of(b"HTTP/2 404 Not Found\r\nA: b\r\n\r\nnone")
    assert answer is not None
    assert (answer.status, answer.reason, answer.version, answer.body) == (404, b"Not Found", "2", b"none")
    assert response_of(b"") is None


@pytest.mark.parametrize("raw", [b"nonsense", b"HTTP/1.1 2000 OK\r\n\r\n", b"HTTP/1.1 200 OK\r\nno header\r\n\r\n"])
def test_what_is_no_answer_is_told(raw: bytes) -> None:
    with pytest.raises(ValueError, match=r"begins no answer|no header"):
        response_of(raw)
