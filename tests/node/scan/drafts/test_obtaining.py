"""Drafts are answered in an order of care, with the values that answers teach."""

import json
from typing import Any

import msgspec
import pytest
from tests.node.loop import run
from tests.node.scan.drafts.shops import circle, in_json, listing, shop

from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.message import Exchange, Request
from gatecrash.core.point import Point
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.profiles.profile import AuthProfile, Placed, ProfileIdentity
from gatecrash.core.testing.selection.hosts import AllowedHosts
from gatecrash.fakes.raw_server import RawServer
from gatecrash.formats.draft import Draft, Hole, left_out_of
from gatecrash.node.scan.engine import Engine
from gatecrash.node.scan.ledger import Facts, Ledger
from gatecrash.node.scan.outgoing import Way
from gatecrash.node.scan.planned import Planner
from gatecrash.wire.session import RunOrder

RECOGNISER = compile_recogniser()
# A policy without any check: what is sent is only what obtains answers.
SILENT = DEFAULT.__class__(id="silent", name="silent", types=())


def draft(port: int, method: str, target: str, *holes: int) -> Draft:
    request = Request(method, target.encode(), ((b"Host", b"x"),), b"", "http", "127.0.0.1", port)
    return Draft(request=request, drafted=True, holes=tuple(Hole("item_id", Point(("path", str(at)))) for at in holes))


async def obtained(port: int, *drafts: Draft, profile: AuthProfile | None = None) -> Ledger:
    facts = Facts(id="tr_1", record_id="rec_1", name="n", policy_id="silent", created_at=1, updated_at=1.0)
    exchanges: list[Exchange] = list(drafts)
    ledger = Ledger(facts, Planner(SILENT, RECOGNISER).plan(exchanges), 1.0)
    order = RunOrder(
        run_id="tr_1", generation=1, record_id="rec_1", recording=False, sending=True, policy=SILENT, profile=profile
    )
    await Engine(ledger, order, RECOGNISER, Way(AllowedHosts()), workers=3).run()
    return ledger


@run
async def test_safe_ones_first_then_what_changes_then_again_what_was_not_there_and_what_destroys_last() -> None:
    async with shop(RawServer()) as server:
        port = server.port
        ledger = await obtained(
            port,
            draft(port, "DELETE", "/items/1", 1),
            draft(port, "GET", "/items/1", 1),
            draft(port, "PUT", "/items/1", 1),
            draft(port, "POST", "/items"),
            draft(port, "GET", "/items"),
        )
        asked = [b" ".join(raw.split(b" ")[:2]).decode() for raw in server.received]
    assert asked == [
        "GET /items",
        "GET /items/1",
        "POST /items",
        "PUT /items/41",
        "GET /items/41",
        "DELETE /items/41",
    ]
    statuses = {one.baseline.request.method: one.baseline.response for one in ledger.tested.values()}
    assert statuses["PUT"] is not None
    assert statuses["PUT"].status == 200
    urls = [one.baseline.request.target for one in ledger.tested.values()]
    assert urls == [b"/items/41", b"/items/41", b"/items/41", b"/items", b"/items"]


@run
async def test_what_ends_a_thing_is_sent_behind_what_changes_it() -> None:
    async with shop(RawServer()) as server:
        port = server.port
        acts = [draft(port, "POST", "/items/1/return", 1), draft(port, "PUT", "/items/1", 1)]
        await obtained(port, *acts, draft(port, "POST", "/items"))
        asked = [b" ".join(raw.split(b" ")[:2]).decode() for raw in server.received]
    assert asked == ["POST /items", "PUT /items/41", "POST /items/41/return"]


@run
async def test_what_was_made_up_and_is_there_by_now_is_asked_for_again() -> None:
    async with shop(RawServer()) as server:
        port = server.port
        ledger = await obtained(port, draft(port, "GET", "/items/41", 1), draft(port, "POST", "/items"))
        asked = [b" ".join(raw.split(b" ")[:2]).decode() for raw in server.received]
    assert asked == ["GET /items/41", "POST /items", "GET /items/41"]
    first = next(iter(ledger.tested.values())).baseline.response
    assert first is not None
    assert first.status == 200


