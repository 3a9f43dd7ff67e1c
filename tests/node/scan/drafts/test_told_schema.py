"""A GraphQL endpoint among a description's operations is asked once for all that it does."""

import json
from typing import Any

import msgspec
import pytest
from tests.node.loop import run

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.operations.graphql import operation_of
from gatecrash.formats.draft import Draft
from gatecrash.node.scan.drafts.told_schema import MOST_ASKED, told_by_endpoints

JSON = ((b"Content-Type", b"application/json"),)
TEXT = {"kind": "SCALAR", "name": "String"}
ID = {"kind": "NON_NULL", "ofType": {"kind": "SCALAR", "name": "ID"}}


def field(name: str, *arguments: str) -> dict[str, Any]:
    return {"name": name, "args": [{"name": each, "type": ID} for each in arguments], "type": TEXT}


SCHEMA = {
    "queryType": {"name": "Query"},
    "mutationType": {"name": "Mutation"},
    "types": [
        {"kind": "OBJECT", "name": "Query", "fields": [field("me"), field("boat", "id")]},
        {"kind": "OBJECT", "name": "Mutation", "fields": [field("renameBoat", "id")]},
    ],
}
TOLD = Response(200, JSON, json.dumps({"data": {"__schema": SCHEMA}}).encode())


def described(path: str, body: Any, method: str = "POST") -> Draft:
    headers = (*JSON, (b"X-Client", b"app"), (b"Content-Length", b"9"))
    sent = Request(method, path.encode(), headers, json.dumps(body).encode(), host="a", port=8000)
    return Draft(request=sent, drafted=True)


async def told(*drafts: Draft, answer: Response | None = TOLD) -> tuple[list[Draft], list[Draft]]:
    """What is told, and what was asked for it."""
    asked: list[Draft] = []

    async def send(draft: Draft) -> Response | None:
        asked.append(draft)
        return answer

    return await told_by_endpoints(drafts, send), asked


@run
async def test_what_is_not_described_is_taken_from_the_schema_and_sent_to_the_same_place() -> None:
    found, asked = await told(described("/api/graph", {"query": "{ me }"}), described("/boats", {"name": "a"}))
    assert [str(operation_of(each.request)) for each in found] == ["query Boat", "mutation RenameBoat"]
    sent = found[0].request
    assert (sent.host, sent.port, sent.target) == ("a", 8000, b"/api/graph")
    assert sent.first(b"X-Client") == b"app"
    assert sent.first(b"Content-Length") in (None, str(len(sent.body)).encode())
    assert len(asked) == 1
    assert b"__schema" in asked[0].request.body
    assert asked[0].request.first(b"Content-Length") == str(len(asked[0].request.body)).encode()


@run
async def test_an_address_that_is_called_so_is_asked_without_an_example_and_each_once() -> None:
    found, asked = await told(described("/graphql", {"query": "example"}), described("/graphql", {"query": "{ me }"}))
    assert len(asked) == 1
    assert [str(operation_of(each.request)) for each in found] == ["query Boat", "mutation RenameBoat"]
    many = [described(f"/{number}/graphql", {"query": "{ me }"}) for number in range(MOST_ASKED + 2)]
    assert len((await told(*many))[1]) == MOST_ASKED


@pytest.mark.parametrize(
    "answer",
    [
        None,
        Response(401),
        Response(200, JSON, b'{"errors": [{"message": "no"}]}'),
        Response(200, JSON, b"[]"),
        Response(200, JSON, b"<p>"),
    ],
    ids=["none", "refused", "kept", "a list", "a page"],
)
@run
async def test_an_endpoint_that_keeps_its_schema_adds_nothing(answer: Response | None) -> None:
    assert (await told(described("/graphql", {"query": "{ me }"}), answer=answer))[0] == []


@run
async def test_what_asks_no_graphql_is_not_asked() -> None:
    search = described("/search", {"query": "tea"})
    by_get = described("/graphql", {"query": "{ me }"}, method="GET")
    form = msgspec.structs.replace(search, request=msgspec.structs.replace(search.request, body=b"query=tea"))
    assert (await told(search, by_get, form)) == ([], [])
