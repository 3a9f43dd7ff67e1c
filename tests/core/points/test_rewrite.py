"""The laws of rewriting, on realistic and on arbitrary requests, and what each place does in particular."""

import gzip

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from tests.core.points.realistic import INSERTED, requests, wild_requests

from gatecrash.core.errors import InvalidPoint, UnwritableValue
from gatecrash.core.message import Request
from gatecrash.core.point import Point
from gatecrash.core.points.found import Found
from gatecrash.core.points.rewrite import remove, rewrite, rewrite_many
from gatecrash.core.points.walk import read, walk

ANY = st.one_of(requests(), wild_requests())
THOROUGH = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


def bytes_of(request: Request) -> tuple[object, ...]:
    """All that goes over the wire."""
    return request.method, request.target, request.headers, request.body


def related(one: Point, other: Point) -> bool:
    """Whether two points share bytes: one leads to the other, or both are cut from the same piece of the target."""
    if one[: len(other)] == other or other[: len(one)] == one:
        return True
    places = {one[0], other[0]}
    # These two headers say how the body is read.
    if "post" in places and {one[:2], other[:2]} & {("header", "CONTENT-TYPE"), ("header", "CONTENT-ENCODING")}:
        return True
    if "uri" in places:
        return bool(places & {"path", "get", "action_name", "action_ext"})
    if places in ({"path", "action_name"}, {"path", "action_ext"}):
        return True
    # The Cookie header is its cookies; which header a cookie stands in is not in its point.
    return one[:2] == other[:2] == ("header", "COOKIE") and (one[2:3] == ("cookie",)) != (other[2:3] == ("cookie",))


@given(ANY)
@THOROUGH
def test_a_points_own_value_gives_back_the_identical_request(request_: Request) -> None:
    for found in walk(request_).points:
        assert bytes_of(rewrite(request_, found.point, found.value)) == bytes_of(request_)


@given(ANY, st.data(), INSERTED)
@THOROUGH
def test_the_written_value_is_read_back_and_every_other_point_reads_the_same(
    request_: Request, data: st.DataObject, value: bytes
) -> None:
    points = walk(request_).points
    assume(points)
    chosen = data.draw(st.sampled_from(points))
    try:
        changed = rewrite(request_, chosen.point, value)
    except UnwritableValue:
        return
    assert read(changed, chosen.point) == value, chosen.point
    changes_length = len(changed.body) != len(request_.body)
    for other in points:
        if not related(chosen.point, other.point) and not (changes_length and follows_length(other)):
            assert read(changed, other.point) == other.value, (chosen.point, other.point)


def follows_length(found: Found) -> bool:
    """Whether the point is the header that is recomputed, or what stands inside a header that no longer holds."""
    return found.point[:2] == ("header", "CONTENT-LENGTH")


@given(requests(), st.data(), INSERTED)
@THOROUGH
def test_bytes_outside_what_was_written_stay(request_: Request, data: st.DataObject, value: bytes) -> None:
    points = [found for found in walk(request_).points if found.point[0] != "header"]
    chosen = data.draw(st.sampled_from(points))
    try:
        changed = rewrite(request_, chosen.point, value)
    except UnwritableValue:
        return
    in_target = chosen.point[0] != "post"
    assert (changed.body == request_.body) or not in_target
    assert (changed.target == request_.target) or in_target
    kept = [(name, text) for name, text in request_.headers if name.lower() != b"content-length"]
    assert kept == [(name, text) for name, text in changed.headers if name.lower() != b"content-length"]
    assert [name for name, _ in changed.headers] == [name for name, _ in request_.headers]


@given(requests(), st.data())
@THOROUGH
def test_what_was_removed_is_gone_and_unlike_names_stay(request_: Request, data: st.DataObject) -> None:
    points = [found for found in walk(request_).points if found.point[0] in ("get", "header")]
    assume(points)
    chosen = data.draw(st.sampled_from(points))
    # One of several of a name makes the next one take its number; the name as a whole goes altogether.
    point = Point(chosen.point[: 4 if chosen.point[1:3] == ("COOKIE", "cookie") else 2])
    left = remove(request_, point)
    assert read(left, point) is None
    for other in walk(request_).points:
        if not related(point, other.point) and other.point[:2] != point[:2]:
            assert read(left, other.point) == other.value


@given(ANY, st.data(), INSERTED)
@THOROUGH
def test_raw_insertion_never_fails_on_a_listed_point_but_for_what_is_around_it(
    request_: Request, data: st.DataObject, value: bytes
) -> None:
    points = walk(request_).points
    assume(points)
    chosen = data.draw(st.sampled_from(points))
    try:
        rewrite(request_, chosen.point, value, raw=True)
    except UnwritableValue:
        assert {"base64", "jwt", "gzip", "xml"} & set(chosen.point)  # what is around it cannot hold what became of it


JSON = (b"Content-Type", b"application/json")
FORM = (b"Content-Type", b"application/x-www-form-urlencoded")


def post(body: bytes, *headers: tuple[bytes, bytes], target: bytes = b"/?q=1&f") -> Request:
    return Request("POST", target, headers, body)


