"""An address is taken apart without losing a byte, and a header's text becomes the bytes it was."""

import pytest

from gatecrash.core.message import Headers, Request
from gatecrash.formats.capture import (
    Address,
    address_of,
    first_said,
    header_bytes,
    sendable,
    shortened,
    without_pseudo,
)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://shop.example/a?b=c", Address("http", "shop.example", 80, b"/a?b=c")),
        ("https://shop.example", Address("https", "shop.example", 443, b"/")),
        ("HTTPS://Shop.Example:8443/", Address("https", "shop.example", 8443, b"/")),
        ("http://shop.example/a?", Address("http", "shop.example", 80, b"/a?")),
        ("http://shop.example?q=1", Address("http", "shop.example", 80, b"/?q=1")),
        ("http://shop.example/a//b/../c?x=//y", Address("http", "shop.example", 80, b"/a//b/../c?x=//y")),
        ("http://shop.example/a#part", Address("http", "shop.example", 80, b"/a")),
        ("http://[::1]:81/x", Address("http", "::1", 81, b"/x")),
        ("http://shop.example/%7e/é", Address("http", "shop.example", 80, "/%7e/é".encode())),
        ("http://shop.example/a b?c=\r\nX:\t1", Address("http", "shop.example", 80, b"/a%20b?c=%0D%0AX:%091")),
        ("http://bücher.example/", Address("http", "xn--bcher-kva.example", 80, b"/")),
    ],
)
def test_an_address_keeps_path_and_query_as_they_were(url: str, expected: Address) -> None:
    assert address_of(url) == expected


@pytest.mark.parametrize("url", ["", "/a", "ftp://shop.example/", "http://", "http:///a", "http://shop.example:99999/"])
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match=r"address|[Pp]ort"):
        address_of(url)


def test_a_refusal_shows_no_query() -> None:
    with pytest.raises(ValueError, match="not http") as caught:
        address_of("ftp://shop.example/?token=secret")
    assert "secret" not in str(caught.value)


def test_a_long_text_is_cut_for_a_message() -> None:
    assert shortened("x" * 80) == "x" * 80
    assert shortened("x" * 81) == "x" * 80 + "…"


@pytest.mark.parametrize(
    ("text", "expected"), [("a", b"a"), ("é", b"\xe9"), ("€", "€".encode()), (None, b""), (5, b"5")]
)
def test_a_headers_text_becomes_bytes(text: object, expected: bytes) -> None:
    assert header_bytes(text) == expected


@pytest.mark.parametrize(
    ("method", "headers", "told"),
    [
        ("GE T", (), "method"),
        ("", (), "method"),
        ("GET", ((b"Bad Name", b"1"),), "Bad Name"),
        ("GET", ((b"X-A", b"1\r\nHost: other"),), "X-A holds a line end"),
        ("GET", ((b"X-A", b"1\0"),), "X-A"),
    ],
)
def test_what_would_be_another_request_on_the_wire_is_refused(method: str, headers: Headers, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        sendable(Request(method, b"/", headers))


def test_all_else_may_be_sent_as_it_is() -> None:
    odd = Request("purge", b"/\xff", ((b"X_A!", b"\xe9 \t:"), (b"X-Empty", b"")))
    assert sendable(odd) is odd


def test_pseudo_headers_are_left_out() -> None:
    assert without_pseudo(((b":path", b"/"), (b"Host", b"a"), (b":status", b"200"))) == ((b"Host", b"a"),)


def test_the_first_field_that_says_something_is_taken() -> None:
    fields = {"a": "", "b": "-", "c": None, "d": 7, "e": "late"}
    assert first_said(fields, "a", "b", "c", "missing", "d", "e") == "7"
    assert first_said(fields, "a", "b") == ""
