"""What a walk lists, what it reports as unreadable, and that hostile input costs bounded work."""

import base64
import gzip
import json
import time
import zlib
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from tests.core.points.realistic import requests, wild_requests

from gatecrash.core.message import Request
from gatecrash.core.point import Point
from gatecrash.core.points.codec import Limits
from gatecrash.core.points.found import Walk
from gatecrash.core.points.rewrite import rewrite
from gatecrash.core.points.walk import read, walk

JSON = (b"Content-Type", b"application/json")
MIB = 1024 * 1024


def post(body: bytes, *headers: tuple[bytes, bytes]) -> Request:
    return Request("POST", b"/", headers, body)


def listed(request: Request) -> dict[str, bytes]:
    """Every point of the request with its value; no point may be listed twice."""
    points = walk(request).points
    found = {str(place.point): place.value for place in points}
    assert len(found) == len(points)
    return found


def reasons(found: Walk) -> dict[str, str]:
    return {str(point): reason for point, reason in found.unreadable}


@given(requests())
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_every_listed_point_is_sound_notation_distinct_and_reads_as_listed(request_: Request) -> None:
    points = walk(request_).points
    assert len({found.point for found in points}) == len(points)
    for found in points:
        assert Point.parse(found.point) == found.point
        assert read(request_, found.point) == found.value


@given(wild_requests())
@settings(deadline=None)
def test_no_input_raises(request_: Request) -> None:
    found = walk(request_)
    for place in found.points:
        assert read(request_, place.point) == place.value
    for point, reason in found.unreadable:
        assert reason
        assert all(isinstance(step, str) for step in point)


def test_the_target_is_listed_as_uri_path_action_and_query() -> None:
    assert listed(Request("GET", b"/a%20b//index.php?q=%27+x&flag&=n&a[]=1&a[k]=2&d=1&d=2")) == {
        "uri": b"/a%20b//index.php?q=%27+x&flag&=n&a[]=1&a[k]=2&d=1&d=2",
        "path/0": b"a b",
        "path/2": b"index.php",
        "action_name": b"index",
        "action_ext": b"php",
        "get/q": b"' x",
        "get/flag": b"",
        "get/": b"n",
        "get/a/array/0": b"1",
        "get/a/hash/k": b"2",
        "get/d/array/0": b"1",
        "get/d/array/1": b"2",
    }


@pytest.mark.parametrize("target", [b"*", b"shop.example:443", b"http://shop.example/x", b""])
def test_a_target_in_another_form_has_no_segments(target: bytes) -> None:
    assert [found.point for found in walk(Request("OPTIONS", target)).points] == [("uri",)]


def test_headers_and_cookies_are_listed_with_their_duplicates() -> None:
    headers = ((b"x-A", b"1"), (b"X-a", b"2"), (b"Cookie", b"sid=1; t=%3B"), (b"cookie", b"sid=2"))
    found = listed(Request("GET", b"/", headers))
    del found["uri"]
    assert found == {
        "header/X-A/array/0": b"1",
        "header/X-A/array/1": b"2",
        "header/COOKIE/array/0": b"sid=1; t=%3B",
        "header/COOKIE/array/1": b"sid=2",
        "header/COOKIE/cookie/sid/array/0": b"1",
        "header/COOKIE/cookie/t": b";",
        "header/COOKIE/cookie/sid/array/1": b"2",
    }


def test_decoders_are_followed_through_each_other() -> None:
    inner = base64.b64encode(gzip.compress(json.dumps({"token": base64.b64encode(b"hello there").decode()}).encode()))
    found = walk(post(b'{"blob": "' + inner + b'"}', JSON))
    deepest = found.points[-1]
    steps = ("post", "json_doc", "json_obj", "blob", "base64", "gzip", "json_doc", "json_obj", "token", "base64")
    assert (deepest.point, deepest.value, deepest.container) == (steps, b"hello there", False)
    assert [place.container for place in found.points if place.point[:1] == ("post",)] == [True] * 5 + [False]


