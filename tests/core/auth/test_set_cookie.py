"""What Set-Cookie issues, and which values look random."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.auth.set_cookie import Issued, issued, parse, taken_back
from gatecrash.core.message import Response


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        (b"sid=abc", Issued(b"sid", b"abc", False)),
        (b' sid = "abc" ; Path=/; HTTPONLY; Secure', Issued(b"sid", b"abc", True)),
        (b"sid=abc; Expires=Wed, 21 Oct 2099 07:28:00 GMT; Max-Age=3600", Issued(b"sid", b"abc", False)),
        (b"sid=abc; Domain = .Shop.example ; Path=/", Issued(b"sid", b"abc", False, b".Shop.example")),
        (b"sid=; HttpOnly", None),
        (b"sid=deleted; HttpOnly", None),
        (b"sid=abc; Max-Age=0", None),
        (b"sid=abc; Max-Age=-1", None),
        (b"sid=abc; Expires=Thu, 01-Jan-1970 00:00:01 GMT", None),
        (b"sid", None),
        (b"=abc", None),
    ],
)
def test_parsing(header, expected):
    assert parse(header) == expected


def test_every_set_cookie_header_is_read_in_any_case_and_a_flood_is_cut():
    headers = ((b"SET-COOKIE", b"a=1x"), (b"Set-Cookie2", b"b=1x"), (b"set-cookie", b"c=1x"))
    assert [cookie.name for cookie in issued(Response(200, headers))] == [b"a", b"c"]
    assert len(list(issued(Response(200, ((b"Set-Cookie", b"a=1x"),) * 1000)))) == 50


@given(st.binary(max_size=100))
def test_arbitrary_bytes_never_raise(header):
    cookie = parse(header)
    assert cookie is None or cookie.name


def test_what_is_deleted_and_not_issued_once_more_is_taken_back() -> None:
    told = (b"sid=; Path=/", b"sid=abc; Path=/app", b"theme=dark", b"mark=x; Max-Age=0")
    response = Response(200, ((b"Content-Type", b"text/html"), *((b"Set-Cookie", each) for each in told)))
    assert taken_back(response) == {b"mark"}
    assert taken_back(Response(200)) == frozenset()
