"""GraphQL documents, compared with what GraphQL's own reference parser reads."""

from typing import Any

import graphql
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.message import Request
from gatecrash.core.point import Point
from gatecrash.core.points.codec import LIMITS, Limits, Part, Unreadable, splice
from gatecrash.core.points.formats.graphql import GRAPHQL
from gatecrash.core.points.rewrite import rewrite
from gatecrash.core.points.walk import read, walk

QUERY = b"""
query Shelf($n: Int = 3, $tags: [String!] = ["none"]) {  # what customers see
  first: shelf(owner: "ann", size: 12, wide: true, kind: OPEN, count: $n) @include(if: true, why: "w") {
    ...Names
    ... on Wooden { boards(of: ["oak", "ash"], where: {colour: "red", scale: -1.5e3}) { id } }
    note(text: \"\"\"two "lines" here\"\"\")
  }
}
fragment Names on Shelf { name(in: "de\\u0041") }
"""


def parts(data: bytes) -> dict[tuple[str, ...], Part]:
    return {part.steps: part for part in GRAPHQL.parts(data, LIMITS, 32)}


def values(data: bytes) -> dict[tuple[str, ...], bytes]:
    return {steps: part.value for steps, part in parts(data).items() if steps}


def literals(data: bytes) -> list[str]:
    """All strings and numbers in arguments, as the reference parser reads them."""
    found: list[str] = []

    class Look(graphql.Visitor):
        def enter_variable_definition(self, *_: Any) -> Any:
            return graphql.SKIP

        def enter_string_value(self, node: Any, *_: Any) -> None:
            found.append(node.value)

        enter_int_value = enter_float_value = enter_string_value

    graphql.visit(graphql.parse(data.decode()), Look())
    return found


def test_every_literal_argument_is_a_part_and_nothing_else_is() -> None:
    assert values(QUERY) == {
        ("shelf", "owner"): b"ann",
        ("shelf", "size"): b"12",
        ("shelf", "@include", "why"): b"w",
        ("shelf", "boards", "of", "0"): b"oak",
        ("shelf", "boards", "of", "1"): b"ash",
        ("shelf", "boards", "where", "colour"): b"red",
        ("shelf", "boards", "where", "scale"): b"-1.5e3",
        ("shelf", "note", "text"): b'two "lines" here',
        ("name", "in"): b"deA",
    }
    assert sorted(value.decode() for value in values(QUERY).values()) == sorted(literals(QUERY))


def test_the_same_field_asked_for_twice_is_told_apart() -> None:
    found = values(b'{ a: tea(name: "x") { id } b: tea(name: "y") { id } }')
    assert sorted(found.values()) == [b"x", b"y"]


@given(st.text(st.characters(exclude_categories=["Cs"])), st.sampled_from(sorted(values(QUERY))))
def test_any_text_can_be_written_and_the_reference_reads_it(value: str, steps: tuple[str, ...]) -> None:
    place = parts(QUERY)[steps]
    changed = splice(QUERY, place.start, place.end, GRAPHQL.encode(QUERY, place, value.encode()))
    assert values(changed) == values(QUERY) | {steps: value.encode()}
    assert value in literals(changed)


@pytest.mark.parametrize("steps", sorted(values(QUERY)))
def test_without_an_argument_it_is_still_a_document(steps: tuple[str, ...]) -> None:
    changed = GRAPHQL.remove(QUERY, parts(QUERY)[steps])
    assert changed is not None
    assert len(literals(changed)) == len(literals(QUERY)) - 1


def test_a_number_stays_one_and_anything_else_becomes_a_string() -> None:
    data = b"{ tea(id: 1) { name } }"
    place = parts(data)[("tea", "id")]
    assert GRAPHQL.encode(data, place, b"-2.5") == b"-2.5"
    assert GRAPHQL.encode(data, place, b"007") == b'"007"'
    assert GRAPHQL.encode(data, place, b"1 or 1") == b'"1 or 1"'


@pytest.mark.parametrize(
    "data", [b"{ a", b"{ a(x: 1 }", b'{"a": 1}', b"{ a(1) }", b"query words {of a sentence", b"{ a(x: ^) }", b"{}}"]
)
def test_what_is_no_document_is_unreadable(data: bytes) -> None:
    with pytest.raises(Unreadable):
        parts(data)


@given(st.binary(max_size=60) | st.text(alphabet='{}()[]:$@!." ab1-\\#,\n', max_size=60).map(str.encode))
def test_nothing_else_is_raised_whatever_comes(data: bytes) -> None:
    try:
        found = parts(data)
    except Unreadable:
        return
    assert all(0 <= part.start <= part.end <= len(data) for part in found.values())


def test_hostile_documents_are_read_within_the_limits() -> None:
    with pytest.raises(Unreadable, match="nested"):
        GRAPHQL.parts(b"{a" * 100, LIMITS, 32)
    many = b"{ a(x: [" + b"1 " * 5000 + b"]) }"
    assert len(GRAPHQL.parts(many, Limits(points=10), 32)) < 20


def test_it_is_found_in_a_body_in_a_query_and_by_its_media_type() -> None:
    in_json = Request(
        "POST",
        b"/graphql",
        ((b"Content-Type", b"application/json"),),
        b'{"query": "{ tea(name: \\"assam\\") { id } }"}',
    )
    point = Point.of("post", "json_doc", "json_obj", "query", "graphql", "tea", "name")
    assert point in [found.point for found in walk(in_json).points]
    changed = rewrite(in_json, point, b'as"s')
    assert changed.body == b'{"query": "{ tea(name: \\"as\\\\\\"s\\") { id } }"}'
    assert read(changed, point) == b'as"s'
    plain = Request("POST", b"/graphql", ((b"Content-Type", b"application/graphql"),), b'{ tea(name: "assam") { id } }')
    assert read(plain, Point.of("post", "graphql", "tea", "name")) == b"assam"
    asked = Request("GET", b"/graphql?query=%7B%20tea(name%3A%22assam%22)%7Bid%7D%7D")
    assert read(asked, Point.of("get", "query", "graphql", "tea", "name")) == b"assam"


@pytest.mark.parametrize("value", [b'{"a": 1}', b"{}", b"question {mark}", b"a text", b"{{template}}", b"queryable"])
def test_other_values_do_not_look_like_one(value: bytes) -> None:
    assert not GRAPHQL.looks(value)