def test_a_short_number_is_read_where_base64_is_padded() -> None:
    assert listed(Request("GET", b"/?id=MQ%3D%3D"))["get/id/base64"] == b"1"


def test_credentials_are_opened_behind_their_scheme() -> None:
    basic = Request("GET", b"/", ((b"Authorization", b"Basic YW5uYTpzZWNyZXQ="),))
    assert read(basic, Point.of("header", "AUTHORIZATION", "base64")) == b"anna:secret"
    bearer = Request("GET", b"/", ((b"Authorization", b"Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOjd9."),))
    assert listed(bearer)["header/AUTHORIZATION/jwt/jwt_payload/json_doc/json_obj/sub"] == b"7"
    assert read(bearer, Point.of("header", "AUTHORIZATION", "jwt")) == b"eyJhbGciOiJub25lIn0.eyJzdWIiOjd9."


@pytest.mark.parametrize(
    "value", ["password", "administrator", "0123456789abcdef", "anna@example.org", "{odd}", "a=b", "<b>", "eyJabc"]
)
def test_plain_values_are_not_decoded(value: str) -> None:
    found = walk(post(json.dumps({"v": value}).encode(), JSON))
    assert [place.point[-1] for place in found.points if place.point[:2] == ("post", "json_doc")] == ["v"]


def test_objects_and_arrays_are_read_as_they_are_written() -> None:
    request = post(b'{"o": {"x": [1, 2 ]}}', JSON)
    assert read(request, Point.of("post", "json_doc", "json_obj", "o")) == b'{"x": [1, 2 ]}'
    assert read(request, Point.of("post", "json_doc", "json_obj", "o", "json_obj", "x")) == b"[1, 2 ]"


@pytest.mark.parametrize(
    ("kind", "body", "step"),
    [
        (b"application/json", b'{"a": 1', "post/json_doc"),
        (b"application/json", b'{"a": 1} x', "post/json_doc"),
        (b"application/problem+json", b"{'a': 1}", "post/json_doc"),
        (b"text/xml", b"<a><b></a>", "post/xml"),
        (b"text/xml", b'<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]><a>&e;</a>', "post/xml"),
        (b"application/x-ndjson", b'{"a": 1}\n{"a": ', "post/ndjson"),
        (b"text/csv", b'a,b\n"x,y\n', "post/csv"),
        (b"multipart/form-data; boundary=edge", b"--edge\r\n\r\nno end", "post/multipart"),
    ],
)
def test_a_malformed_body_is_reported_and_its_bytes_stay_a_point(kind: bytes, body: bytes, step: str) -> None:
    found = walk(post(body, (b"Content-Type", kind)))
    assert list(reasons(found)) == [step]
    assert found.points[-1].point == ("post",)
    assert found.points[-1].value == body


@pytest.mark.parametrize(
    ("coding", "body"),
    [
        (b"gzip", b"not gzip"),
        (b"gzip", gzip.compress(b"cut off" * 99, mtime=0)[:-12]),
        (b"br", b"\x0b\x02"),
        (b"gzip, gzip", b"x"),
    ],
)
def test_a_body_behind_an_unreadable_coding_is_reported(coding: bytes, body: bytes) -> None:
    found = walk(post(body, JSON, (b"Content-Encoding", coding)))
    assert list(reasons(found)) == ["post"]
    assert not [place for place in found.points if place.point[0] == "post"]


def test_a_deflated_body_is_read() -> None:
    found = listed(post(zlib.compress(b'{"a":"b"}'), JSON, (b"Content-Encoding", b"deflate")))
    assert found["post/json_doc/json_obj/a"] == b"b"


@pytest.mark.parametrize(
    ("kind", "body", "point"),
    [
        (b"application/x-www-form-urlencoded", b'{"a": "b"}', "post/json_doc/json_obj/a"),
        (b"", b'[{"a": "b"}]', "post/json_doc/json_array/0/json_obj/a"),
        (b"text/plain", b"<a>b</a>", "post/xml/xml_tag/a"),
        (b"application/octet-stream", b"a=b&c=d", "post/form_urlencoded/c"),
        (b"application/x-www-form-urlencoded", b"{a=b&c=d}", "post/form_urlencoded/c"),
    ],
)
def test_a_body_of_no_or_another_type_is_read_by_its_first_bytes(kind: bytes, body: bytes, point: str) -> None:
    assert point in listed(post(body, *([(b"Content-Type", kind)] if kind else [])))


