"""What a list refused while it was empty is asked for by its rows once it has any."""

import json

import pytest
from tests.node.loop import run
from tests.node.scan.drafts.shops import in_json
from tests.node.scan.drafts.test_obtaining import draft, obtained

from gatecrash.core.message import Request
from gatecrash.core.point import Point
from gatecrash.fakes.raw_server import RawServer
from gatecrash.formats.draft import Draft, Hole, left_out_of


@pytest.mark.parametrize(("status", "column"), [(400, b"title"), (500, b"title"), (400, b"none"), (500, b"none")])
@run
async def test_what_was_refused_while_a_list_was_empty_is_asked_by_its_rows(status: int, column: bytes) -> None:
    made: list[bool] = []

    async def talk(reader, writer) -> None:  # type: ignore[no-untyped-def]
        while raw := await server.read_request(reader):
            line = raw.partition(b"\r\n")[0]
            made.extend([True] if b"POST" in line else [])
            good = b"sort=" not in line or b"sort=" + column in line
            writer.write(in_json(200 if good else status, '[{"title": "milk"}]' if made and good else "[]"))

    async with RawServer(talk) as server:
        one, bare = draft(server.port, "GET", "/notes?sort=example&done=1"), draft(server.port, "GET", "/notes")
        hole = Hole("sort", Point(("get", "sort")), loose=True)
        asked = Draft(request=one.request, drafted=True, holes=(hole,), spare=bare.request)
        ledger = await obtained(server.port, asked, draft(server.port, "POST", "/notes"))
    found = next(iter(ledger.tested.values())).baseline
    answered = column == b"title"
    assert found.request.target == (b"/notes?done=1&sort=title" if answered else b"/notes?done=1")
    kept = [b"sort=example"] if not answered and status == 400 else []
    assert [each.query for each in left_out_of(found.exchange)] == kept


@run
async def test_a_list_of_graphql_is_looked_at_first_and_what_it_refuses_is_kept() -> None:
    async def talk(reader, writer) -> None:  # type: ignore[no-untyped-def]
        while raw := await server.read_request(reader):
            given = json.loads(raw.partition(b"\r\n\r\n")[2]).get("variables", {})
            rows = [{"tag": "wood"}] if given.get("tag", "wood") == "wood" else []
            fell = {"errors": [{"message": "Unexpected error."}], "data": None}
            writer.write(in_json(200, json.dumps(fell if "where" in given else {"data": {"items": rows}})))

    def asking(**variables: str) -> Request:
        query = "query Items($tag: String, $where: String) { items(tag: $tag, where: $where) { tag } }"
        body = json.dumps({"query": query, **({"variables": variables} if variables else {})}).encode()
        head = ((b"Host", b"x"), (b"Content-Type", b"application/json"), (b"Content-Length", b"%d" % len(body)))
        return Request("POST", b"/graphql", head, body, "http", "127.0.0.1", server.port)

    async with RawServer(talk) as server:
        where = Point.of("post", "json_doc", "json_obj", "variables", "json_obj")
        holes = tuple(Hole(name, Point((*where, name)), loose=True) for name in ("tag", "where"))
        asked = Draft(request=asking(tag="example", where="example"), drafted=True, holes=holes, spare=asking())
        ledger = await obtained(server.port, asked)
    found = next(iter(ledger.tested.values())).baseline
    assert json.loads(found.request.body)["variables"] == {"tag": "wood"}
    assert [json.loads(one.body)["variables"]["where"] for one in left_out_of(found.exchange)] == ["example"]


@run
async def test_a_part_that_is_refused_for_naming_no_column_is_asked_with_what_a_column_may_be() -> None:
    """`?by=example` says nothing of sorting; the error does, and the next part is asked with what was let in."""

    async def talk(reader, writer) -> None:  # type: ignore[no-untyped-def]
        while raw := await server.read_request(reader):
            line = raw.partition(b"\r\n")[0]
            fallen = b"by=example" in line
            writer.write(in_json(500, '{"why": "no such column: example"}') if fallen else in_json(200, '[{"id": 1}]'))

    async with RawServer(talk) as server:
        one, bare = draft(server.port, "GET", "/notes?by=example&page=1"), draft(server.port, "GET", "/notes")
        ledger = await obtained(server.port, Draft(request=one.request, drafted=True, spare=bare.request))
    found = next(iter(ledger.tested.values())).baseline
    assert found.request.target == b"/notes?by=1&page=1"
    assert left_out_of(found.exchange) == ()
