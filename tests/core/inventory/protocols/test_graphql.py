"""GraphQL over HTTP: documents, operation names, batches, persisted queries."""

from urllib.parse import urlencode

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.inventory.protocols.call import Call
from gatecrash.core.inventory.protocols.graphql import SPEAKER

HASH = "ecf4edb46db40b5132295c0291d62fb65d6759a9eedfa4d5d612dd5ec54a6b38"
PERSISTED = {"persistedQuery": {"version": 1, "sha256Hash": HASH}}


def posted(message, content_type=b"application/json"):
    body = message if isinstance(message, bytes) else orjson.dumps(message)
    return SPEAKER.operations(Call("POST", b"/graphql", b"", content_type, b"", None, body))


UPLOAD = (
    b'--b\r\nContent-Disposition: form-data; name="operations"\r\n\r\n'
    b'{"query": "mutation Add($file: Upload!) { add(file: $file) { id } }", "variables": {"file": null}}'
    b'\r\n--b\r\nContent-Disposition: form-data; name="map"\r\n\r\n{"0": ["variables.file"]}\r\n--b--\r\n'
)


@pytest.mark.parametrize(
    ("body", "content_type", "operations"),
    [
        (UPLOAD, b"multipart/form-data", ("mutation Add",)),
        (UPLOAD[:80], b"multipart/form-data", None),
        (b"query=query+GetTea%7Btea%7D", b"application/x-www-form-urlencoded", ("query GetTea",)),
        (b"query=green+tea", b"application/x-www-form-urlencoded", None),
    ],
)
def test_an_upload_and_a_form_hold_a_document_too(body, content_type, operations):
    assert posted(body, content_type) == operations


def got(**fields):
    return SPEAKER.operations(Call("GET", b"/graphql", urlencode(fields).encode()))


@pytest.mark.parametrize(
    ("message", "operations"),
    [
        ({"query": "query GetTea { tea }"}, ("query GetTea",)),
        ({"query": "query A { a } mutation B { b }", "operationName": "B"}, ("mutation B",)),
        ({"query": "{ tea { id } }", "operationName": None}, ("query { tea }",)),
        ({"query": "{ tea }", "operationName": {"x": 1}, "variables": {"secret": "s3cr3t-value"}}, ("query { tea }",)),
        ([{"query": "query A { a }"}, {"query": "query B { b }"}, {"query": "query A { a }"}], ("query A", "query B")),
        ({"operationName": "GetTea", "extensions": PERSISTED}, ("persisted GetTea",)),
        ({"extensions": PERSISTED}, ("persisted ecf4edb46db4",)),
        ({"query": "", "extensions": PERSISTED}, ("persisted ecf4edb46db4",)),
        ({"query": "query GetTea { tea }", "extensions": PERSISTED}, ("query GetTea",)),
        ({"query": "green tea"}, None),
        ({"query": {"match": {"tea": "green"}}}, None),
        ({"query": "query A { a }", "x": 1}, ("query A",)),
        ([{"query": "query A { a }"}, {"other": 1}], None),
        ([], None),
        ([1], None),
        ({"extensions": {"persistedQuery": {"sha256Hash": "not-a-hash"}}}, None),
        (b'{"query": ', None),
        (b'"query"', None),
    ],
)
def test_json(message, operations):
    assert posted(message) == operations


def test_other_types():
    assert posted(b"mutation Brew { brew }", b"application/graphql") == ("mutation Brew",)
    assert posted({"query": "query A { a }"}, b"application/graphql+json") == ("query A",)
    assert posted({"query": "query A { a }"}, b"text/plain") is None


def test_a_query_string():
    assert got(query="query GetTea { tea }") == ("query GetTea",)
    assert got(query="{tea}", variables='{"a":1}') == ("query { tea }",)
    assert got(query="query A {a} query B {b}", operationName="B") == ("query B",)
    assert got(extensions=orjson.dumps(PERSISTED).decode(), operationName="GetTea") == ("persisted GetTea",)
    assert got(extensions="{persistedQuery") is None
    assert got(query="green tea") is None
    assert got(query="{'a': 1}") is None
    assert got(**{f"f{number}": "x" for number in range(50)}, query="{tea}") is None


def test_a_long_batch_is_cut():
    assert len(posted([{"query": f"query Q{number} {{ a }}"} for number in range(500)])) == 20


@given(st.binary(max_size=60), st.binary(max_size=60))
def test_any_bytes_are_read(body, query):
    SPEAKER.operations(Call("POST", b"/", query, b"application/json", b"", None, b'{"query": ' + body + b"}"))
    SPEAKER.operations(Call("POST", b"/", b"query=" + query, b"", b"", None, body))
    SPEAKER.operations(Call("POST", b"/", b"", b"application/graphql", b"", None, body))