@pytest.mark.parametrize("body", [b'{"a": "b"}', b'<?xml version="1.0"?><a>b</a>', b"a=b&c=d", b"one,two\r\na,b\r\n"])
def test_what_is_found_in_a_body_of_an_unknown_type_can_be_read_and_written(body: bytes) -> None:
    request = post(body, (b"Content-Type", b"application/x-unheard-of"))
    points = [found.point for found in walk(request).points if found.point[0] == "post" and len(found.point) > 1]
    assert points
    for point in points:
        assert read(rewrite(request, point, b"other"), point) == b"other"


def test_a_point_of_another_format_than_the_bodys_reads_nothing() -> None:
    request = post(b'{"x": "&a=1"}', JSON)
    assert read(request, Point.of("post", "form_urlencoded", "a")) is None


# ---- hostile input, made when it is wanted: each costs at most a few seconds of one slow core, where quadratic work would take hours

NESTED = json.dumps("x")
for _ in range(9):
    NESTED = json.dumps([NESTED])

HOSTILE: dict[str, Callable[[], Request]] = {
    "open arrays": lambda: post(b"[" * (10 * MIB), JSON),
    "open objects": lambda: post(b'{"a":' * (2 * MIB), JSON),
    "an unended string": lambda: post(b'["' + b"a" * (10 * MIB - 2), JSON),
    "escapes": lambda: post(b'["' + b"\\n" * (5 * MIB - 2) + b'"]', JSON),
    "half escapes": lambda: post(b'["' + b"\\ud800" * MIB + b'"]', JSON),
    "empty arrays": lambda: post(b"[" + b"[]," * (3 * MIB) + b"1]", JSON),
    "towers of arrays": lambda: post(b"[" + b"[[[[[[[[[[1]]]]]]]]]]," * (MIB // 2) + b"1]", JSON),
    "one name again and again": lambda: post(b"{" + b'"a":1,' * MIB + b'"a":1}', JSON),
    "blanks": lambda: post(b"[" + b" " * (10 * MIB - 2) + b"]", JSON),
    "blanks without end": lambda: post(b"[1" + b" " * (10 * MIB - 2), JSON),
    "digits": lambda: post(b"[" + b"1" * (10 * MIB - 2), JSON),
    "ampersands": lambda: Request("GET", b"/?" + b"&" * (10 * MIB - 2)),
    "fields": lambda: Request("GET", b"/?" + b"a&" * (5 * MIB - 2)),
    "brackets": lambda: Request("GET", b"/?" + b"a" + b"[b]" * (3 * MIB)),
    "open brackets": lambda: Request("GET", b"/?" + b"a" + b"[" * (10 * MIB - 8) + b"]=1"),
    "percent signs": lambda: Request("GET", b"/?a=" + b"%" * (10 * MIB - 8)),
    "slashes": lambda: Request("GET", b"/" * (10 * MIB)),
    "cookies": lambda: Request("GET", b"/", ((b"Cookie", b"a=1;" * (2 * MIB)),)),
    "many cookie headers": lambda: Request("GET", b"/", ((b"Cookie", b"a=1;b=2"),) * 50_000),
    "delimiters": lambda: post(b"--e\r\n" * (2 * MIB), (b"Content-Type", b"multipart/form-data; boundary=e")),
    "parts": lambda: post(b"--e\r\n\r\n\r\n" * MIB + b"--e--", (b"Content-Type", b"multipart/form-data; boundary=e")),
    "elements": lambda: post(b"<a>" * (3 * MIB), (b"Content-Type", b"text/xml")),
    "empty elements": lambda: post(b"<a>" + b"<b/>" * (2 * MIB) + b"</a>", (b"Content-Type", b"text/xml")),
    "attributes": lambda: post(
        b"<a" + b"".join(b" b%d=''" % n for n in range(500_000)) + b"/>", (b"Content-Type", b"text/xml")
    ),
    "lines of text": lambda: post(b"<a>" + b"\n" * (10 * MIB - 8) + b"</a>", (b"Content-Type", b"text/xml")),
    "entities": lambda: post(b"<a>" + b"&lt;" * (2 * MIB) + b"</a>", (b"Content-Type", b"text/xml")),
    "json in json": lambda: post(NESTED.encode(), JSON),
    "dots": lambda: Request("GET", b"/", ((b"A", b"eyJ" + b"." * (10 * MIB)),)),
    "letters": lambda: Request("GET", b"/", ((b"A", b"a" * (10 * MIB)),)),
    "a form in a form": lambda: post(b"a=b&" * (2 * MIB), (b"Content-Type", b"text/plain")),
    "equal signs": lambda: Request("GET", b"/?" + b"a=" * (5 * MIB)),
}


@pytest.mark.parametrize("name", sorted(HOSTILE))
def test_hostile_input_is_bounded(name: str) -> None:
    hostile = HOSTILE[name]()
    start = time.process_time()
    found = walk(hostile)
    spent = time.process_time() - start
    assert len(found.points) <= 10_000
    assert len(found.unreadable) <= 1_000
    assert spent < 20


def test_base64_within_base64_ends() -> None:
    value = b"text that is long enough"
    while len(value) < MIB:
        value = base64.b64encode(value)
    found = walk(post(b'{"a": "' + value + b'"}', JSON))
    assert max(len(place.point) for place in found.points) <= 4 + 32
    assert list(reasons(found).values()) == ["nested too deep"]


def test_a_bomb_is_not_unpacked() -> None:
    bomb = gzip.compress(bytes(64 * MIB))
    assert "decompresses to more than" in reasons(walk(post(bomb, (b"Content-Encoding", b"gzip"))))["post"]
    inside = Request("GET", b"/", ((b"A", base64.b64encode(bomb)),))
    assert "decompresses to more than" in reasons(walk(inside))["header/A/base64/gzip"]


def test_many_small_bombs_draw_on_one_allowance() -> None:
    bomb = base64.b64encode(gzip.compress(b"[" + b" " * 900_000 + b"]", 1)).decode()
    request = post(json.dumps([bomb] * 60).encode(), JSON)
    found = walk(request)
    assert sum(place.point[-1] == "gzip" for place in found.points) <= 11
    assert found.unreadable


def test_more_points_than_allowed_are_left_out_and_said() -> None:
    found = walk(post(json.dumps(list(range(10_001))).encode(), JSON))
    assert len(found.points) == 10_000
    assert reasons(found) == {"post/json_doc": "more than 10000 points"}
    enough = walk(post(json.dumps(list(range(50))).encode(), JSON), Limits(points=53))
    assert (len(enough.points), enough.unreadable) == (53, [])


def test_a_body_over_the_limit_is_not_looked_into() -> None:
    found = walk(post(b'["' + b"a" * (10 * MIB) + b'"]', JSON))
    assert reasons(found) == {"post": f"longer than {10 * MIB} bytes"}


def test_thirty_one_levels_are_read_and_more_are_refused() -> None:
    within = walk(post(b"[" * 31 + b"1" + b"]" * 31, JSON))
    assert within.points[-1].value == b"1"
    assert reasons(walk(post(b"[" * 32 + b"1" + b"]" * 32, JSON))) == {
        "post/json_doc": "nested more than 31 levels deep"
    }


def test_names_of_actions_files_and_signatures_are_not_decoded() -> None:
    token = b"eyJhbGciOiJub25lIn0.e30.aGVsbG8gd29ybGQ"
    found = walk(Request("GET", b"/aGVsbG8gd29ybGQ.aGVsbG8gd29ybGQ", ((b"Authorization", b"Bearer " + token),)))
    assert [str(place.point) for place in found.points if place.point[-1] == "base64"] == []
    assert read(Request("GET", b"/aGVsbG8="), Point.of("action_name", "base64")) is None
