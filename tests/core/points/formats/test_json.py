"""Our JSON scanner against the standard library's, and its own promises."""

import json
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.points.realistic import json_texts

from gatecrash.core.points.codec import CONTAINER, LIMITS, Limits, Part, Unreadable
from gatecrash.core.points.formats.json import JSON, JSON_LINES, quote, unquote


def parts(data: bytes) -> list[Part]:
    return JSON.parts(data, LIMITS, LIMITS.levels)


def accepted(data: bytes) -> bool:
    try:
        parts(data)
    except Unreadable:
        return False
    return True


def refuse(name: str) -> object:
    raise ValueError(name)


def standard(data: str) -> bool:
    try:
        json.loads(data, parse_constant=refuse)
    except (ValueError, RecursionError):
        return False
    return True


@given(
    st.one_of(
        st.text(alphabet='{}[]",:0123456789.eE+- truefalsn\\u\n', max_size=12),
        json_texts().map(lambda raw: raw.decode("utf-8", "replace")),
    )
)
@settings(max_examples=500, deadline=None)
def test_it_accepts_what_the_standard_library_accepts_and_nothing_else(data: str) -> None:
    assert accepted(data.encode()) is standard(data)


@given(json_texts())
@settings(deadline=None)
def test_leaves_and_containers_cut_out_of_the_text_are_the_values_of_the_standard_library(data: bytes) -> None:
    document = json.loads(data, object_pairs_hook=lambda pairs: (pairs and dict(reversed(pairs))) or {})
    for part in parts(data):
        value: object = document
        if "array" in part.steps[::2]:
            continue  # the standard library keeps one of several
        for word, name in zip(part.steps[::2], part.steps[1::2], strict=True):
            assert isinstance(value, dict if word == "json_obj" else list)
            value = value[name] if isinstance(value, dict) else value[int(name)]  # type: ignore[index]
        cut = json.loads(data[part.start : part.end])
        if not isinstance(value, (dict, list)):
            assert cut == value or (isinstance(value, float) and math.isnan(value))
        if isinstance(value, str):
            assert part.value == value.encode("utf-8", "surrogatepass")
        assert (part.kind == CONTAINER) <= isinstance(value, (dict, list))


@given(st.binary())
def test_every_value_can_be_held_in_a_string(value: bytes) -> None:
    assert unquote(quote(value)) == value


@given(st.text())
def test_written_strings_are_json(value: str) -> None:
    assert json.loads(quote(value.encode("utf-8", "replace"))) == value.encode("utf-8", "replace").decode()


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        (b'"\\u00e9"', "é".encode()),
        (b'"\\ud83d\\ude00"', "😀".encode()),
        (b'"\\ud83d"', b"\xed\xa0\xbd"),
        (b'"\\udc00x\\n\\/"', b"\xed\xb0\x80x\n/"),
        (b'"\xff\\u0041"', b"\xffA"),
    ],
)
def test_escapes(raw: bytes, value: bytes) -> None:
    assert unquote(raw) == value


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b" ",
        b"01",
        b"1.",
        b"[1,]",
        b"{,}",
        b'{"a"}',
        b'"\n"',
        b'"\\x"',
        b"NaN",
        b"[1] [",
        b"\xef\xbb\xbf[]",
        b"tru",
    ],
)
def test_what_is_no_json_is_unreadable(data: bytes) -> None:
    with pytest.raises(Unreadable, match="not JSON at byte"):
        parts(data)


def test_repeated_members_are_numbered_with_what_they_hold() -> None:
    assert ["/".join(part.steps) for part in parts(b'{"a":[1],"a":{"b":2},"c":3}')] == [
        "",
        "json_obj/a/array/0",
        "json_obj/a/array/0/json_array/0",
        "json_obj/a/array/1",
        "json_obj/a/array/1/json_obj/b",
        "json_obj/c",
    ]


def test_a_document_cut_at_the_limit_leaves_out_containers_of_unknown_end() -> None:
    found = JSON.parts(b"[[0],[1,2,3,4,5]", Limits(points=4), 32)
    assert ["/".join(part.steps) for part in found] == [
        "json_array/0",
        "json_array/0/json_array/0",
        *(f"json_array/1/json_array/{n}" for n in range(4)),
    ]


def test_an_object_gives_way_to_json_text_and_else_to_a_string() -> None:
    data = b'{"o": {"x": 1}}'
    place = next(part for part in parts(data) if part.steps == ("json_obj", "o"))
    assert JSON.encode(data, place, b'{"$gt": ""}') == b'{"$gt": ""}'
    assert JSON.encode(data, place, b"{x") == b'"{x"'


LINES = b'{"a":1,"b":"x"}\r\n\n {"a":[2]}\n'


def test_lines_are_the_elements_of_an_array_and_their_values_are_where_they_say() -> None:
    found = JSON_LINES.parts(LINES, LIMITS, LIMITS.levels)
    leaves = {"/".join(part.steps): part.value for part in found if part.kind != CONTAINER}
    assert leaves == {
        "json_array/0/json_obj/a": b"1",
        "json_array/0/json_obj/b": b"x",
        "json_array/1/json_obj/a/json_array/0": b"2",
    }
    assert [LINES[part.start : part.end] for part in found if part.kind == CONTAINER] == [
        b'{"a":1,"b":"x"}',
        b'{"a":[2]}',
        b"[2]",
    ]


@pytest.mark.parametrize(
    ("steps", "left"),
    [
        (("json_array", "0"), b'\n {"a":[2]}\n'),
        (("json_array", "1"), b'{"a":1,"b":"x"}\r\n\n'),
        (("json_array", "0", "json_obj", "b"), b'{"a":1}\r\n\n {"a":[2]}\n'),
    ],
)
def test_a_line_goes_with_its_end_and_a_member_with_its_comma(steps: tuple[str, ...], left: bytes) -> None:
    place = next(part for part in JSON_LINES.parts(LINES, LIMITS, LIMITS.levels) if part.steps == steps)
    assert JSON_LINES.remove(LINES, place) == left


@pytest.mark.parametrize(
    ("data", "clear"),
    [
        (b'{"a":1}\n{"a":2}', True),
        (b'{"a":1} \r\n {"a":2}\n', True),
        (b'{"a":1}\n', False),
        (b'{"a":{"b":1}\n}', False),
        (b'[{"a":1},\n{"a":2}]', False),
        (b"{x}\n{y}", True),  # reading it tells
    ],
)
def test_an_object_behind_another_is_no_single_document(data: bytes, clear: bool) -> None:
    assert JSON_LINES.looks(data) == clear


def test_a_line_that_is_no_json_makes_the_whole_unreadable_and_lines_are_bounded() -> None:
    with pytest.raises(Unreadable):
        JSON_LINES.parts(b'{"a":1}\n{x}\n', LIMITS, 32)
    assert 5 < len(JSON_LINES.parts(b"1\n" * 1000, Limits(points=5), 32)) < 30
