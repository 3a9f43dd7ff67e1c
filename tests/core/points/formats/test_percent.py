"""Percent codes around a whole value."""

from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.message import Request
from gatecrash.core.point import Point
from gatecrash.core.points.codec import LIMITS, Unreadable
from gatecrash.core.points.formats.percent import PERCENT
from gatecrash.core.points.rewrite import remove, rewrite
from gatecrash.core.points.walk import read, walk


@pytest.mark.parametrize(
    ("data", "value"),
    [
        (b"http%3A%2F%2Fa.example%2F", b"http://a.example/"),
        (b"Tea%20and%20cake", b"Tea and cake"),
        (b"Tea+and+cake%21", b"Tea and cake!"),
        (b"gr%C3%BC%C3%9Fe", "grüße".encode()),
        (b"%3Cnote%3EAnn%3C/note%3E", b"<note>Ann</note>"),
    ],
)
def test_what_is_encoded_throughout_is_seen(data: bytes, value: bytes) -> None:
    assert PERCENT.looks(data)
    assert [part.value for part in PERCENT.parts(data, LIMITS, 32)] == [value]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"plain",
        b"https://a.example/?q=a%20b",
        b"50% off",
        b"100%",
        b"a%00b",
        b"a%FFb",
        b"50%zz",
        b"a b%20c",
        b"/a%20b",
    ],
)
def test_what_an_encoder_would_not_have_left_is_none(data: bytes) -> None:
    assert not PERCENT.looks(data)


def test_what_is_not_encoded_is_unreadable() -> None:
    with pytest.raises(Unreadable):
        PERCENT.parts(b"a b", LIMITS, 32)


@given(st.text(min_size=1), st.binary())
def test_what_is_written_is_read_again(text: str, value: bytes) -> None:
    for data in (quote(text, safe="").encode(), quote_plus(text).encode()):
        part = PERCENT.parts(data, LIMITS, 32)[0]
        assert part.value == text.encode()
        assert PERCENT.parts(PERCENT.encode(data, part, value), LIMITS, 32)[0].value == value


def test_headers_hold_encoded_values_and_what_is_twice_encoded_is_decoded_twice() -> None:
    request = Request("GET", b"/?next=%252Fhome", ((b"X-Note", b"%3Cnote%3EAnn%3C%2Fnote%3E"),))
    header, twice = Point.of("header", "X-NOTE", "percent"), Point.of("get", "next", "percent")
    found = {found.point: found.value for found in walk(request).points}
    assert (found[header], found[twice]) == (b"<note>Ann</note>", b"/home")
    assert Point.parse(header) == header
    assert rewrite(request, header, b"<note>Ann</note>") == request
    assert rewrite(request, header, b"50%\r\n").headers[0][1] == b"50%25%0D%0A"
    assert read(rewrite(request, twice, b"/a b"), twice) == b"/a b"
    assert remove(request, header).headers == ()
