"""Refused fields of a GraphQL answer are asked for no more, and nothing else of the operation changes."""

import json

import pytest

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.operations.narrowing import narrowed, refused_in, without

HEADERS = ((b"Content-Type", b"application/json"),)


def asked(query: str) -> Request:
    body = json.dumps({"query": query, "variables": {"term": "{ messages }"}}).encode()
    return Request("POST", b"/graphql", HEADERS, body, "http", "127.0.0.1", 9)


def told(*paths: list[str | int]) -> Response:
    errors = [{"message": "sign in", "path": path} for path in paths]
    return Response(200, HEADERS, json.dumps({"data": None, "errors": errors}).encode())


@pytest.mark.parametrize(
    ("document", "left"),
    [
        ("{ me { id inbox { text } name } }", "{ me { id __typename name } }"),
        ("{ me { inbox { text } } }", "{ me { __typename } }"),
        ("{ me { id inbox(first: {at: 1}) @show(if: true) { text } } }", "{ me { id __typename } }"),
        ("query Q($a: T = {inbox: 1}) { me(of: $a) { inbox } }", "query Q($a: T = {inbox: 1}) { me(of: $a) { __typename } }"),
        ("{ me { ... on Host { inbox } ...Named ... { inbox } } }", "{ me { ... on Host { __typename } ...Named ... { __typename } } }"),
        ("{ me { inbox: name } }", "{ me { __typename } }"),
        ("{ me { post: inbox } other { inbox } }", "{ me { post: inbox } other { inbox } }"),
        ("no document {", "no document {"),
        ("{ me { inbox", "{ me { inbox"),
    ],
)  # fmt: skip
def test_refused_fields_alone_are_left_out(document: str, left: str) -> None:
    assert without(document, {("me", "inbox")}) == left


def test_places_in_lists_are_none_of_a_field_and_the_operation_itself_stays() -> None:
    assert refused_in(told(["users", 3, "inbox"], ["users"], [])) == {("users", "inbox")}


def test_a_request_is_changed_in_its_document_alone() -> None:
    changed = narrowed(asked("{ users { id messages { text } } }"), told(["users", 0, "messages"]))
    assert changed is not None
    assert json.loads(changed.body) == {
        "query": "{ users { id __typename } }",
        "variables": {"term": "{ messages }"},
    }


@pytest.mark.parametrize(
    "response",
    [
        told(["users"]),
        told(["users", 0, "unknown"]),
        Response(200, HEADERS, b'{"errors": "none"}'),
        Response(200, HEADERS, b'{"errors": [1, {"path": 2}]}'),
        Response(200, HEADERS, b'"errors"'),
        Response(500, HEADERS, b'{"errors"'),
    ],
)
def test_answers_that_refuse_no_field_change_nothing(response: Response) -> None:
    assert narrowed(asked("{ users { id } }"), response) is None
    assert narrowed(Request("POST", b"/users", HEADERS, b'{"a": 1}', "http", "127.0.0.1", 9), response) is None
