"""A refused request is given texts of members that are called as its fields."""

import json
from typing import Any

import pytest
from tests.node.loop import run
from tests.node.scan.drafts.shops import in_json
from tests.node.scan.drafts.test_obtaining import draft, obtained

from gatecrash.core.message import Request, Response
from gatecrash.fakes.raw_server import RawServer
from gatecrash.formats.draft import Draft
from gatecrash.node.scan.drafts.known_members import MOST_NAMES, KnownMembers

HEADERS = ((b"Content-Type", b"application/json"),)


def known(*said: Any) -> KnownMembers:
    members = KnownMembers()
    for one in said:
        members.learn(Response(200, HEADERS, json.dumps(one).encode()))
    return members


def posted(body: Any, target: str = "/restore") -> Request:
    return Request("POST", target.encode(), HEADERS, json.dumps(body).encode(), "http", "127.0.0.1", 9)


def test_each_field_has_the_first_text_that_was_met_under_its_name() -> None:
    members = known({"data": [{"State": "gASV", "kind": "box"}, {"state": "other"}]}, {"kind": "bag", "number": 7})
    changed = members.put_into(posted({"state": "example", "item": {"kind": "example"}, "number": "1", "name": "x"}))
    assert changed is not None
    assert json.loads(changed.body) == {"state": "gASV", "item": {"kind": "box"}, "number": "1", "name": "x"}


def test_rows_of_a_page_by_cursors_are_deep_enough() -> None:
    members = known({"data": {"items": {"edges": [{"node": {"sku": "A-7"}}]}}})
    changed = members.put_into(posted({"variables": {"input": {"sku": "example"}}}))
    assert changed is not None
    assert json.loads(changed.body) == {"variables": {"input": {"sku": "A-7"}}}


@pytest.mark.parametrize("said", [[{"id": 1, "code": "RB-1"}], {"data": [{"code": "RB-1"}, {"code": "RB-2"}]}])
def test_a_field_that_is_called_after_what_is_listed_has_its_member(said: Any) -> None:
    members = KnownMembers()
    members.learn(Response(200, HEADERS, json.dumps(said).encode()), "Bikes")
    changed = members.put_into(posted({"bike_code": "example", "station_code": "example"}))
    assert changed is not None
    assert json.loads(changed.body) == {"bike_code": "RB-1", "station_code": "example"}


def test_what_is_no_list_names_no_members_of_its_things() -> None:
    members = KnownMembers()
    members.learn(Response(200, HEADERS, b'{"code": "RB-1"}'), "bikes")
    assert members.put_into(posted({"bike_code": "example"})) is None


def test_a_parameter_is_filled_too() -> None:
    changed = known({"state": "a b"}).put_into(Request("GET", b"/tour?state=example", (), b"", "http", "127.0.0.1", 9))
    assert changed is not None
    assert changed.target in (b"/tour?state=a%20b", b"/tour?state=a+b")


@pytest.mark.parametrize(
    "body",
    [{"state": "gASV"}, {"unknown": "example"}, {"state": 1}, {}, {"user": "example", "state": "x", "password": "example"}],
)  # fmt: skip
def test_nothing_is_changed_where_nothing_else_is_known_or_a_password_goes_with_it(body: Any) -> None:
    assert known({"state": "gASV"}).put_into(posted(body)) is None


def test_answers_without_members_teach_nothing_and_names_are_bounded() -> None:
    members = known("gASV", [], None, {f"name{at}": "x" for at in range(MOST_NAMES + 1)})
    assert members.put_into(posted({f"name{MOST_NAMES}": "example"})) is None
    assert members.put_into(posted({f"name{MOST_NAMES - 1}": "example"})) is not None


@pytest.mark.parametrize("name", ["email", "username", "user_name"])
def test_what_may_change_something_is_given_nobodys_account(name: str) -> None:
    members = known({name: "ann@example.com", "kind": "box"})
    assert members.put_into(posted({name: "example"}, "/forgot-password")) is None
    changed = members.put_into(posted({name: "example", "kind": "example"}))
    assert changed is not None
    assert json.loads(changed.body) == {name: "example", "kind": "box"}
    read = members.put_into(Request("GET", f"/people?{name}=example".encode(), (), b"", "http", "127.0.0.1", 9))
    assert read is not None
    assert b"ann" in read.target


@run
async def test_what_suits_beside_known_members_is_written_as_the_next_refusal_tells() -> None:
    async def talk(reader, writer) -> None:  # type: ignore[no-untyped-def]
        while raw := await server.read_request(reader):
            head, _, body = raw.partition(b"\r\n\r\n")
            if head.startswith(b"GET"):
                writer.write(in_json(200, '[{"fitter_code": "F-1"}]'))
                continue
            given = json.loads(body)
            why = "" if given["fitter_code"] == "F-1" else "fitter_code is not known"
            why = why or ("" if given["report_to"].startswith("http") else "report_to: Enter a valid URL.")
            writer.write(in_json(400, json.dumps({"detail": why})) if why else in_json(201, '{"id": 7}'))

    body = json.dumps({"fitter_code": "example", "report_to": "example"}).encode()
    async with RawServer(talk) as server:
        head = ((b"Host", b"x"), *HEADERS, (b"Content-Length", b"%d" % len(body)))
        booking = Request("POST", b"/bookings", head, body, "http", "127.0.0.1", server.port)
        drafts = (draft(server.port, "GET", "/fitters"), Draft(request=booking, drafted=True))
        ledger = await obtained(server.port, *drafts)
    baseline = next(one.baseline for one in ledger.tested.values() if one.baseline.request.method == "POST")
    assert baseline.response is not None
    assert baseline.response.status == 201
