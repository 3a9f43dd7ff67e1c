"""GraphQL documents: type, name or first field of an operation, and nothing of its values."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.inventory.protocols.document import first_operation


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("query GetTea { tea }", "query GetTea"),
        ("mutation Brew($kind: Kind! = GREEN, $n: [Int!]) @audited(by: {who: 1}) { brew(kind: $kind) { id } }", "mutation Brew"),
        ("subscription OnTea{tea}", "subscription OnTea"),
        ("{ tea { id } }", "query { tea }"),
        ("query { tea }", "query { tea }"),
        ("query($id: ID) { tea(id: $id) }", "query { tea }"),
        ("query @cached { tea }", "query { tea }"),
        ("{ mine: tea { id } }", "query { tea }"),
        ("{ ...F } fragment F on Query { tea }", "query { ... }"),
        ("fragment F on Tea @a(b: \"}\") { id { x } } query GetTea { tea { ...F } }", "query GetTea"),
        ("# a comment { }\n,,, \ufeff query GetTea { tea }", "query GetTea"),
        ('{ tea(name: "} query Other {") }', "query { tea }"),
        ('{ tea(name: """block "quotes" \\""" } """) }', "query { tea }"),
        ("query query { query }", "query query"),
    ],
)  # fmt: skip
def test_the_first_operation(text, shown):
    assert str(first_operation(text)) == shown


@pytest.mark.parametrize(
    "text",
    ["", "green tea", "query tea", "query", "query tea with milk {", '{"tea": 1}', "type Tea { id: ID }", "?", "mutation",
     "SELECT ?x WHERE { ?x ?y ?z }", "fragment F on Tea", '"query" { tea }', "[]", "}"],
)  # fmt: skip
def test_what_is_no_executable_document(text):
    assert first_operation(text) is None


def test_the_wanted_one_of_several():
    text = 'query A { a(x: "{") } mutation B { b } query C { c }'
    assert str(first_operation(text, "B")) == "mutation B"
    assert str(first_operation(text, "C")) == "query C"
    assert str(first_operation(text, "D")) == "query A"


pieces = st.lists(
    st.sampled_from(["query", "mutation", "{", "}", "(", ")", "a", ":", "...", '"', '"""', "\\", "#", "\n", "@", "$", " ", "é"])
).map("".join)  # fmt: skip


@given(pieces)
def test_any_text_is_read(text):
    operation = first_operation(text)
    assert operation is None or operation.type in {"query", "mutation", "subscription"}


@pytest.mark.parametrize("text", ["{" * 100_000, '"""' + 'a"' * 50_000, "query" + "(" * 100_000, "{a" + '"' * 100_001, "#" * 100_000])  # fmt: skip
def test_hostile_texts_end(text):
    operation = first_operation(text)
    assert operation is None or operation.type == "query"
