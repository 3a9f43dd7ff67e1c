"""Whose a card of a board is to change, driven as two who write cards."""

import json

import msgspec
import pytest
from tests.core.testing.driving import credentials_of, record
from tests.core.testing.probes.as_tenants import check_of, drive_as
from tests.range import tenants_boards
from tests.range.place import PLACES, Place, respond
from tests.range.tenants_store import OPAQUE

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.authorization.callers.oneself import WROTE
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probes.idor_write import PROBE
from gatecrash.core.testing.surroundings.pages import Pages
from gatecrash.core.testing.verdict import Outcome

JSON = ((b"Content-Type", b"application/json"),)
BOARDS = [each for each in PLACES if each.handler.__module__ == tenants_boards.__name__]


@pytest.mark.parametrize("place", BOARDS, ids=str)
def test_what_both_work_at_on_one_board_is_no_ones_alone(place: Place) -> None:
    pages = Pages()
    for each in place.beside:
        pages.add(record(respond, each).exchange)
    check = check_of(place.requests[0], respond, probe=PROBE, beside=pages)
    assert check is not None
    assert (drive_as(check, respond).verdict.outcome is Outcome.VULNERABLE) is place.flaw


@pytest.mark.parametrize("wrote", ["PATCH /tenants-boards/of-another-board/cards/83131", "PATCH /cards"])
def test_who_did_the_same_to_it_in_the_record_may_do_so(wrote: str) -> None:
    (place,) = [each for each in BOARDS if each.path.endswith("of-another-board")]
    pages = Pages()
    pages.add(record(respond, place.beside[0]).exchange)
    check = check_of(place.requests[0], respond, probe=PROBE, beside=pages)
    assert check is not None
    own, ben, *others = check.planned.identities
    known = msgspec.structs.replace(ben, known=(*ben.known, f"{WROTE}{wrote}"))
    check = msgspec.structs.replace(
        check, planned=msgspec.structs.replace(check.planned, identities=(own, known, *others))
    )
    assert (drive_as(check, respond).verdict.outcome is Outcome.SAFE) is wrote.endswith("83131")


@pytest.mark.parametrize(
    ("checks", "each_his_own", "found"), [(False, True, True), (True, True, False), (False, False, False)]
)
def test_a_list_of_what_a_change_is_read_by_says_whose_it_is(*, checks: bool, each_his_own: bool, found: bool) -> None:
    """The mutation says a part of it as well: there is no list of the notes of parcels."""
    parcels = {"31": ["ann", "ring twice"], "32": ["ben", "at the door"]}
    names = {OPAQUE["ann"]: "ann", OPAQUE["ben"]: "ben"}

    def graphql(request: Request) -> Response:
        name = names.get((request.first(b"Authorization") or b"").decode(), "")
        message = json.loads(request.body)
        number = message.get("variables", {}).get("id", "")
        if not name or (checks and "mutation" in message["query"] and parcels[number][0] != name):
            return Response(200, JSON, b'{"data": null, "errors": [{"message": "not yours"}]}')
        if "mutation" in message["query"]:
            parcels[number][1] = message["variables"]["note"]
        shown = [
            {"id": one, "note": note} for one, (owner, note) in parcels.items() if owner == name or not each_his_own
        ]
        data = (
            {"parcels": shown} if "parcels" in message["query"] else {"one": {"id": number, "note": parcels[number][1]}}
        )
        return Response(200, JSON, json.dumps({"data": data}).encode())

    def posted(query: str, **variables: str) -> Request:
        body = json.dumps({"query": query, "variables": variables}).encode()
        return Request("POST", b"/graphql", (*JSON, (b"Authorization", OPAQUE["ann"].encode())), body, host="a")

    pages = Pages()
    for each in (
        posted("{ parcels { id note } }"),
        posted("query One($id: ID!) { one: parcel(id: $id) { id note } }", id="31"),
    ):
        pages.add(record(graphql, each).exchange)
    document = "mutation Save($id: ID!, $note: String!) { one: editParcelNote(id: $id, note: $note) { id note } }"
    asked = posted(document, id="31", note="ring twice")
    known = (Identity("ann", 0, ("ann",)), Identity("ben", 0, ("ben",)))
    baseline, beside = record(graphql, asked), pages.beside(asked)
    (check,) = plan(baseline, DEFAULT, credentials_of(asked), (PROBE,), identities=known, pages=beside)
    assert (drive_as(check, graphql).verdict.outcome is Outcome.VULNERABLE) is found
    assert parcels["31"][1] == "ring twice"
