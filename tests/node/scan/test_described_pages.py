"""Of a site's pages what its description has is left out."""

import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.formats.draft import Draft, Hole
from gatecrash.node.scan.described_pages import undescribed


def request(target: str, method: str = "GET") -> Request:
    return Request(method, target.encode(), ((b"Host", b"x"),), b"", "http", "127.0.0.1", 9)


def page(target: str, method: str = "GET") -> Exchange:
    return Exchange(request(target, method), Response(200, (), b""))


DESCRIBED = [
    Draft(request=request("/v2/pets")),
    Draft(request=request("/v2/pets/1/card"), holes=(Hole("pet_id", Point(("path", "2"))),)),
    Draft(request=request("/v2/find?q=example"), holes=(Hole("q", Point(("get", "q"))),)),
]


@pytest.mark.parametrize("target", ["/v2/pets", "/v2/pets?sort=name", "/v2/pets/rex/card", "/v2/find?q=other"])
def test_what_is_described_is_left_out_whatever_it_is_asked_with(target: str) -> None:
    assert list(undescribed([page(target)], DESCRIBED)) == []


@pytest.mark.parametrize(
    ("target", "method"),
    [("/", "GET"), ("/v2/pets", "POST"), ("/v2/pets/rex", "GET"), ("/v3/pets", "GET"), ("/v2/pets/rex/card/1", "GET")],
)
def test_everything_else_stays(target: str, method: str) -> None:
    kept = page(target, method)
    assert list(undescribed([kept], DESCRIBED)) == [kept]
    assert list(undescribed([kept], [])) == [kept]


def asked(query: str, variables: str = "{}") -> Request:
    body = f'{{"query": "{query}", "variables": {variables}}}'.encode()
    return Request("POST", b"/graphql", ((b"Content-Type", b"application/json"),), body, "http", "127.0.0.1", 9)


@pytest.mark.parametrize(
    ("query", "kept"),
    [
        ("query N($like: String) { notes(like: $like) { id } }", False),
        ("query { notes { id } }", False),
        ("query N($of: String) { notes(like: $of, of: $of) { id } }", True),
        ("mutation { addNote(input: {title: 3}) { id } }", False),
        ("mutation { dropNote(id: 3) { id } }", True),
    ],
)
def test_of_graphql_what_is_described_is_one_field_with_its_arguments(query: str, kept: bool) -> None:
    described = [
        Draft(request=asked("query Notes($like: String) { notes(like: $like) { id } }")),
        Draft(request=asked("mutation A($input: New!) { addNote(input: $input) { id } }", '{"input": {"title": "a"}}')),
    ]
    page = Exchange(asked(query), Response(200))
    assert list(undescribed([page], described)) == [page] * kept
