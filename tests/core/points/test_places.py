"""Where a request holds points, and how each place is put back."""

import gzip

import pytest

from gatecrash.core.message import Request
from gatecrash.core.points.codec import LIMITS, Limits, Unreadable
from gatecrash.core.points.places import (
    IN_BODY,
    IN_TARGET,
    body_buffer,
    buffers_for,
    cookie_buffers,
    header_buffers,
    put_back,
    target_buffers,
)

REQUEST = Request(
    "POST", b"/a?b=1", ((b"A", b"1"), (b"Cookie", b"x=1"), (b"a", b"2"), (b"Content-Length", b"3")), b"abc"
)


def test_headers_of_one_name_are_numbered_alone_or_among_all() -> None:
    assert [buffer.parts[0].steps for buffer in header_buffers(REQUEST)] == [
        ("header", "A", "array", "0"),
        ("header", "COOKIE"),
        ("header", "A", "array", "1"),
        ("header", "CONTENT-LENGTH"),
    ]
    assert [(buffer.slot, buffer.parts[0].steps[-1]) for buffer in header_buffers(REQUEST, "A")] == [(0, "0"), (2, "1")]


def test_credentials_begin_behind_the_scheme_in_authorization_only() -> None:
    request = Request(
        "GET", b"/", ((b"Authorization", b"Bearer  abc"), (b"X", b"Bearer abc"), (b"Proxy-Authorization", b"abc"))
    )
    assert [buffer.parts[0].inner for buffer in header_buffers(request)] == [8, 0, 0]


def test_only_the_buffers_a_point_can_be_in_are_read() -> None:
    assert [buffer.codec.step for buffer in buffers_for(REQUEST, ("action_ext",), LIMITS)] == ["action_name"]
    assert [buffer.slot for buffer in buffers_for(REQUEST, ("header", "COOKIE", "cookie", "x"), LIMITS)] == [1]
    assert [buffer.slot for buffer in buffers_for(REQUEST, ("post",), LIMITS)] == [IN_BODY]
    assert buffers_for(REQUEST, (), LIMITS) == []
    assert buffers_for(REQUEST, ("header",), LIMITS) == []
    assert len(target_buffers(REQUEST, LIMITS)) == 4
    assert len(cookie_buffers(REQUEST, LIMITS)) == 1


def test_what_is_too_long_is_not_read() -> None:
    with pytest.raises(Unreadable, match="longer than 2 bytes"):
        target_buffers(REQUEST, Limits(body=2))
    with pytest.raises(Unreadable, match="longer than 2 bytes"):
        body_buffer(REQUEST, Limits(body=2))


def test_a_coded_body_is_decoded_and_an_empty_one_is_plain() -> None:
    coded = Request("POST", b"/", ((b"Content-Encoding", b"gzip"),), gzip.compress(b"abc"))
    assert body_buffer(coded, LIMITS).parts[0].value == b"abc"
    assert body_buffer(Request("POST", b"/", coded.headers), LIMITS).parts[0].value == b""


def test_each_slot_is_put_back_where_it_was() -> None:
    assert put_back(REQUEST, IN_TARGET, b"/z").target == b"/z"
    assert put_back(REQUEST, 2, b"9").headers[2] == (b"a", b"9")
    assert put_back(REQUEST, 2, None).headers == REQUEST.headers[:2] + REQUEST.headers[3:]
    longer = put_back(REQUEST, IN_BODY, b"abcd")
    assert (longer.body, longer.headers[3]) == (b"abcd", (b"Content-Length", b"4"))
    assert put_back(REQUEST, IN_BODY, b"xyz").headers is REQUEST.headers
