"""The lossless message: nothing is normalised, and it travels as it is."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.points.realistic import requests, wild_requests

from gatecrash.core.message import (
    Exchange,
    Request,
    Response,
    all_values,
    is_of_body,
    kind_of_content,
    reading,
    unsigned,
    with_header,
    without_header,
)

HEADERS = ((b"Host", b"a"), (b"X-a", b"1"), (b"x-A", b"2"), (b"Empty", b""))


@given(st.one_of(requests(), wild_requests()), st.binary(max_size=20))
def test_an_exchange_travels_unchanged(request_: Request, body: bytes) -> None:
    exchange = Exchange(request_, Response(200, HEADERS, body, b"OK"), 1.5, 0.25, "c1")
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(exchange), type=Exchange) == exchange


@pytest.mark.parametrize(
    ("target", "path", "query"),
    [
        (b"/a?b=1?c", b"/a", b"b=1?c"),
        (b"/a?", b"/a", b""),
        (b"/a", b"/a", None),
        (b"/../%2e//", b"/../%2e//", None),
        (b"*", b"*", None),
    ],
)
def test_the_target_is_cut_at_its_first_question_mark(target: bytes, path: bytes, query: bytes | None) -> None:
    request = Request("GET", target)
    assert (request.path, request.query) == (path, query)


@pytest.mark.parametrize(
    ("scheme", "host", "port", "origin"),
    [
        ("http", "a.example", 80, "http://a.example"),
        ("https", "a.example", 443, "https://a.example"),
        ("https", "a.example", 80, "https://a.example:80"),
        ("http", "::1", 8080, "http://[::1]:8080"),
    ],
)
def test_the_origin_leaves_out_the_schemes_own_port(scheme: str, host: str, port: int, origin: str) -> None:
    assert Request("GET", b"/x\xff", scheme=scheme, host=host, port=port).origin == origin


def test_the_url_shows_other_bytes_as_escapes() -> None:
    assert Request("GET", b"/x\xff?a", host="h").url == "http://h/x\\xff?a"


def test_headers_are_found_without_case_and_in_order() -> None:
    assert list(all_values(HEADERS, b"x-a")) == [b"1", b"2"]
    assert Request("GET", b"/", HEADERS).first(b"X-A") == b"1"
    assert Response(200, HEADERS).first(b"empty") == b""
    assert Response(200, HEADERS).first(b"none") is None


def test_a_header_is_set_in_place_in_its_own_spelling_or_added_at_the_end() -> None:
    assert with_header(HEADERS, b"X-A", b"9") == ((b"Host", b"a"), (b"X-a", b"9"), (b"x-A", b"2"), (b"Empty", b""))
    assert with_header(HEADERS, b"New", b"n") == (*HEADERS, (b"New", b"n"))


def test_a_header_goes_with_all_its_values() -> None:
    assert without_header(HEADERS, b"X-A") == ((b"Host", b"a"), (b"Empty", b""))


def test_what_says_how_a_body_is_read_goes_with_it() -> None:
    assert [each for each in (b"Content-Type", b"SOAPAction", b"Accept", b"Cookie") if is_of_body(each)] == [
        b"Content-Type",
        b"SOAPAction",
    ]


POST = Request(
    "POST",
    b"/notes?x=1",
    (
        (b"Host", b"a"),
        (b"Cookie", b"sid=1"),
        (b"Content-Type", b"text/plain"),
        (b"SOAPAction", b"add"),
        (b"content-length", b"2"),
    ),
    b"hi",
    "http",
    "a",
)


def test_a_plain_question_keeps_its_sender_and_leaves_the_body_with_all_that_is_said_of_it() -> None:
    asked = reading(POST, b"/notes/7")
    assert (asked.method, asked.target, asked.body, asked.host) == ("GET", b"/notes/7", b"", "a")
    assert asked.headers == POST.headers[:2]


def test_what_is_unsigned_says_nothing_but_what_is_said_of_its_body() -> None:
    bare = unsigned(POST)
    assert bare.headers == POST.headers[2:]
    assert (bare.method, bare.target, bare.body) == ("POST", POST.target, b"hi")


def test_the_kind_of_a_body_is_its_media_type_alone() -> None:
    said = ((b"content-type", b" Application/JSON ; charset=utf-8"),)
    assert kind_of_content(Response(200, said)) == b"application/json"
    assert kind_of_content(Request("GET", b"/")) == b""
