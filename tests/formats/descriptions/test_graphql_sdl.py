"""A schema as people write it becomes the requests that its introspection becomes."""

import io
import json

import graphql
import pytest

from gatecrash.formats.capture import UnreadableCapture
from gatecrash.formats.descriptions.graphql_schema import QUERY
from gatecrash.formats.descriptions.graphql_schema import read as read_told
from gatecrash.formats.descriptions.graphql_sdl import fits, read
from gatecrash.formats.draft import Draft
from tests.formats.descriptions.test_graphql_schema import LISTS, PAGED, SCHEMA

ODD = '''
"""Of "all", with \\""" and { braces"""
schema @link(url: "https://x.example") { query: Root mutation: Change }
directive @link(url: String!, as: [String!] = ["a", "b"]) repeatable on | SCHEMA | OBJECT
type Root { "one" tea("how hot" heat: Int = 7, "which" kinds: [Kind!]! = [GREEN]): Tea @deprecated(reason: "x") }
interface Node { id: ID! }  # as Relay has it
type Tea implements Node & Named @link(url: "y") { id: ID! name: String }
interface Named { name: String }
extend type Root { more(find: Find = {q: "a b", top: 3}): [Node] }
input Find { q: String! = "a # b" top: Int }
enum Kind { "leaf" GREEN @deprecated BLACK }
union Any = | Tea | Leaf
type Leaf { any: Any }
scalar Time
type Change { pour(at: Time!): Tea }
'''


def asked(document: bytes) -> list[tuple[bytes, bytes]]:
    found = [one for one in read(io.BytesIO(document)) if isinstance(one, Draft)]
    return sorted((one.request.body, one.spare.body if one.spare else b"") for one in found)


def as_told(schema: graphql.GraphQLSchema) -> list[tuple[bytes, bytes]]:
    told = json.dumps({"data": graphql.graphql_sync(schema, QUERY).data}).encode()
    found = [one for one in read_told(io.BytesIO(told)) if isinstance(one, Draft)]
    return sorted((one.request.body, one.spare.body if one.spare else b"") for one in found)


@pytest.mark.parametrize("schema", [SCHEMA, PAGED, LISTS])
def test_it_is_read_as_what_an_endpoint_tells(schema: graphql.GraphQLSchema) -> None:
    written = graphql.print_schema(schema).encode()
    assert fits(written)
    assert asked(written) == as_told(schema)


def test_descriptions_directives_extensions_and_defaults_are_read() -> None:
    assert fits(ODD.strip().encode())
    assert asked(ODD.encode()) == as_told(graphql.build_schema(ODD))
    assert any(b'"heat": 7' in body for body, _ in asked(ODD.encode()))


@pytest.mark.parametrize(
    ("text", "line"),
    [("type Query {\n tea(: Int }", 2), ("type Query { tea: [Int", 1), ("type A { a: Int }\nfoo", 2), ("type A ^", 1)],
)
def test_the_line_of_what_is_none_is_named(text: str, line: int) -> None:
    with pytest.raises(UnreadableCapture, match=f"at line {line}"):
        asked(text.encode())


def test_brackets_without_an_end_are_told_as_too_deep() -> None:
    with pytest.raises(UnreadableCapture, match="too deep"):
        asked(b"type A { a: " + b"[" * 100_000)


@pytest.mark.parametrize(
    "text", ["typed", "GET /x HTTP/1.1", "type: object", "{ tea }", "curl http://x", "schema:\n  a"]
)
def test_other_texts_are_none(text: str) -> None:
    assert not fits(text.encode())
