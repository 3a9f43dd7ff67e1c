"""Parameters are written in their style (OpenAPI 3.1 section 4.8.12)."""

from typing import Any

import pytest

from gatecrash.formats.descriptions.document import References
from gatecrash.formats.descriptions.parameter import filled, in_line, in_path, in_query
from gatecrash.formats.descriptions.sample import Sampler

REFERENCES = References({})
COLOURS = ["blue", "black"]
RGB = {"R": 100, "G": 200}


def fill(place: str, value: Any, **more: Any) -> Any:
    return filled({"name": "color", "in": place, "example": value, **more}, Sampler(REFERENCES), REFERENCES)


@pytest.mark.parametrize(
    ("more", "value", "written"),
    [
        ({}, COLOURS, "blue,black"), ({}, RGB, "R,100,G,200"), ({"explode": True}, RGB, "R=100,G=200"),
        ({"style": "label"}, COLOURS, ".blue.black"), ({"style": "matrix"}, "blue", ";color=blue"),
        ({}, "a/b ?", "a%2Fb%20%3F"), ({}, "", "1"),
    ],
)  # fmt: skip
def test_path(more: Any, value: Any, written: str) -> None:
    assert in_path(fill("path", value, **more)) == written


@pytest.mark.parametrize(
    ("more", "value", "pairs"),
    [
        ({}, COLOURS, [("color", "blue"), ("color", "black")]),
        ({"explode": False}, COLOURS, [("color", "blue,black")]),
        ({"style": "pipeDelimited"}, COLOURS, [("color", "blue|black")]),
        ({"style": "spaceDelimited"}, COLOURS, [("color", "blue black")]),
        ({"style": "deepObject", "explode": True}, RGB, [("color[R]", "100"), ("color[G]", "200")]),
        ({}, RGB, [("R", "100"), ("G", "200")]),
        ({"explode": False}, RGB, [("color", "R,100,G,200")]),
        ({}, True, [("color", "true")]),
    ],
)
def test_query(more: Any, value: Any, pairs: Any) -> None:
    assert in_query(fill("query", value, **more)) == pairs


def test_header_and_cookie() -> None:
    assert in_line(fill("header", COLOURS)) == "blue,black"
    assert in_line(fill("header", RGB)) == "R,100,G,200"
    assert in_line(fill("cookie", 5)) == "5"


def test_a_parameter_with_content_is_json() -> None:
    one = filled(
        {"name": "f", "in": "query", "content": {"application/json": {"schema": {"type": "object", "properties": {"a": {"type": "integer"}}}}}},
        Sampler(REFERENCES), REFERENCES,
    )  # fmt: skip
    assert one is not None
    assert in_query(one) == [("f", '{"a": 1}')]


def test_headers_of_which_a_description_says_nothing_are_left_out() -> None:
    assert filled({"name": "authorization", "in": "header"}, Sampler(REFERENCES), REFERENCES) is None


def test_a_header_about_a_state_that_was_seen_is_left_out_or_holds_in_any_state() -> None:
    for name in ("If-Match", "if-none-match", "Range"):
        assert filled({"name": name, "in": "header", "example": '"1"'}, Sampler(REFERENCES), REFERENCES) is None
    one = filled({"name": "If-Match", "in": "header", "required": True}, Sampler(REFERENCES), REFERENCES)
    assert one is not None
    assert in_line(one) == "*"
    assert filled({"name": "if-match", "in": "query"}, Sampler(REFERENCES), REFERENCES) is not None


@pytest.mark.parametrize("parameter", [{}, {"name": "a"}, {"name": "a", "in": "body"}, {"in": "query"}])
def test_what_is_no_parameter_is_left_out(parameter: Any) -> None:
    assert filled(parameter, Sampler(REFERENCES), REFERENCES) is None


def test_a_list_in_an_object_stands_in_the_query_once_for_each_of_it() -> None:
    assert in_query(fill("query", {"page": 0, "sort": ["a", "b"]})) == [("page", "0"), ("sort", "a"), ("sort", "b")]
