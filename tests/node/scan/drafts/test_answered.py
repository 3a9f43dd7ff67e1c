"""What an answer says of the values that were sent, and what a scan asks again because of it."""

import json

import msgspec
import pytest
from tests.node.loop import run
from tests.node.scan.drafts.shops import in_json
from tests.node.scan.drafts.test_obtaining import draft, obtained

from gatecrash.core.message import Response
from gatecrash.core.point import Point
from gatecrash.core.testing.profiles.profile import AuthProfile, Placed, ProfileIdentity
from gatecrash.fakes.raw_server import RawServer
from gatecrash.formats.draft import Draft, Hole
from gatecrash.node.scan.drafts.answered import fails, is_good, is_unfit, lists_any, says_as_much
from gatecrash.node.scan.ledger import Ledger


def answered(body: bytes) -> Draft:
    one: Draft = msgspec.structs.replace(
        draft(9, "GET", "/visits"), response=Response(200, ((b"Content-Type", b"application/json"),), body)
    )
    return one


@pytest.mark.parametrize(
    ("body", "any_row", "as_much"),
    [
        (b'[{"id": 1}]', True, False),
        (b'{"visits": [{"id": 1}]}', True, False),
        (b"[]", False, False),
        (b'{"visits": [], "total": 0, "of": "nobody"}', False, True),
    ],
)
def test_a_list_with_rows_has_something_though_another_says_more(body: bytes, *, any_row: bool, as_much: bool) -> None:
    other = answered(b'[{"id": 1, "note": "a note", "day": "2026-01-15"}, {"id": 2, "note": "no"}]')
    assert lists_any(answered(body)) is any_row
    assert says_as_much(answered(body), other) is as_much


@pytest.mark.parametrize(
    ("status", "body", "good", "unfit"),
    [
        (200, b'{"id": 1}', True, False),
        (404, b"{}", False, True),
        (500, b"{}", False, True),
        (503, b"{}", False, False),
        (403, b"{}", False, False),
        (200, b'{"errors": [{"message": "no such field"}]}', False, True),
    ],
)
def test_an_answer_is_good_or_says_that_the_values_do_not_suit(
    status: int, body: bytes, *, good: bool, unfit: bool
) -> None:
    answer = Response(status, ((b"Content-Type", b"application/json"),), body)
    assert (is_good(answer), is_unfit(answer)) == (good, unfit)
    assert fails(answer) is (status == 200 and not good)


def answers(ledger: Ledger) -> dict[bytes, int]:
    return {
        one.baseline.request.target: one.baseline.response.status if one.baseline.response is not None else 0
        for one in ledger.tested.values()
    }


@run
async def test_what_a_document_shows_and_somebody_else_has_gives_way_to_what_is_there() -> None:
    async def talk(reader, writer) -> None:  # type: ignore[no-untyped-def]
        while raw := await server.read_request(reader):
            if raw.startswith(b"GET /items "):
                writer.write(in_json(200, '[{"id": 41}]'))
            else:
                writer.write(in_json(200 if b"/items/41" in raw else 403, "{}"))

    async with RawServer(talk) as server:
        shown = draft(server.port, "GET", "/items/5/notes", 1)
        shown = msgspec.structs.replace(shown, holes=(Hole("item_id", Point(("path", "1")), given=True),))
        ledger = await obtained(server.port, shown, draft(server.port, "GET", "/items"))
    assert answers(ledger) == {b"/items": 200, b"/items/41/notes": 200}


@run
async def test_values_are_kept_where_only_what_they_call_is_not_there_and_what_they_made_is_asked_for() -> None:
    async def talk(reader, writer) -> None:  # type: ignore[no-untyped-def]
        while raw := await server.read_request(reader):
            answers = {
                b"GET /kilns": (200, '[{"id": 41}]'),
                b"POST /kilns/41/calls": (503, '{"error": "nobody answers"}'),
                b"POST /kilns/41/firings": (201, '{"report_id": 7}'),
                b"GET /reports/7": (200, "{}"),
            }
            writer.write(in_json(*answers.get(b" ".join(raw.split(b" ")[:2]), (404, "{}"))))

    def shown(method: str, target: str, name: str) -> Draft:
        holes = (Hole(name, Point(("path", "1")), given=True),)
        return msgspec.structs.replace(draft(server.port, method, target), holes=holes)

    async with RawServer(talk) as server:
        kilns = draft(server.port, "GET", "/kilns")
        calls = [shown("POST", f"/kilns/5/{word}", "kiln_id") for word in ("calls", "firings")]
        ledger = await obtained(server.port, shown("GET", "/reports/1", "report_id"), *calls, kilns)
    assert answers(ledger) == {b"/kilns": 200, b"/kilns/41/calls": 503, b"/kilns/41/firings": 201, b"/reports/7": 200}


@pytest.mark.parametrize(("rows", "asked"), [('[{"id": 9, "owner": 31}]', b"owner=31"), ("[]", b"owner=1")])
@run
async def test_a_filter_by_owner_asks_for_ones_own_rows_however_few(rows: str, asked: bytes) -> None:
    async def talk(reader, writer) -> None:  # type: ignore[no-untyped-def]
        while raw := await server.read_request(reader):
            target = raw.split(b" ")[1]
            of_others = json.dumps([{"id": at, "owner": 1, "reason": "a long reason"} for at in range(9)])
            writer.write(
                in_json(
                    200, '{"id": 31, "name": "ann"}' if target == b"/me" else rows if b"=31" in target else of_others
                )
            )

    two = tuple(
        ProfileIdentity(name=name, values=(Placed(("header", "AUTHORIZATION"), f"Bearer of-{name}-12345"),))
        for name in ("ann", "ben")
    )
    async with RawServer(talk) as server:
        listed = msgspec.structs.replace(
            draft(server.port, "GET", "/visits?owner=1"), holes=(Hole("owner", Point(("get", "owner")), loose=True),)
        )
        me = draft(server.port, "GET", "/me")
        ledger = await obtained(server.port, me, listed, profile=AuthProfile(id="p", name="p", identities=two))
    queries = [one.baseline.request.query for one in ledger.tested.values()]
    assert queries[1] == asked
