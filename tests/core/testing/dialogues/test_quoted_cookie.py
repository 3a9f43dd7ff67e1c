"""What a quoted string holds is read whole by parsers that drop a bare value with a blank in it."""

from http.cookies import SimpleCookie
from urllib.parse import unquote

import pytest
from werkzeug.sansio.http import parse_cookie

from gatecrash.core.message import Request
from gatecrash.core.point import Point
from gatecrash.core.testing.dialogues.quoted_cookie import (
    is_cookie,
    is_written_plain,
    may_be_cut,
    percent_escaped,
    plainly_quoted,
    quoted,
)


@pytest.mark.parametrize("value", ["tea' AND 1=1", 'a"b', "a;b c", "back\\slash", "a, b", "tea"])
def test_parsers_read_the_value_back(value):
    header = f"a=1; pref={quoted(value.encode()).decode()}; b=2"
    assert parse_cookie(header)["pref"] == value
    read = SimpleCookie()
    read.load(header)
    assert read["pref"].value == value


@pytest.mark.parametrize("value", ["tea' AND 1=1", 'a"b', "a;b c", "back\\slash", "tea", "%41"])
def test_what_decodes_percent_escapes_reads_the_value_back(value):
    written = percent_escaped(value.encode()).decode()
    assert unquote(written) == value
    assert not may_be_cut(written)
    assert written.startswith("%"), "who does not decode reads another value"


@pytest.mark.parametrize("value", ["tea' AND 1=1", 'a"b', "a;b c", "back\\slash", "tea"])
def test_a_plainly_quoted_string_is_read_back(value):
    assert parse_cookie(f"a=1; pref={plainly_quoted(value.encode()).decode()}; b=2")["pref"] == value


def test_a_bare_value_with_a_blank_is_dropped_by_some():
    assert "pref" not in parse_cookie("pref=tea' AND 1=1; b=2")


@pytest.mark.parametrize(
    ("point", "expected"),
    [
        (("header", "COOKIE", "cookie", "pref"), True),
        (("header", "COOKIE", "cookie", "pref", "base64"), False),
        (("header", "COOKIE"), False),
        (("get", "pref"), False),
    ],
)
def test_only_a_cookies_own_value_is_written_so(point, expected):
    assert is_cookie(Point(point)) is expected


@pytest.mark.parametrize(("cookies", "plain"), [(b"a='\"; pref=tea", True), (b"a='\"; pref=green%20tea", False)])
def test_no_parser_drops_what_is_written_with_percent_codes_throughout(cookies, plain):
    request = Request("GET", b"/", ((b"Host", b"shop.test"), (b"Cookie", cookies)), b"")
    assert is_written_plain(request, Point(("header", "COOKIE", "cookie", "pref"))) is plain
