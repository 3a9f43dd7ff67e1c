"""The selective reader of heads says what the strict one says, of the headers that are asked for, and keeps no secret."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.auth.head_reader import HeadReader
from gatecrash.node.http1.head import BrokenMessage, read_request_head

LINES = (
    b"Host: api.example.com",
    b"host:api.example.com ",
    b"Accept:\t*/*\t",
    b"AUTHORIZATION: Bearer abcdefgh",
    b"Cookie: a=b; c=d",
    b"X-Empty:",
    b"X-Colon: a: b",
    b"X-Request-Id: 1",
    b"no colon",
    b"Host",
    b": no name",
    b"Blank : before",
    b" folded",
    b"",
    b"X-Bare: a\rb",
    b"X-Line: a\nB: c",
    b"X-Nul: a\0b",
    b"X-Latin: \xe4\x85\x80\x1c",
)
FIRST = (
    b"GET /a?b=c HTTP/1.1",
    b"PURGE /a HTTP/1.1",
    b"GET /a HTTP/1.0",
    b"GET  /a HTTP/1.1",
    b"GET /a b HTTP/1.1",
    b"GET",
)


@given(
    st.sampled_from(FIRST),
    st.lists(st.sampled_from(LINES), max_size=6),
    st.sampled_from([b"\r\n", b"\r\n", b"\n", b"\r"]),
)
def test_what_it_reads_the_strict_reader_reads_alike(first: bytes, lines: list[bytes], ending: bytes) -> None:
    head = ending.join([first, *lines])
    reader = HeadReader()
    for _ in range(2):  # with lines that are new to it, and with those that it remembers
        read = reader.read(head)
        if read is not None:
            strict = read_request_head(head)
            assert read == (strict.method, strict.target, strict.headers)


@pytest.mark.parametrize("ending", [b"\n", b"\r"])
def test_two_bare_line_ends_are_no_pair(ending: bytes) -> None:
    """One in the head and one at its end: together as long as the one that belongs between the lines."""
    assert HeadReader().read(ending.join([FIRST[0], b"Host: a", b""])) is None


@pytest.mark.parametrize("first", FIRST[:1])
@pytest.mark.parametrize("line", LINES[:8])
def test_the_usual_ways_of_writing_are_read_here(first: bytes, line: bytes) -> None:
    assert HeadReader().read(first + b"\r\n" + line) is not None


@pytest.mark.parametrize("line", LINES[8:-1])
def test_what_others_may_read_differently_is_left_to_the_strict_reader(line: bytes) -> None:
    head = FIRST[0] + b"\r\n" + line + b"\r\nHost: a"
    assert HeadReader().read(head) is None
    try:
        read_request_head(head)
    except BrokenMessage:
        return
    assert line == b"X-Line: a\nB: c", "a bare line feed ends a line, and nothing else of this is taken"


def test_only_the_headers_that_are_asked_for_are_kept_in_their_order_and_spelling() -> None:
    head = b"GET / HTTP/1.1\r\nhOsT: a\r\nAccept: */*\r\nx-token: 1\r\nX-Other: 2\r\nX-TOKEN: 3\r\nHost: b"
    reader = HeadReader({b"HOST", b"X-TOKEN"}.__contains__)
    expected = ("GET", b"/", ((b"hOsT", b"a"), (b"x-token", b"1"), (b"X-TOKEN", b"3"), (b"Host", b"b")))
    assert reader.read(head) == reader.read(head) == expected


def test_lines_that_may_hold_a_secret_are_not_remembered() -> None:
    reader = HeadReader()
    for name in (
        b"Authorization",
        b"Cookie",
        b"X-Api-Key",
        b"Referer",
        b"X-Anything",
        b"X-Original-URI",
        b"Proxy-Authorization",
    ):
        reader.read(b"GET /s3cret HTTP/1.1\r\nHost: a\r\n" + name + b": s3cret")
    assert set(reader._lines) == {b"Host: a"}


def test_what_clients_choose_grows_nothing_for_ever() -> None:
    reader = HeadReader()
    for number in range(10_000):
        reader.read(b"GET / HTTP/1.1\r\nX-%d: a\r\nHost: h%d\r\nAccept: %b" % (number, number, b"a" * (number % 1000)))
    assert len(reader._names) <= 8192
    assert 0 < len(reader._lines) <= 4096
    assert max(map(len, reader._lines)) <= 512
