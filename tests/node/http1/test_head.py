"""Heads are kept byte for byte; requests are read strictly, answers leniently."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatecrash.node.http1.head import (
    _MAX_LINES,
    MAX_HEAD,
    BrokenMessage,
    RequestHead,
    RequestHeads,
    ResponseHeads,
    _lines,
    end_of_head,
    framing_of,
    read_request_head,
    read_response_head,
)


@pytest.mark.parametrize(
    ("data", "ends"),
    [
        (b"a\r\n\r\nbody", (1, 5)),
        (b"a\n\nbody\r\n\r\n", (1, 3)),
        (b"a\r\nb\n\r\nbody", (4, 7)),
        (b"a\r\nb", None),
        (b"", None),
    ],
)
def test_the_earliest_empty_line_ends_the_head(data: bytes, ends: tuple[int, int] | None) -> None:
    assert ends == end_of_head(data)


def test_a_request_keeps_its_target_and_its_headers_order_case_and_duplicates() -> None:
    head = read_request_head(b'M-SEARCH /%2e/\xff?q=<"> HTTP/1.1\r\nhOST: a\r\nX:  1 \r\nx:\r\nX: 1')
    assert (head.method, head.target, head.version) == ("M-SEARCH", b'/%2e/\xff?q=<">', "1.1")
    assert head.headers == ((b"hOST", b"a"), (b"X", b"1"), (b"x", b""), (b"X", b"1"))


@pytest.mark.parametrize(
    "raw",
    [
        b"GET /",
        b"GET  / HTTP/1.1",
        b"GET / a HTTP/1.1",
        b"GE T / HTTP/1.1",
        b"GET / HTTP/2.0",
        b"GET / HTTP/1.1\r\nno colon",
        b"GET / HTTP/1.1\r\n: empty",
        b"GET / HTTP/1.1\r\nA : blank",
        b"GET / HTTP/1.1\r\nA: 1\r\n folded",
        b"GET / HTTP/1.1\r\nA: 1\rB: 2",
        b"GET / HTTP/1.1\r\nA: \x00",
        b"GET / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked",
        b"GET / HTTP/1.1\r\nTransfer-Encoding: gzip",
        b"GET / HTTP/1.1\r\nContent-Length: 1, 2",
        b"GET / HTTP/1.1\r\nContent-Length: 0x1",
        b"GET / HTTP/1.1\r\nContent-Length: 1_0",
        b"GET / HTTP/1.1\r\nContent-Length: ",
    ],
)
def test_what_others_could_read_differently_is_no_request(raw: bytes) -> None:
    with pytest.raises(BrokenMessage):
        read_request_head(raw)


def test_an_answer_may_be_folded_bare_and_blank() -> None:
    head = read_response_head(b"HTTP/1.1 200\nA : 1\n\t2\nset-cookie: a\nSet-Cookie: b")
    assert (head.status, head.reason) == (200, b"")
    assert head.headers == ((b"A", b"1 2"), (b"set-cookie", b"a"), (b"Set-Cookie", b"b"))


@pytest.mark.parametrize(
    "raw", [b"", b"SSH-2.0", b"HTTP/1.1 20 x", b"HTTP/1.1 abc x", b"HTTP/3 200", b"HTTP/1.1 200 OK\r\nx"]
)
def test_what_is_no_answer_is_told_apart(raw: bytes) -> None:
    with pytest.raises(BrokenMessage):
        read_response_head(raw)


@pytest.mark.parametrize(
    ("raw", "kept"),
    [
        (b"HTTP/1.1 200 OK", True),
        (b"HTTP/1.1 200 OK\r\nConnection: x, CLOSE", False),
        (b"HTTP/1.0 200 OK", False),
        (b"HTTP/1.0 200 OK\r\nConnection: Keep-Alive", True),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked", False),
    ],
)
def test_whether_the_connection_goes_on(raw: bytes, kept: bool) -> None:
    assert read_response_head(raw).keep_alive is kept


def test_equal_lengths_are_one_and_the_last_coding_decides() -> None:
    framing = framing_of(
        ((b"Content-Length", b"5, 5"), (b"CONTENT-length", b"5"), (b"transfer-Encoding", b"gzip, Chunked"))
    )
    assert (framing.length, framing.chunked, framing.coded) == (5, True, True)


def test_lines_are_passed_on_as_they_came_only_where_nothing_must_change() -> None:
    regular = b"\r\nA:1\r\nb:  2 \r\nContent-Length: 5\r\nempty:\r\nblank: \t"
    head = read_request_head(b"GET / HTTP/1.1" + regular)
    assert head.block == regular
    assert head.headers == ((b"A", b"1"), (b"b", b"2"), (b"Content-Length", b"5"), (b"empty", b""), (b"blank", b""))
    assert read_response_head(b"HTTP/1.1 200 OK" + regular).headers == head.headers
    for changing in (b"\r\nConnection: close", b"\r\nTE: x", b"\nA: 1", b"\r\nproxy-authorization: x"):
        assert read_request_head(b"GET / HTTP/1.1" + regular + changing).block == b""
    for odd in (b"\r\nA : 1", b"\r\nA: 1\r\n folded", b"\nA: 1", b"\r\nA: 1\r2", b"\r\nA: \0", b"\r\nKeep-Alive: 5"):
        assert read_response_head(b"HTTP/1.1 200 OK" + regular + odd).block == b""


def test_no_credential_stays_with_the_lines_that_are_remembered() -> None:
    read_request_head(
        b"GET / HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer s3cret\r\nX-Odd-Key: s3cret\r\nCookie: s=s3cret"
    )
    read_response_head(b"HTTP/1.1 200 OK\r\nServer: a\r\nSet-Cookie: s=s3cret")
    assert b"Server: a" in _lines
    assert not any(b"s3cret" in line for line in _lines)


def test_any_number_of_different_lines_takes_bounded_memory_and_changes_no_reading() -> None:
    for number in range(_MAX_LINES + 10):
        head = read_response_head(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\nServer: %d" % (number, number))
        assert (head.framing.length, head.headers[1]) == (number, (b"Server", b"%d" % number))
    assert len(_lines) <= _MAX_LINES


LINES = (
    b"GET / HTTP/1.1", b"GET /2?q=\xff HTTP/1.1", b"POST / HTTP/1.0", b"GET /\nX: 1 HTTP/1.1", b"GET /\r HTTP/1.1",
    b"GET /\0 HTTP/1.1", b"GET / HTTP/2", b"GET", b"",
)  # fmt: skip
BLOCKS = (
    b"", b"\r\nHost: a", b"\r\nHost: b", b"\r\nHost: a\r\nConnection: keep-alive", b"\r\nContent-Length: 5",
    b"\r\nConnection: Upgrade\r\nUpgrade: h2c", b"\r\nContent-Length: 5\r\nTransfer-Encoding: chunked", b"\nHost: a",
    b"\r\nHost : a", b"\r\nX: " + b"x" * 9000,
)  # fmt: skip


def told_or_refused(read: Callable[[bytes], RequestHead], head: bytes) -> RequestHead | str:
    try:
        return read(head)
    except BrokenMessage as error:
        return str(error)


@given(st.lists(st.tuples(st.sampled_from(LINES), st.sampled_from(BLOCKS)), max_size=12))
def test_what_a_connection_sent_before_changes_no_reading(heads: list[tuple[bytes, bytes]]) -> None:
    remembering = RequestHeads()
    for line, block in heads:
        known = told_or_refused(
            lambda data: remembering.again(data + b"\r\n\r\n") or read_request_head(data), line + block
        )
        assert known == told_or_refused(read_request_head, line + block)
        assert told_or_refused(remembering, line + block) == told_or_refused(read_request_head, line + block)


def test_headers_that_come_again_are_the_same_object_and_large_or_upgrading_ones_are_not_kept() -> None:
    for block, same in ((BLOCKS[1], True), (BLOCKS[3], True), (BLOCKS[5], False), (BLOCKS[9], False)):
        read = RequestHeads()
        one, two = read(LINES[0] + block), read(LINES[1] + block)
        assert one.headers == two.headers
        assert (one.headers is two.headers) is same
        assert (read.again(LINES[1] + block + b"\r\n\r\n") == two) is same


def test_nothing_but_one_whole_head_is_the_same_again() -> None:
    read, behind = RequestHeads(), BLOCKS[1] + b"\r\n\r\n"
    assert read.again(LINES[0] + behind) is None
    read(LINES[0] + BLOCKS[1])
    for data in (
        LINES[0] + behind + b"G",
        LINES[0] + behind[:-1],
        (LINES[0] + behind) * 2,
        b"\r\n" + LINES[0] + behind,
        LINES[0] + b"\nX: 1" + behind,
        b"GET /" + b"x" * MAX_HEAD + b" HTTP/1.1" + behind,
    ):
        assert read.again(data) is None


def test_a_head_of_an_answer_that_comes_again_is_the_same_object_and_a_large_one_is_not_kept() -> None:
    read, head = ResponseHeads(), b"HTTP/1.1 200 OK\r\nX: 1"
    one = read(head)
    assert read(head) is one
    assert read(head + b"2") == read_response_head(head + b"2")
    assert read(head) == one
    large = head + b"x" * 9000
    assert read(large) == read(large)
    assert read(large) is not read(large)
