"""What is written is what was given, and it is known whether it ends where it ends."""

import pytest

from gatecrash.core.message import Request
from gatecrash.node.http1.write import chunk, last_chunk, request_bytes


@pytest.mark.parametrize(
    ("headers", "body", "delimited"),
    [
        ((), b"", True),
        ((), b"x", False),
        (((b"Content-Length", b"1"),), b"x", True),
        (((b"Content-Length", b"2"),), b"x", False),
        (((b"Content-Length", b"x"),), b"x", False),
        (((b"Transfer-Encoding", b"chunked"),), b"x", True),
        (((b"Transfer-Encoding", b"chunked"), (b"Content-Length", b"1")), b"x", False),
        (((b"Transfer-Encoding", b"gzip"),), b"x", False),
    ],
)
def test_whether_a_request_is_delimited(headers: tuple[tuple[bytes, bytes], ...], body: bytes, delimited: bool) -> None:
    assert request_bytes(Request("POST", b"/", headers, body))[1] is delimited


def test_bytes_are_the_requests_own_with_what_is_extra_behind() -> None:
    request = Request("GET", b"*", ((b"b", b"2"), (b"A", b"")), version="1.0")
    assert request_bytes(request, ((b"M", b"m"),))[0] == b"GET * HTTP/1.0\r\nb: 2\r\nA: \r\nM: m\r\n\r\n"


def test_no_chunk_is_the_last_by_accident() -> None:
    assert chunk(b"") == b""
    assert chunk(b"x" * 17) == b"11\r\n" + b"x" * 17 + b"\r\n"
    assert last_chunk(()) == b"0\r\n\r\n"
    assert last_chunk(((b"T", b"v"),)) == b"0\r\nT: v\r\n\r\n"
