"""Cookies."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.points.codec import LIMITS, Part, splice
from gatecrash.core.points.formats.cookie import COOKIE

HEADER = b'a=1;b = "x y" ; c; d=%3B%zz;; =e'


def parts(data: bytes) -> dict[str, Part]:
    return {part.steps[-1]: part for part in COOKIE.parts(data, LIMITS, 32)}


def test_cookies_are_read_with_blanks_around_them_and_bare_names() -> None:
    assert {name: part.value for name, part in parts(HEADER).items()} == {
        "a": b"1",
        "b": b'"x y"',
        "c": b"",
        "d": b";%zz",
        "": b"e",
    }


@given(st.sampled_from(["a", "b", "c", "d", ""]), st.binary(max_size=12))
def test_what_is_written_is_read_and_the_rest_stays(name: str, value: bytes) -> None:
    place = parts(HEADER)[name]
    changed = splice(HEADER, place.start, place.end, COOKIE.encode(HEADER, place, value))
    assert {key: part.value for key, part in parts(changed).items()} == {
        key: part.value for key, part in parts(HEADER).items()
    } | {name: value}
    assert not set(changed) & set(b"\r\n\x00")


def test_blanks_and_quotes_go_as_they_are_because_servers_take_them() -> None:
    assert COOKIE.encode(HEADER, parts(HEADER)["a"], b'\' OR "1"="1') == b'\' OR "1"="1'


def test_a_value_that_came_in_percent_codes_goes_in_them() -> None:
    data = b"prefs=%7B%22city%22%3A%22Ulm%22%7D; a=1"
    assert COOKIE.encode(data, parts(data)["prefs"], b'{"city":"O\'x, y"}') == b"%7B%22city%22%3A%22O'x%2C%20y%22%7D"


@pytest.mark.parametrize(("name", "left"), [("a", b"b=2; c=3"), ("b", b"a=1;c=3"), ("c", b"a=1;b=2")])
def test_a_cookie_goes_with_one_semicolon(name: str, left: bytes) -> None:
    data = b"a=1;b=2; c=3"
    assert COOKIE.remove(data, parts(data)[name]) == left


def test_the_last_cookie_takes_the_header_with_it() -> None:
    assert COOKIE.remove(b" a=1; ", parts(b" a=1; ")["a"]) is None
