"""A described deletion is sent about what the scan has made, and about nothing that was there before."""

import json
from typing import Any

import msgspec
import pytest
from tests.node.loop import run
from tests.node.scan.drafts.shops import in_json, shop
from tests.node.scan.drafts.test_obtaining import draft, obtained

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.profiles.profile import AuthProfile, Placed, ProfileIdentity
from gatecrash.fakes.raw_server import RawServer
from gatecrash.formats.draft import Draft, Hole
from gatecrash.node.scan.drafts.kept_things import ends_something, is_kept, makes, thing_of
from gatecrash.node.scan.drafts.known_values import KnownValues
from gatecrash.node.test.connections.traffic import Traffic

JSON = ((b"Content-Type", b"application/json"),)


def described(method: str, target: str, *holes: int, given: bool = False, body: bytes = b"") -> Draft:
    """holes: the segments of its path that name something; of none, and with a body, the body's `id`."""
    points = [("path", str(at)) for at in holes] or ([("post", "json_doc", "json_obj", "id")] if body else [])
    request = Request(method, target.encode(), JSON if body else (), body)
    listed = tuple(Hole("id", Point(point), given=given) for point in points)
    return Draft(request=request, drafted=True, operation=True, holes=listed)


def after(*told: tuple[str, str, Any]) -> KnownValues:
    """What is known behind these requests: method, target and answer."""
    known = KnownValues()
    for method, target, said in told:
        body = b'{"name": "a green pot"}' if method == "POST" else b""
        known.learn(Request(method, target.encode(), JSON, body), Response(200, JSON, json.dumps(said).encode()))
    return known


def mutation(document: str) -> Draft:
    """Asked of the thing that is called `visit_id`."""
    body = json.dumps({"query": document, "variables": {"id": "1"}}).encode()
    hole = Hole("visit_id", Point(("post", "json_doc", "json_obj", "variables", "json_obj", "id")))
    return Draft(request=Request("POST", b"/graphql", JSON, body), drafted=True, operation=True, holes=(hole,))


CANCEL = "mutation C($id: ID!) { cancelVisit(id: $id) }"
VISITS = ("GET", "/visits", [{"id": "1", "day": "Monday"}])
BOOKED = ("POST", "/visits", {"id": "8", "day": "Friday"})
LISTED = ("GET", "/items", [{"id": 1, "name": "tea"}, {"id": 2, "name": "cup"}])
MADE = ("POST", "/items", {"id": 8})


@pytest.mark.parametrize(
    ("draft", "told", "kept"),
    [
        (described("DELETE", "/items/1", 1), [LISTED], True),
        (described("DELETE", "/items/1", 1), [], True),
        (described("DELETE", "/items/1", 1, given=True), [LISTED], True),
        (described("DELETE", "/items/1", 1, given=True), [LISTED, MADE], False),
        (described("DELETE", "/items/1", 1), [LISTED, MADE], False),
        (described("DELETE", "/shop/items/1", 2), [MADE], False),
        (described("DELETE", "/items/1/parts", 1), [LISTED], True),
        (described("DELETE", "/items"), [LISTED, MADE], True),
        (described("DELETE", "/items/1/like", 1), [("POST", "/items/1/like", {"ok": True})], False),
        (described("DELETE", "/cart"), [("POST", "/cart", {"ok": True})], False),
        (described("DELETE", "/me/picture"), [], False),
        (described("POST", "/items/remove", body=b'{"id": 1}'), [LISTED], True),
        (described("POST", "/items/1/remove", 1), [LISTED], True),
        (described("POST", "/items/1/remove", 1), [LISTED, MADE], False),
        (described("POST", "/items/1/label", 1), [LISTED], False),
        (described("DELETE", "/session"), [], False),
        (described("POST", "/admin/reset"), [], True),
        (described("POST", "/demo/reset", body=b'{"id": 1}'), [], True),
        (described("GET", "/admin/reset-database"), [], True),
        (described("POST", "/auth/reset", body=b'{"id": 1}'), [], False),
        (described("POST", "/items/1/cancel", 1), [LISTED], True),
        (described("POST", "/items/1/cancel", 1), [LISTED, MADE], False),
        (described("POST", "/me/plan/cancel"), [], False),
        (mutation(CANCEL), [VISITS], True),
        (mutation(CANCEL), [VISITS, BOOKED], False),
        (mutation(CANCEL.replace("cancel", "move")), [VISITS], False),
    ],
)
def test_what_was_there_before_is_kept(draft: Draft, told: list[tuple[str, str, Any]], kept: bool) -> None:
    known = after(*told)
    assert is_kept(known.filled(draft, own=True), known) is kept


@pytest.mark.parametrize(
    ("draft", "kept"),
    [
        (described("DELETE", "/me"), True),
        (described("POST", "/account/close"), True),
        (described("DELETE", "/me/picture"), False),
        (Draft(request=Request("DELETE", b"/me"), drafted=True), False),
    ],
)
def test_an_account_that_the_scan_has_not_made_is_kept(draft: Draft, kept: bool) -> None:
    assert is_kept(draft, after(), somebodys=True) is kept
    assert not is_kept(draft, after())


