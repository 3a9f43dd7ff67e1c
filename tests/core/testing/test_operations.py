"""What a GraphQL request asks for, by its document."""

import json

import pytest

from gatecrash.core.message import Request
from gatecrash.core.testing.operations import only_queries, operation_of, words_of


def asked(query: str, **more: object) -> Request:
    body = json.dumps({"query": query, **more}).encode()
    return Request("POST", b"/graphql", ((b"Content-Type", b"application/json"),), body)


def test_the_operation_is_the_one_that_is_named():
    document = "query Mine { orders { id } } mutation Pay($id: ID!) { payOrder(id: $id) { paid } }"
    assert operation_of(asked(document, operationName="Pay")).field == "payOrder"
    assert not only_queries(asked(document, operationName="Pay"))
    assert only_queries(asked(document, operationName="Mine"))


def test_the_words_of_a_field_are_told_apart():
    assert words_of(asked("mutation { role: changeUserRole(id: 7) { id } }")) == ("change", "user", "role")
    assert words_of(asked("{ audit_log { at } }")) == ("audit", "log")


@pytest.mark.parametrize(
    "request_",
    [
        Request("GET", b"/graphql?query={a}"),
        Request("POST", b"/search", (), b'{"query": "red shoes"}'),
        Request("POST", b"/search", (), b'{"query": '),
        Request("POST", b"/graphql", (), b'[{"query": "{ a }"}]'),
    ],
)
def test_what_is_no_single_document_has_no_operation(request_):
    assert operation_of(request_) is None
    assert not only_queries(request_)
    assert words_of(request_) == ()