def test_content_length_follows_the_body_where_the_request_has_one() -> None:
    request = post(b'{"a":"b"}', JSON, (b"content-LENGTH", b"9"))
    changed = rewrite(request, Point.of("post", "json_doc", "json_obj", "a"), b"longer")
    assert changed.headers == (JSON, (b"content-LENGTH", b"14"))
    bare = rewrite(post(b'{"a":"b"}', JSON), Point.of("post", "json_doc", "json_obj", "a"), b"longer")
    assert bare.headers == (JSON,)


def test_a_compressed_body_is_written_through() -> None:
    packed = gzip.compress(b"a=1&b=2", mtime=1234)
    request = post(packed, FORM, (b"Content-Encoding", b"gzip"), (b"Content-Length", b"%d" % len(packed)))
    changed = rewrite(request, Point.of("post", "form_urlencoded", "b"), b"x y")
    assert gzip.decompress(changed.body) == b"a=1&b=x+y"
    assert changed.first(b"content-length") == b"%d" % len(changed.body)


def test_a_token_keeps_its_signature() -> None:
    value = b"Bearer eyJhbGciOiJIUzI1NiJ9.eyJyb2xlIjoidXNlciJ9.c2ln"
    request = Request("GET", b"/", ((b"Authorization", value),))
    point = Point.of("header", "AUTHORIZATION", "jwt", "jwt_payload", "json_doc", "json_obj", "role")
    changed = rewrite(request, point, b"admin")
    assert changed.headers[0][1] == b"Bearer eyJhbGciOiJIUzI1NiJ9.eyJyb2xlIjoiYWRtaW4ifQ.c2ln"


def test_a_number_becomes_a_string_where_the_value_is_no_number() -> None:
    point = Point.of("post", "json_doc", "json_obj", "n")
    assert rewrite(post(b'{"n": 1 }', JSON), point, b"-2.5e3").body == b'{"n": -2.5e3 }'
    assert rewrite(post(b'{"n": 1 }', JSON), point, b"1'").body == b'{"n": "1\'" }'


def test_raw_replaces_the_whole_json_value() -> None:
    point = Point.of("post", "json_doc", "json_obj", "n")
    assert rewrite(post(b'{"n": "x"}', JSON), point, b'{"$ne": null}', raw=True).body == b'{"n": {"$ne": null}}'


def test_raw_leaves_the_encoding_to_the_caller() -> None:
    request = Request("GET", b"/?a=1&flag")
    assert rewrite(request, Point.of("get", "a"), b"%00 x", raw=True).target == b"/?a=%00 x&flag"
    assert rewrite(request, Point.of("get", "flag"), b"%2527", raw=True).target == b"/?a=1&flag=%2527"


@pytest.mark.parametrize(
    ("point", "value"),
    [
        (Point.of("header", "X-A"), b"a\r\nSet-Cookie: b"),
        (Point.of("header", "X-A"), b" padded"),
        (Point.of("uri"), b"/a b"),
        (Point.of("action_name"), b""),
    ],
)
def test_a_value_that_a_place_cannot_hold_is_refused(point: Point, value: bytes) -> None:
    with pytest.raises(UnwritableValue):
        rewrite(Request("GET", b"/x.php", ((b"X-A", b"1"),)), point, value)


@pytest.mark.parametrize("point", [("get", "b"), ("header", "X-B"), ("path", "9"), ("get", "a", "hash", "x"), ()])
def test_writing_at_a_point_that_is_not_there_is_an_error(point: tuple[str, ...]) -> None:
    with pytest.raises(InvalidPoint, match="no point"):
        rewrite(Request("GET", b"/?a=1", ((b"X-A", b"1"),)), Point(point), b"v")


def test_writing_where_the_way_cannot_be_read_is_an_error() -> None:
    with pytest.raises(InvalidPoint):
        rewrite(post(b'{"a":', JSON), Point.of("post", "json_doc", "json_obj", "a"), b"v")


def test_several_values_are_written_in_one_go() -> None:
    request = post(b"a=1", FORM, (b"X-A", b"1"))
    values = {Point.of("post", "form_urlencoded", "a"): b"2", Point.of("header", "X-A"): b"3"}
    assert rewrite_many(request, values) == post(b"a=2", FORM, (b"X-A", b"3"))


@pytest.mark.parametrize(
    ("target", "point", "left"),
    [
        (b"/?a=1&b=2", ("get", "a"), b"/?b=2"),
        (b"/?a=1&b=2", ("get", "b"), b"/?a=1"),
        (b"/?a=1", ("get", "a"), b"/"),
        (b"/?a=1&b=2&a=3", ("get", "a"), b"/?b=2"),
        (b"/?a=1&b=2&a=3", ("get", "a", "array", "1"), b"/?a=1&b=2"),
        (b"/?a[x]=1&b=2&a[y]=3", ("get", "a"), b"/?b=2"),
        (b"/a/b/c?q", ("path", "1"), b"/a/c?q"),
        (b"/a", ("path", "0"), b"/"),
        (b"/a.php?x", ("action_ext",), b"/a?x"),
    ],
)
def test_removing_from_the_target(target: bytes, point: tuple[str, ...], left: bytes) -> None:
    assert remove(Request("GET", target), Point(point)).target == left