@run
async def test_a_refusal_that_tells_the_form_of_a_made_up_text_is_followed_by_one_of_that_form() -> None:
    async def talk(reader, writer) -> None:  # type: ignore[no-untyped-def]
        while raw := await server.read_request(reader):
            fits = b"day=2026-01-15" in raw
            writer.write(in_json(200 if fits else 422, "{}" if fits else '{"day": "Invalid date"}'))

    async with RawServer() as server:
        server._talk = talk
        ledger = await obtained(server.port, draft(server.port, "GET", "/tides?day=example"))
        asked = [raw.split(b" ")[1] for raw in server.received]
    assert asked == [b"/tides?day=example", b"/tides?day=2026-01-15"]
    first = next(iter(ledger.tested.values())).baseline
    assert (first.request.target, first.response and first.response.status) == (b"/tides?day=2026-01-15", 200)


@pytest.mark.parametrize(("status", "told"), [(400, "email must be unique"), (409, "Taken")])
@run
async def test_a_registration_of_somebody_who_is_there_already_is_sent_for_another(status: int, told: str) -> None:
    async def talk(reader, writer) -> None:  # type: ignore[no-untyped-def]
        while raw := await server.read_request(reader):
            is_taken = b"ann@x.example" in raw
            writer.write(in_json(status, json.dumps({"error": told})) if is_taken else in_json(201, "{}"))

    async with RawServer() as server:
        server._talk = talk
        body = b'{"email":"ann@x.example","password":"p"}'
        headers = ((b"Host", b"x"), (b"Content-Type", b"application/json"), (b"Content-Length", b"%d" % len(body)))
        made = Request("POST", b"/members", headers, body, "http", "127.0.0.1", server.port)
        ledger = await obtained(server.port, Draft(request=made, drafted=True))
    first = next(iter(ledger.tested.values())).baseline
    assert first.response is not None
    assert first.response.status == 201


