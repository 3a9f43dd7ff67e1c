"""Points: what is accepted, what is refused and why, both ways of writing, patterns, and words for people."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.errors import InvalidPattern
from gatecrash.core.point import InvalidPoint, Point, PointPattern, context, key

SOUND = [
    ["header", "X-A"],
    ["header", "COOKIE", "cookie", "sid"],
    ["get", "q"],
    ["get", ""],
    ["get", "a", "array", "0", "hash", "b"],
    ["path", "0"],
    ["uri"],
    ["action_name"],
    ["action_ext"],
    ["post"],
    ["post", "form_urlencoded", "a"],
    ["post", "json_doc"],
    ["post", "json_doc", "json_obj", "user", "json_obj", "name"],
    ["post", "json_doc", "json_array", "0"],
    ["post", "json_doc", "json_obj", "twice", "array", "1"],
    ["post", "multipart", "file"],
    ["post", "multipart", "file", "filename"],
    ["post", "xml", "xml_tag", "a", "xml_tag", "b", "array", "1", "xml_attr", "id"],
    ["header", "AUTHORIZATION", "jwt", "jwt_payload", "json_doc", "json_obj", "sub"],
    ["get", "q", "base64", "gzip", "json_doc", "json_obj", "a", "base64"],
    ["get", "q", "name"],
]


@pytest.mark.parametrize("steps", SOUND)
def test_the_notation_is_read(steps: list[str]) -> None:
    point = Point.parse(steps)
    assert list(point) == steps
    assert point.nested() == [steps]
    assert str(point) == "/".join(steps)


@pytest.mark.parametrize(
    ("steps", "says"),
    [
        ([], "empty"),
        ("get", "list of strings"),
        ({"get": "q"}, "list of strings"),
        (None, "list of strings"),
        ([1], "step 0"),
        (["get", None], "step 1"),
        (["get"], "must name a name"),
        (["GET", "q"], "'GET'"),
        (["path", "x"], "comes a number"),
        (["path", "-1"], "comes a number"),
        (["path", "٣"], "comes a number"),
        (["path", "1" * 10], "comes a number"),
        (["uri", "x"], "ends before it"),
        (["get", "q", "cookie", "a"], "step 2"),
        (["header", "X", "cookie", "a"], "step 2"),
        (["post", "json_obj", "a"], "step 1"),
        (["post", "json_doc", "json_obj"], "must name"),
        (["get", "\ud800"], "surrogate"),
        (["get", "q", "jwt", "header"], "step 3"),
    ],
)
def test_a_wrong_step_is_named(steps: object, says: str) -> None:
    with pytest.raises(InvalidPoint, match=says):
        Point.parse(steps)  # type: ignore[arg-type]


def test_a_headers_name_becomes_uppercase_in_ascii_only() -> None:
    assert Point.parse(["header", "x-tökén"]) == ("header", "X-TöKéN")
    assert Point.parse(["get", "x-token"]) == ("get", "x-token")


@pytest.mark.parametrize("steps", SOUND)
def test_a_point_survives_json(steps: list[str]) -> None:
    assert Point.parse(json.loads(json.dumps(Point(steps)))) == tuple(steps)


@pytest.mark.parametrize(
    ("value", "point"),
    [
        ([["header", "x-api"]], ("header", "X-API")),
        (["header", "X-API"], ("header", "X-API")),
        ((("get", "key"),), ("get", "key")),
        ([["header", "COOKIE", "cookie", "Sid"]], ("header", "COOKIE", "cookie", "Sid")),
        ([["header", "cookie", "cookie", "sid"]], ("header", "COOKIE", "cookie", "sid")),
        ([["post", "form_urlencoded", "k"]], ("post", "form_urlencoded", "k")),
        ([["post", "json_doc", "json_obj", "k"]], ("post", "json_doc", "json_obj", "k")),
        ([["get", "é" * 256]], ("get", "é" * 256)),
    ],
)
def test_the_five_configured_shapes_are_read_nested_or_bare(value: object, point: tuple[str, ...]) -> None:
    assert Point.parse_configured(value) == point


@pytest.mark.parametrize(
    "value",
    [
        [],
        [[]],
        {},
        "header",
        None,
        7,
        [["header", "A"], ["header", "B"]],
        [["header", "A"], "x"],
        [[["header", "A"]]],
        [["header", ""]],
        [["get", ""]],
        [["get", "a" * 257]],
        [["get", "a b"]],
        [["get", "a\u00a0b"]],
        [["get", "a\n"]],
        [["get", "\x7f"]],
        [["header", "COOKIE"]],
        [["header", "cookie"]],
        [["header", "Host"]],
        [["header", "content-type"]],
        [["header", "Content-Length"]],
        [["header", "user-agent"]],
        [["header", "X:Y"]],
        [["header", "X", "base64"]],
        [["header", "COOKIE", "cookie"]],
        [["header", "COOKIE", "cookie", "a=b"]],
        [["header", "COOKIE", "cookie", "a;"]],
        [["header", "X-A", "cookie", "sid"]],
        [["path", "0"]],
        [["uri"]],
        [["post"]],
        [["post", "json_doc", "json_obj", "a", "json_obj", "b"]],
        [["post", "json_doc", "json_array", "0"]],
        [["post", "multipart", "a"]],
        [["get", 1]],
        [["get", ["a"]]],
    ],
)
def test_any_other_configured_point_is_refused(value: object) -> None:
    with pytest.raises(InvalidPoint):
        Point.parse_configured(value)


@pytest.mark.parametrize(
    "value", [[], [["x", "y"]], [["path", "0"]], [["header", "A", "b"]], [["header", "COOKIE", "cookie"]]]
)
def test_what_is_refused_as_configured_is_told_the_five_locations_alone(value: list[list[str]]) -> None:
    with pytest.raises(InvalidPoint, match=r"is none of the five locations: header NAME, .* json_obj NAME$"):
        Point.parse_configured(value)


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("GET_q_value", ("get", "q")),
        ("GET_my_long_name_value", ("get", "my_long_name")),
        ("GET_value_value", ("get", "value")),
        ("GET__value", ("get", "")),
        ("GET_q_name", ("get", "q", "name")),
        ("GET_uid_BASE64_value", ("get", "uid", "base64")),
        ("GET_a_ARRAY_0_value", ("get", "a", "array", "0")),
        ("GET_a_HASH_b_value", ("get", "a", "hash", "b")),
        ("POST_JSON_DOC_HASH_user_value", ("post", "json_doc", "json_obj", "user")),
        ("POST_JSON_DOC_JSON_OBJ_user_value", ("post", "json_doc", "json_obj", "user")),
        ("POST_JSON_DOC_HASH_l_ARRAY_2_value", ("post", "json_doc", "json_obj", "l", "json_array", "2")),
        ("POST_FORM_URLENCODED_a_value", ("post", "form_urlencoded", "a")),
        ("POST_XML_XML_TAG_a_XML_TAG_ARRAY_1_value", ("post", "xml", "xml_tag", "a", "array", "1")),
        ("POST_XML_XML_TAG_a_XML_TAG_b_value", ("post", "xml", "xml_tag", "a", "xml_tag", "b")),
        ("POST_value", ("post",)),
        ("HEADER_X_a_value", ("header", "X_A")),
        ("HEADER_COOKIE_COOKIE_sid_value", ("header", "COOKIE", "cookie", "sid")),
        ("HEADER_COOKIE_value", ("header", "COOKIE")),
        ("URI_value", ("uri",)),
        ("PATH_0_value", ("path", "0")),
        ("ACTION_EXT_value", ("action_ext",)),
    ],
)
def test_the_underscore_form_is_read(text: str, steps: tuple[str, ...]) -> None:
    assert Point.from_underscores(text) == steps


@pytest.mark.parametrize(
    "text", ["", "GET_q", "value", "_value", "get_q_value", "NOPE_q_value", "GET_value", "PATH_x_value"]
)
def test_what_is_no_underscore_form_is_refused(text: str) -> None:
    with pytest.raises(InvalidPoint):
        Point.from_underscores(text)


@pytest.mark.parametrize("steps", [steps for steps in SOUND if "twice" not in steps])
def test_the_underscore_form_leads_back(steps: list[str]) -> None:
    assert Point.from_underscores(Point(steps).underscores()) == tuple(steps)


@pytest.mark.parametrize(
    "steps", [("get", "a_HASH_b"), ("get", "a", "nonsense"), ("post", "json_doc", "json_obj", "a", "array", "0")]
)
def test_a_point_that_would_be_read_as_another_has_no_underscore_form(steps: tuple[str, ...]) -> None:
    with pytest.raises(InvalidPoint, match="underscores"):
        Point(steps).underscores()


@given(st.lists(st.text(max_size=8), min_size=1, max_size=5), st.text(max_size=30))
def test_nothing_but_invalid_point_is_ever_raised(steps: list[str], text: str) -> None:
    for read in (
        lambda: Point.parse(steps),
        lambda: Point.parse_configured([steps]),
        lambda: Point.from_underscores(text),
    ):
        try:
            point = read()
        except InvalidPoint:
            continue
        assert Point.parse(point) == point
    context(steps)
    key(steps)


@pytest.mark.parametrize(
    ("pattern", "point", "matches", "covers"),
    [
        (["get", ".*"], ("get", "q"), True, True),
        (["get", "q"], ("get", "qq"), False, False),
        (["get", ".*"], ("get", "q", "base64"), False, True),
        (["get|path", "[0-9]+"], ("path", "12"), True, True),
        (["post", "json_doc", "json_obj", "(?i)PASS.*"], ("post", "json_doc", "json_obj", "password"), True, True),
        (["get"], ("path",), False, False),
    ],
)
def test_a_pattern_matches_step_by_step(
    pattern: list[str], point: tuple[str, ...], matches: bool, covers: bool
) -> None:
    compiled = PointPattern.parse(pattern)
    assert compiled.matches(Point(point)) is matches
    assert compiled.covers(Point(point)) is covers


@pytest.mark.parametrize(
    ("text", "point", "matches"),
    [
        ("GET_.*_value", ("get", "q"), True),
        ("GET_.*_value", ("get", "q", "name"), False),
        ("GET_.*_name", ("get", "q", "name"), True),
        ("(GET|PATH)_.*_value", ("path", "1"), True),
        ("HEADER_A.*_value", ("header", "ACCEPT"), True),
        ("HEADER_A.*_value", ("header", "X-A"), False),
        ("POST_JSON_DOC_.*_value", ("post", "json_doc", "json_obj", "a", "json_obj", "b"), True),
    ],
)
def test_a_pattern_in_the_underscore_form_matches_the_whole(text: str, point: tuple[str, ...], matches: bool) -> None:
    pattern = PointPattern.from_underscores(text)
    assert pattern.matches(point) is matches
    assert pattern.covers(point) is matches


@pytest.mark.parametrize("steps", [["("], ["get", "*"], ["get", "(?P<"], "get", [], [1]])
def test_a_pattern_that_cannot_be_read_is_refused(steps: object) -> None:
    with pytest.raises(InvalidPattern):
        PointPattern.parse(steps)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("steps", "where", "name"),
    [
        (("header", "AUTHORIZATION"), "header", "AUTHORIZATION"),
        (("header", "AUTHORIZATION", "base64"), "header", "AUTHORIZATION"),
        (("header", "AUTHORIZATION", "jwt", "jwt_payload", "json_doc", "json_obj", "sub"), "JSON field", "sub"),
        (("header", "COOKIE", "cookie", "sid"), "cookie", "sid"),
        (("header", "COOKIE", "cookie", "sid", "array", "1"), "cookie", "sid"),
        (("get", "api_key"), "query", "api_key"),
        (("get", "a", "hash", "b", "array", "0"), "query", "a[b]"),
        (("post", "form_urlencoded", "k"), "form field", "k"),
        (("post", "json_doc", "json_obj", "user", "json_obj", "token"), "JSON field", "token"),
        (("post", "json_doc", "json_obj", "items", "json_array", "0"), "JSON field", "items[0]"),
        (("post", "multipart", "f"), "multipart field", "f"),
        (("post", "multipart", "f", "filename"), "file name", "f"),
        (("post", "xml", "xml_tag", "a", "xml_attr", "id"), "XML attribute", "a@id"),
        (("path", "2"), "path", "2"),
        (("uri",), "URI", ""),
        (("post",), "body", ""),
    ],
)
def test_context_and_key_say_it_for_people(steps: tuple[str, ...], where: str, name: str) -> None:
    assert context(steps) == where
    assert key(steps) == name