@pytest.mark.parametrize(
    ("body", "point", "left"),
    [
        (b'{"a":1, "b":2}', ("json_obj", "a"), b'{"b":2}'),
        (b'{"a":1, "b":2}', ("json_obj", "b"), b'{"a":1}'),
        (b'{ "a": 1 }', ("json_obj", "a"), b"{ }"),
        (b'{"a":1,"b":2,"a":{"c":3}}', ("json_obj", "a"), b'{"b":2}'),
        (b'{"l":[1,2,3]}', ("json_obj", "l", "json_array", "1"), b'{"l":[1,3]}'),
        (b'{"o":{"x":1},"k":2}', ("json_obj", "o"), b'{"k":2}'),
    ],
)
def test_removing_from_json(body: bytes, point: tuple[str, ...], left: bytes) -> None:
    assert remove(post(body, JSON), Point(("post", "json_doc", *point))).body == left


def test_removing_credentials_takes_the_whole_header_away() -> None:
    request = Request(
        "GET", b"/", ((b"Authorization", b"Basic YW5uYTpzZWNyZXQ="), (b"Cookie", b"a=1; sid=x; b=2"), (b"A", b""))
    )
    without = remove(request, Point.of("header", "AUTHORIZATION", "base64"))
    assert without.headers == request.headers[1:]
    assert remove(request, Point.of("header", "COOKIE", "cookie", "sid")).headers[1] == (b"Cookie", b"a=1; b=2")
    assert remove(request, Point.of("header", "COOKIE", "cookie", "b")).headers[1] == (b"Cookie", b"a=1; sid=x")


def test_a_cookie_in_several_headers_is_removed_from_all() -> None:
    headers = ((b"cookie", b"sid=1"), (b"cookie", b"a=1"), (b"cookie", b"b=2; sid=2"))
    left = remove(Request("GET", b"/", headers), Point.of("header", "COOKIE", "cookie", "sid"))
    assert left.headers == ((b"cookie", b"a=1"), (b"cookie", b"b=2"))


def test_removing_what_is_not_there_changes_nothing() -> None:
    request = Request("GET", b"/?a=1")
    assert remove(request, Point.of("get", "b")) is request


def test_the_target_itself_cannot_be_removed() -> None:
    with pytest.raises(InvalidPoint, match="target"):
        remove(Request("GET", b"/"), Point.of("uri"))


def test_the_point_of_a_repeated_name_stands_for_all() -> None:
    request = Request("GET", b"/?t=1&x=0&t=2", ((b"K", b"1"), (b"k", b"2")))
    assert read(request, Point.of("get", "t")) == b"1"
    assert rewrite(request, Point.of("get", "t"), b"bad").target == b"/?t=bad&x=0&t=bad"
    assert rewrite(request, Point.of("header", "K"), b"bad").headers == ((b"K", b"bad"), (b"k", b"bad"))


@given(requests())
@THOROUGH
def test_a_names_own_text_gives_back_the_identical_request(request_: Request) -> None:
    for found in walk(request_, names=True).points:
        if found.point[-1] == "name":
            assert read(request_, found.point) == found.value
            assert bytes_of(rewrite(request_, found.point, found.value)) == bytes_of(request_)


@pytest.mark.parametrize(
    ("point", "value", "changed"),
    [
        (
            ("get", "q", "name"),
            b"q[$ne]",
            post(b'{"k": {"l": 1}}', JSON, (b"Cookie", b"sid=1"), target=b"/?q%5B%24ne%5D=1&f"),
        ),
        (("get", "f", "name"), b"x&y", post(b'{"k": {"l": 1}}', JSON, (b"Cookie", b"sid=1"), target=b"/?q=1&x%26y")),
        (
            ("header", "COOKIE", "cookie", "sid", "name"),
            b"admin",
            post(b'{"k": {"l": 1}}', JSON, (b"Cookie", b"admin=1")),
        ),
        (
            ("post", "json_doc", "json_obj", "k", "name"),
            b'a"b',
            post(b'{"a\\"b": {"l": 1}}', JSON, (b"Cookie", b"sid=1")),
        ),
        (
            ("post", "json_doc", "json_obj", "k", "json_obj", "l", "name"),
            b"$gt",
            post(b'{"k": {"$gt": 1}}', JSON, (b"Cookie", b"sid=1")),
        ),
    ],
)
def test_names_are_written(point: tuple[str, ...], value: bytes, changed: Request) -> None:
    request = post(b'{"k": {"l": 1}}', JSON, (b"Cookie", b"sid=1"))
    assert rewrite(request, Point(point), value) == changed


def test_a_value_or_element_without_a_name_has_no_such_point() -> None:
    with pytest.raises(InvalidPoint):
        rewrite(post(b'["x"]', JSON), Point.of("post", "json_doc", "json_array", "0", "name"), b"n")
    with pytest.raises(UnwritableValue):
        rewrite(post(b"", (b"Cookie", b"a=1")), Point.of("header", "COOKIE", "cookie", "a", "name"), b"b=c")