@run
async def test_what_was_captured_is_not_sent_to_learn_its_answer() -> None:
    async with RawServer().answering(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") as server:
        request = Request("GET", b"/a", (), b"", "http", "127.0.0.1", server.port)
        facts = Facts(id="tr_1", record_id="rec_1", name="n", policy_id="silent", created_at=1, updated_at=1.0)
        ledger = Ledger(facts, Planner(SILENT, RECOGNISER).plan([Exchange(request)]), 1.0)
        order = RunOrder(run_id="tr_1", generation=1, record_id="rec_1", recording=False, sending=True, policy=SILENT)
        await Engine(ledger, order, RECOGNISER, Way(AllowedHosts())).run()
        assert server.received == []


@run
async def test_a_list_is_asked_without_its_filters_first_so_that_they_find_something() -> None:
    async with listing(RawServer()) as server:
        one = draft(server.port, "GET", "/cars?brand=example")
        spare = draft(server.port, "GET", "/cars").request
        hole = Hole("brand", Point(("get", "brand")), loose=True)
        filtered = Draft(request=one.request, drafted=True, holes=(hole,), spare=spare)
        ledger = await obtained(server.port, filtered)
        asked = [raw.split(b" ")[1] for raw in server.received]
    assert asked == [b"/cars", b"/cars?brand=Volvo"]
    assert next(iter(ledger.tested.values())).baseline.request.target == b"/cars?brand=Volvo"


@run
async def test_what_is_refused_for_its_form_is_asked_with_nothing_optional_in_it() -> None:
    async with listing(RawServer()) as server:
        head = ((b"Host", b"x"), (b"Content-Type", b"application/json"), (b"Content-Length", b"12"))
        whole, bare = (
            Request("POST", b"/orders", head, body, "http", "127.0.0.1", server.port)
            for body in (b'{"note":"x"}', b'{"name":"x"}')
        )
        ledger = await obtained(server.port, Draft(request=whole, drafted=True, spare=bare))
    (one,) = ledger.tested.values()
    assert one.baseline.request.body == bare.body
    assert one.baseline.response is not None
    assert one.baseline.response.status == 201


@run
async def test_of_what_only_reads_as_much_is_asked_as_is_let_in() -> None:
    async with listing(RawServer()) as server:
        one = draft(server.port, "GET", "/search?kind=1&sort=example&q=x&size=99&page=1")
        ledger = await obtained(
            server.port, msgspec.structs.replace(one, spare=draft(server.port, "GET", "/search?kind=1").request)
        )
        asked = [raw.split(b" ")[1] for raw in server.received]
    (tested,) = ledger.tested.values()
    assert tested.baseline.request.target == b"/search?kind=1&q=x&page=1"
    assert tested.baseline.response is not None
    assert tested.baseline.response.status == 200
    assert len(asked) == 6
    assert [(one.query, one.response.status) for one in left_out_of(tested.baseline.exchange)] == [
        (b"kind=1&sort=example", 422),
        (b"kind=1&q=x&size=99", 422),
    ]


@run
async def test_a_list_that_was_empty_is_asked_again_once_something_was_made() -> None:
    made: list[bool] = []

    async def talk(reader, writer) -> None:  # type: ignore[no-untyped-def]
        while raw := await server.read_request(reader):
            line = raw.partition(b"\r\n")[0]
            made.extend([True] if b"POST" in line else [])
            body = '[{"id": 1, "title": "milk"}]' if made and (b"?" not in line or b"=milk" in line) else "[]"
            writer.write(in_json(200, body))

    async with RawServer(talk) as server:
        bare = draft(server.port, "GET", "/notes")
        one = draft(server.port, "GET", "/notes?title=example")
        hole = Hole("title", Point(("get", "title")), loose=True)
        filtered = Draft(request=one.request, drafted=True, holes=(hole,), spare=bare.request)
        ledger = await obtained(server.port, filtered, draft(server.port, "POST", "/notes"))
        asked = [b" ".join(raw.split(b" ")[:2]).decode() for raw in server.received]
    assert asked == ["GET /notes", "GET /notes?title=example", "POST /notes", "GET /notes", "GET /notes?title=milk"]
    assert next(iter(ledger.tested.values())).baseline.request.target == b"/notes?title=milk"


@pytest.mark.parametrize(
    ("said", "status", "target"),
    [({"total": 3}, 200, b"/items/41/receipt"), ({}, 200, b"/items/9/receipt"), ({}, 403, b"/items/41/receipt")],
)
@run
async def test_what_belongs_to_a_thing_is_asked_of_one_that_was_made_where_that_has_any_or_the_other_is_refused(
    said: Any, status: int, target: bytes
) -> None:
    identities = tuple(
        ProfileIdentity(name=name, values=(Placed(("header", "AUTHORIZATION"), name),)) for name in ("one", "two")
    )

    async def talk(reader, writer) -> None:  # type: ignore[no-untyped-def]
        while raw := await server.read_request(reader):
            of_others = {b"/items": [{"id": 9}], b"/items/9/receipt": {"total": 17}}
            made = {"id": 41}
            asked = raw.split(b" ")[1]
            body = made if raw.startswith(b"POST") else of_others.get(asked, said)
            writer.write(in_json(status if asked == b"/items/9/receipt" else 200, json.dumps(body)))

    async with RawServer(talk) as server:
        port = server.port
        drafts = [
            draft(port, "POST", "/items"),
            draft(port, "GET", "/items"),
            draft(port, "GET", "/items/1/receipt", 1),
        ]
        ledger = await obtained(port, *drafts, profile=AuthProfile(id="p", name="p", identities=identities))
        targets = [one.baseline.request.target for one in ledger.tested.values()]
    assert targets == [b"/items", b"/items", target]


@run
async def test_lists_are_asked_again_once_something_was_made_where_it_matters_whose_it_is() -> None:
    identities = tuple(
        ProfileIdentity(name=name, values=(Placed(("header", "AUTHORIZATION"), name),)) for name in ("one", "two")
    )
    async with shop(RawServer()) as server:
        both = draft(server.port, "POST", "/items"), draft(server.port, "GET", "/items")
        ledger = await obtained(server.port, *both, profile=AuthProfile(id="p", name="p", identities=identities))
        asked = [b" ".join(raw.split(b" ")[:2]).decode() for raw in server.received]
    assert asked == ["GET /items", "POST /items", "GET /items"]
    assert [one.baseline.response.body for one in ledger.tested.values() if one.baseline.response] == [
        b'{"id": 41}',
        b'[{"id": 41}]',
    ]


@run
async def test_a_filter_by_an_account_asks_for_ones_own_where_it_matters_whose_it_is() -> None:
    async def talk(reader, writer) -> None:  # type: ignore[no-untyped-def]
        while raw := await server.read_request(reader):
            writer.write(in_json(200, rows.get(raw.split(b" ")[1], "[]")))

    rows = {b"/me": '{"id": 20}', b"/items?user=20": '[{"id": 41}]'}
    profile = AuthProfile(id="p", name="p", identities=(ProfileIdentity(name="one"), ProfileIdentity(name="two")))
    async with RawServer(talk) as server:
        holes = (Hole("user", Point(("get", "user")), loose=True),)
        filtered = msgspec.structs.replace(draft(server.port, "GET", "/items?user=9"), holes=holes)
        ledger = await obtained(server.port, filtered, draft(server.port, "GET", "/me"), profile=profile)
    assert [one.baseline.request.target for one in ledger.tested.values()] == [b"/items?user=20", b"/me"]


@run
async def test_queries_of_graphql_are_asked_before_what_changes_and_again_with_what_was_made() -> None:
    async with circle(RawServer()) as server:

        def posted(query: str, **variables: str) -> Draft:
            body = json.dumps({"query": query, "variables": variables}).encode()
            headers = ((b"Host", b"x"), (b"Content-Type", b"application/json"), (b"Content-Length", b"%d" % len(body)))
            request = Request("POST", b"/graphql", headers, body, "http", "127.0.0.1", server.port)
            point = Point(("post", "json_doc", "json_obj", "variables", "json_obj", "id"))
            holes = (Hole("ticket_id", point),) if variables else ()
            return Draft(request=request, drafted=True, holes=holes, thing="ticket")

        ledger = await obtained(
            server.port,
            posted("mutation U($id: ID!) { updateTicket(id: $id) { id } }", id="1"),
            posted("mutation { openTicket { id } }"),
            posted("query T($id: ID!) { ticket(id: $id) { id } }", id="1"),
        )
        bodies = [json.loads(raw.partition(b"\r\n\r\n")[2]) for raw in server.received]
    asked = [(each["query"].split(" ")[0], each.get("variables", {}).get("id")) for each in bodies]
    assert asked == [("query", "1"), ("mutation", None), ("mutation", "t-7"), ("query", "t-7")]
    answers = [one.baseline.response for one in ledger.tested.values()]
    assert all(each is not None and b"errors" not in each.body for each in answers)


@run
async def test_fields_that_are_refused_are_not_asked_for_again() -> None:
    async def talk(reader, writer) -> None:  # type: ignore[no-untyped-def]
        while raw := await server.read_request(reader):
            asked = json.loads(raw.partition(b"\r\n\r\n")[2])["query"]
            refused = {"data": None, "errors": [{"message": "sign in", "path": ["shows", 0, "host", "mail"]}]}
            writer.write(in_json(200, json.dumps(refused if "mail" in asked else {"data": {"shows": [{"id": 1}]}})))

    async with RawServer(talk) as server:
        body = json.dumps({"query": "{ shows { id host { mail name } } }"}).encode()
        headers = ((b"Host", b"x"), (b"Content-Type", b"application/json"), (b"Content-Length", b"%d" % len(body)))
        request = Request("POST", b"/graphql", headers, body, "http", "127.0.0.1", server.port)
        ledger = await obtained(server.port, Draft(request=request, drafted=True))
    baseline = next(iter(ledger.tested.values())).baseline
    assert json.loads(baseline.request.body)["query"] == "{ shows { id host { __typename name } } }"
    assert baseline.response is not None
    assert b"errors" not in baseline.response.body


@run
async def test_a_body_that_nothing_describes_is_made_of_what_the_refusal_names_and_of_what_is_there() -> None:
    async def talk(reader, writer) -> None:  # type: ignore[no-untyped-def]
        while raw := await server.read_request(reader):
            head, _, body = raw.partition(b"\r\n\r\n")
            if head.startswith(b"GET"):
                writer.write(in_json(200, '[{"id": 41}]'))
            elif not body:
                writer.write(in_json(400, '{"error": "raceId and note are required"}'))
            else:
                known = json.loads(body)["raceId"] in (41, "41")
                writer.write(in_json(*((201, '{"id": 7}') if known else (404, "{}"))))

    async with RawServer(talk) as server:
        port = server.port
        ledger = await obtained(port, draft(port, "POST", "/entries"), draft(port, "GET", "/races"))
        baseline = next(one.baseline for one in ledger.tested.values() if one.baseline.request.method == "POST")
    assert json.loads(baseline.request.body) in ({"raceId": 41, "note": "example"}, {"raceId": "41", "note": "example"})
    assert baseline.response is not None
    assert baseline.response.body == b'{"id": 7}'


@run
async def test_a_request_that_takes_no_made_up_text_is_sent_what_another_answer_has_under_its_name() -> None:
    async def talk(reader, writer) -> None:  # type: ignore[no-untyped-def]
        while raw := await server.read_request(reader):
            refused = raw.startswith(b"GET /tour?") and b"state=gASV" not in raw
            writer.write(in_json(*((400, "{}") if refused else (200, '{"state": "gASV"}'))))

    async with RawServer(talk) as server:
        port = server.port
        hole = Hole("state", Point(("get", "state")))
        filtered = msgspec.structs.replace(draft(port, "GET", "/tour?state=example"), holes=(hole,))
        ledger = await obtained(port, filtered, draft(port, "GET", "/tour"))
        targets = {one.baseline.request.target for one in ledger.tested.values()}
    assert targets == {b"/tour", b"/tour?state=gASV"}


@run
async def test_a_registration_takes_no_name_that_a_list_shows_and_the_club_that_it_shows() -> None:
    async def talk(reader, writer) -> None:  # type: ignore[no-untyped-def]
        while raw := await server.read_request(reader):
            head, _, body = raw.partition(b"\r\n\r\n")
            if head.startswith(b"GET"):
                writer.write(in_json(200, '[{"handle": "ann", "club_id": 41}]'))
            else:
                taken = json.loads(body)["handle"] == "ann"
                writer.write(in_json(*((409, "{}") if taken else (201, '{"id": 7}'))))

    async with RawServer(talk) as server:
        body = json.dumps({"handle": "example", "password": "x", "club_id": 1}).encode()
        headers = ((b"Host", b"x"), (b"Content-Type", b"application/json"))
        request = Request("POST", b"/auth/signup", headers, body, "http", "127.0.0.1", server.port)
        holes = tuple(Hole(name, Point(("post", "json_doc", "json_obj", name))) for name in ("handle", "club_id"))
        joins = Draft(request=request, drafted=True, holes=holes)
        one = msgspec.structs.replace(
            draft(server.port, "GET", "/members/x"), holes=(Hole("handle", Point(("path", "1"))),)
        )
        ledger = await obtained(server.port, draft(server.port, "GET", "/members"), one, joins)
        sent = [one.baseline for one in ledger.tested.values() if one.baseline.request.method == "POST"]
    assert [json.loads(one.request.body) for one in sent] == [{"handle": "example", "password": "x", "club_id": 41}]
    assert sent[0].response is not None
    assert sent[0].response.status == 201