def test_a_request_that_somebody_wrote_is_sent_as_it_is_written() -> None:
    written = Draft(request=Request("DELETE", b"/items/1"), drafted=True)
    assert not is_kept(written, after(LISTED))


@pytest.mark.parametrize(
    ("shown", "kept"),
    [
        ([{"id": 1, "name": "tea"}, {"id": 9, "name": "a green pot"}], False),
        ([{"id": 1, "name": "tea"}, {"id": 9, "name": "of somebody else"}], True),
        ([{"id": 1, "name": "a green pot"}], True),
    ],
)
def test_what_a_list_shows_since_it_was_made_is_deleted_where_no_answer_named_it(shown: Any, kept: bool) -> None:
    known = after(
        ("GET", "/items", [{"id": 1, "name": "tea"}]), ("POST", "/items", {"ok": True}), ("GET", "/items", shown)
    )
    filled = known.filled(described("DELETE", "/items/1", 1), own=True)
    assert is_kept(filled, known) is kept
    assert filled.request.target == (b"/items/1" if kept else b"/items/9")


def test_what_its_list_says_as_the_request_was_answered_that_made_it_elsewhere_is_ours() -> None:
    made = {"id": 9, "user": "u7", "course": 4, "paid": 20}
    theirs = {"id": 1, "user": "u1", "course": 4, "paid": 20}
    known = after(("POST", "/courses/4/enrol", made), ("GET", "/enrolments", [theirs, made | {"paid": 25}]))
    filled = known.filled(described("POST", "/enrolments/1/cancel", 1), own=True)
    assert (filled.request.target, is_kept(filled, known)) == (b"/enrolments/9/cancel", False)
    others = described("POST", "/enrolments/1/cancel", 1)
    assert is_kept(others, known), "its number is that of somebody's"


def test_what_no_list_showed_before_is_nobodys_known_to_be_new() -> None:
    known = after(("POST", "/items", {"ok": True}), ("GET", "/items", [{"id": 9, "name": "a green pot"}]))
    assert is_kept(known.filled(described("DELETE", "/items/1", 1), own=True), known)


def test_the_innermost_thing_is_named_and_known_by_what_makes_such() -> None:
    assert thing_of(described("DELETE", "/orders/3/items/7", 1, 3)) == ("items", "7")
    assert thing_of(described("DELETE", "/items/7", 1, given=True)) == ("", "")
    made = described("POST", "/orders/3/items")
    assert not makes(made, "items"), "it was not answered"
    assert makes(msgspec.structs.replace(made, response=Response(201)), "items")


@run
async def test_what_a_description_says_to_empty_all_is_not_sent() -> None:
    both = tuple(
        ProfileIdentity(name=name, values=(Placed(("header", "AUTHORIZATION"), name),)) for name in ("ann", "ben")
    )
    async with shop(RawServer()) as server:
        emptying = msgspec.structs.replace(draft(server.port, "GET", "/setup"), kept=True)
        listing = draft(server.port, "GET", "/items")
        profile = AuthProfile(id="p", name="p", identities=both, bare=True)
        ledger = await obtained(server.port, emptying, listing, profile=profile)
        asked = {b" ".join(raw.split(b" ")[:2]).decode() for raw in server.received}
    assert asked == {"GET /items"}
    assert [one.baseline.response is None for one in ledger.tested.values()].count(True) == 1


@run
async def test_of_two_deletions_each_has_a_thing_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    met: list[Exchange] = []
    learn = Traffic.learn
    monkeypatch.setattr(
        Traffic, "learn", lambda self, one, *, visited=False: met.append(one) or learn(self, one, visited=visited)
    )
    made: list[int] = []
    async with RawServer() as server:

        async def talk(reader, writer) -> None:  # type: ignore[no-untyped-def]
            while raw := await server.read_request(reader):
                if raw.startswith(b"POST"):
                    made.append(41 + len(made))
                writer.write(in_json(201, json.dumps({"id": made[-1]})) if made else in_json(404, "{}"))

        server._talk = talk
        drafts = [draft(server.port, "POST", "/items"), draft(server.port, "DELETE", "/items/1", 1)]
        last = draft(server.port, "DELETE", "/admin/items/1", 2)
        of_all = msgspec.structs.replace(draft(server.port, "DELETE", "/items"), operation=True)
        ledger = await obtained(server.port, *drafts, last, of_all)
        assert b"DELETE /items " not in b"".join(server.received)
    targets = [one.baseline.request.target for one in ledger.tested.values()]
    assert (targets[1:3], made) == ([b"/items/41", b"/admin/items/42"], [41, 42])
    assert [one.reason for one in ledger.tested.values()] == [None, None, None, "recording_error"]
    told = [one.response.body for one in met if one.request.method == "POST" and one.response is not None]
    assert {b'{"id": 41}', b'{"id": 42}'} == set(told), "who deletes asks what made both"


def test_what_destroys_or_cancels_is_sent_last():
    assert ends_something(mutation(CANCEL).request)
    assert ends_something(Request("DELETE", b"/items/1"))
    assert not ends_something(mutation(CANCEL.replace("cancel", "move")).request)
