"""One's own account under whatever word the application has for accounts."""

import json

import msgspec
import pytest
from tests.node.loop import run
from tests.node.scan.drafts.shops import in_json
from tests.node.scan.drafts.test_obtaining import draft, obtained

from gatecrash.core.message import Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.profiles.profile import AuthProfile, ProfileIdentity
from gatecrash.fakes.raw_server import RawServer
from gatecrash.formats.draft import Draft, Hole
from gatecrash.node.scan.drafts.own_number import by_own_number, is_oneself

JSON = ((b"Content-Type", b"application/json"),)
UUID, OTHER = "3f2b8c1e-5d47-4a6b-9c0e-1a2b3c4d5e6f", "aaaaaaaa-5d47-4a6b-9c0e-1a2b3c4d5e6f"


@pytest.mark.parametrize(
    ("method", "target", "number", "asked"),
    [
        ("GET", "/singers/2", "17", b"/singers/17"),
        ("GET", f"/singers/{OTHER}", UUID, f"/singers/{UUID}".encode()),
        ("GET", "/singers/17", "17", None),
        ("GET", "/singers/2", "", None),
        ("GET", "/singers/2", UUID, None),
        ("GET", "/singers/ann", "17", None),
        ("PUT", "/singers/2", "17", None),
    ],
)
def test_the_number_stands_for_one_of_its_kind(method: str, target: str, number: str, asked: bytes | None) -> None:
    own = by_own_number(draft(80, method, target, 1), number)
    assert (own and own.request.target) == asked


def test_what_stands_below_a_thing_is_not_asked_for() -> None:
    assert by_own_number(draft(80, "GET", "/singers/2/voice", 1), "17") is None


def called(field: str, *names: str) -> Draft:
    body = json.dumps({"query": f"{field} {{ id }} }}", "variables": dict.fromkeys(names, "2")}).encode()
    holes = tuple(Hole(name, Point(("post", "json_doc", "json_obj", "variables", "json_obj", name))) for name in names)
    return Draft(request=Request("POST", b"/graphql", JSON, body), drafted=True, holes=holes)


@pytest.mark.parametrize(
    ("asked", "number"),
    [
        (called("query Q($id: ID) { singer(id: $id)", "id"), "17"),
        (called("query Q($id: ID, $at: ID) { singer(id: $id, at: $at)", "id", "at"), None),
        (called("query Q { singers"), None),
        (called("mutation M($id: ID) { retireSinger(id: $id)", "id"), None),
    ],
)
def test_the_only_thing_that_a_query_names(asked: Draft, number: str | None) -> None:
    own = by_own_number(asked, "17")
    assert (own and json.loads(own.request.body)["variables"]["id"]) == number


@pytest.mark.parametrize(
    ("told", "itself"),
    [({"id": 17, "email": "gc@a.example"}, True), ({"id": 17, "email": "ann@a.example"}, False), ([], False)],
)
def test_an_answer_that_calls_it_so_is_oneself(told: object, *, itself: bool) -> None:
    answered = msgspec.structs.replace(
        draft(80, "GET", "/singers/17", 1), response=Response(200, (), json.dumps(told).encode())
    )
    assert is_oneself(answered, [("user", "gc"), ("mail", "gc@a.example"), ("id", "17")]) is itself


@pytest.mark.parametrize(("called", "target"), [("gc@a.example", b"/singers/17"), ("ann@a.example", b"/singers/2")])
@run
async def test_the_account_is_asked_for_in_the_place_of_whom_a_list_shows(called: str, target: bytes) -> None:
    async def talk(reader, writer) -> None:  # type: ignore[no-untyped-def]
        while raw := await server.read_request(reader):
            asked = raw.split(b" ")[1]
            told = {b"/singers": [{"id": 2}], b"/me": {"id": 17}, b"/singers/17": {"id": 17, "email": called}}
            writer.write(in_json(200, json.dumps(told.get(asked, {"id": 2}))))

    own = ProfileIdentity(name="one", variables=(("mail", "gc@a.example"),))
    profile = AuthProfile(id="p", name="p", identities=(own, ProfileIdentity(name="two")))
    async with RawServer(talk) as server:
        port = server.port
        both = draft(port, "GET", "/singers"), draft(port, "GET", "/singers/1", 1)
        ledger = await obtained(port, *both, draft(port, "GET", "/me"), profile=profile)
    assert [one.baseline.request.target for one in ledger.tested.values()] == [b"/singers", target, b"/me"]
