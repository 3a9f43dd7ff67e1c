"""A request that only reads, asked with some of what is optional in it."""

import json
from typing import Any

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.places.left_out import left_out
from gatecrash.node.scan.drafts.optional_parts import MOST_PARTS, parts_of, with_parts, with_refused


def get(target: str) -> Request:
    return Request("GET", target.encode())


def asked(**variables: Any) -> Request:
    body = {"query": "query A($a: Int, $b: Int, $c: Int) { all(a: $a, b: $b, c: $c) { id } }", "variables": variables}
    return Request("POST", b"/graphql", ((b"Content-Type", b"application/json"),), json.dumps(body).encode())


def test_of_a_query_these_are_its_parameters_in_their_order() -> None:
    whole, spare = get("/a?x=1&id=7&y=2&y=3"), get("/a?id=8")
    assert parts_of(whole, spare) == ["x", "y"]
    assert with_parts(whole, spare, ["y"]).target == b"/a?id=7&y=2&y=3"
    assert with_parts(whole, get("/a"), []).target == b"/a"


def refused(request: Request, by: Request) -> Request:
    return with_refused(request, left_out(by, Response(400)))


def test_what_was_refused_is_put_behind_what_is_there() -> None:
    assert refused(get("/a?id=7&y=2"), get("/a?y=3&z=1")).target == b"/a?id=7&y=2&z=1"
    assert refused(get("/a"), get("/a?z=1")).target == b"/a?z=1"
    assert json.loads(refused(asked(a=1, b=2), asked(b=3, c=4)).body)["variables"] == {"a": 1, "b": 2, "c": 4}


def test_of_graphql_these_are_variables() -> None:
    whole, spare = asked(a=1, b=2, c=3), asked(a=1)
    assert parts_of(whole, spare) == ["b", "c"]
    changed = with_parts(whole, spare, ["c"])
    assert json.loads(changed.body)["variables"] == {"a": 1, "c": 3}
    assert changed.first(b"Content-Length") == str(len(changed.body)).encode()


def test_many_are_none() -> None:
    many = "&".join(f"p{one}=1" for one in range(MOST_PARTS + 1))
    assert parts_of(get("/a?" + many), get("/a")) == []
