"""A point that was found once is written as if it were looked for each time, with all that goes wrong."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.core.points.realistic import INSERTED, requests, wild_requests

from gatecrash.core.errors import InvalidPoint, UnwritableValue, UserError
from gatecrash.core.message import Request
from gatecrash.core.point import Point
from gatecrash.core.points.rewrite import rewrite
from gatecrash.core.points.walk import walk
from gatecrash.core.points.writing import Writer

THOROUGH = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


def outcome(write, *arguments, raw: bool) -> object:
    """What was written, or the kind of error with its words."""
    try:
        return write(*arguments, raw=raw)
    except UserError as error:
        return type(error), str(error)


@given(st.one_of(requests(), wild_requests()), INSERTED, st.booleans())
@THOROUGH
def test_a_writer_writes_what_rewriting_gives_at_every_point(request_: Request, value: bytes, raw: bool) -> None:
    for found in walk(request_, names=True).points:
        writer = Writer(request_, found.point)
        for each in (value, found.value):
            assert outcome(writer.write, each, raw=raw) == outcome(rewrite, request_, found.point, each, raw=raw)


@given(st.one_of(requests(), wild_requests()), INSERTED, st.sampled_from([b"q[$ne]", b"a b", b"x", b""]))
@THOROUGH
def test_a_value_under_another_name_is_what_two_steps_give(request_: Request, value: bytes, name: bytes) -> None:
    for found in walk(request_).points:

        def in_two_steps(*_: bytes, raw: bool, point: Point = found.point) -> Request:
            assert not raw
            return rewrite(rewrite(request_, point, value), Point((*point, "name")), name)

        def at_once(*_: bytes, raw: bool, point: Point = found.point) -> Request:
            assert not raw
            return Writer(request_, point).write_named(name, value)

        assert outcome(at_once, raw=False) == outcome(in_two_steps, raw=False)


FORM = Request("POST", b"/a?q=1&q=2", ((b"Content-Length", b"7"),), b'{"a":1}')


@pytest.mark.parametrize(
    ("point", "written"),
    [
        (("get", "q"), b"/a?q=%27&q=%27"),
        (("path", "0"), b"/'?q=1&q=2"),
    ],
)
def test_a_point_that_stands_for_several_places_is_written_at_all_of_them(
    point: tuple[str, ...], written: bytes
) -> None:
    assert Writer(FORM, Point(point)).write(b"'").target == written


def test_the_length_of_the_body_follows_and_the_request_stays() -> None:
    changed = Writer(FORM, Point.of("post", "json_doc", "json_obj", "a")).write(b"a'b")
    assert changed.body == b'{"a":"a\'b"}'
    assert changed.first(b"Content-Length") == b"11"
    assert FORM.body == b'{"a":1}'


def test_what_cannot_be_found_or_held_is_told_when_it_is_written() -> None:
    with pytest.raises(InvalidPoint):
        Writer(FORM, Point.of("get", "absent")).write(b"x")
    with pytest.raises(UnwritableValue):
        Writer(Request("GET", b"/", ((b"X-A", b"b"),)), Point.of("header", "X-A")).write(b"a\r\nb")


@pytest.mark.parametrize(
    ("request_", "point", "written"),
    [
        (Request("POST", b"/a", (), b'{"b": {"c": 1}, "d": 2}'), ("post", "json_doc", "json_obj", "b", "name"), b'{"x\'": {"c": 1},"b": {"c": 1}, "d": 2}'),
        (Request("POST", b"/a", (), b'{"b": {"c": 1}, "d": 2}'), ("post", "json_doc", "json_obj", "d", "name"), b'{"b": {"c": 1}, "x\'": 2,"d": 2}'),
        (Request("POST", b"/a", ((b"Content-Type", b"application/x-www-form-urlencoded"),), b"b=1&d=2"), ("post", "form_urlencoded", "d", "name"), b"b=1&x%27=2&d=2"),
    ],
)  # fmt: skip
def test_a_name_is_written_beside_the_one_that_is_there(
    request_: Request, point: tuple[str, ...], written: bytes
) -> None:
    writer = Writer(request_, Point(point), beside=True)
    assert writer.write(b"x'").body == written
    assert writer.write(point[-2].encode()) == request_


def test_a_name_is_written_beside_others_in_addresses_and_cookies_and_nowhere_where_more_would_have_to_be_written() -> (
    None
):
    asked = Request("GET", b"/a?b=1&d=2", ((b"Cookie", b"b=1; d=2"),))
    assert Writer(asked, Point.of("get", "d", "name"), beside=True).write(b"x").target == b"/a?b=1&x=2&d=2"
    cookie = Point.of("header", "COOKIE", "cookie", "d", "name")
    assert Writer(asked, cookie, beside=True).write(b"x").first(b"Cookie") == b"b=1; x=2; d=2"
    packed = Request("POST", b"/a", ((b"Content-Type", b"application/msgpack"),), b"\x81\xa1b\x01")
    with pytest.raises(UnwritableValue):
        Writer(packed, Point.of("post", "msgpack", "msgpack_map", "b", "name"), beside=True).write(b"x")
