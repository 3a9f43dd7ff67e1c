"""Where the sender of a changing request reads back what it writes."""

import json
from random import Random
from typing import Any

import msgspec
import pytest
from tests.core.testing.driving import answered, credentials_of, record
from tests.core.testing.probes.as_tenants import drive_as
from tests.range.tenants_store import OPAQUE, SIGNED, written

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.authorization.objects.named import named_fields
from gatecrash.core.testing.authorization.objects.read_back import Kept, Reading
from gatecrash.core.testing.authorization.objects.renewals import in_path
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probes.idor_write import PROBE
from gatecrash.core.testing.surroundings.pages import Pages
from gatecrash.core.testing.verdict import Outcome

JSON = (b"Content-Type", b"application/json")
WHO = {OPAQUE["ann"]: "annalena", OPAQUE["ben"]: "benedikt"}
SELECTED = "{ callsign phone }"


def read(
    shown: dict[bytes, object], target: str = "/notes/41", body: bytes = b'{"note": "Ring the bell"}'
) -> tuple[Reading, Kept | None]:
    """shown: what is there at an address; a status where it is a number."""

    def application(request: Request) -> Response:
        told = shown.get(request.path, 404) if request.method == "GET" else {}
        if isinstance(told, int):
            return Response(told, (JSON,), b'{"error": "no"}')
        return Response(200, (JSON,), json.dumps(told).encode())

    request = written("PUT", target, body, tokens=SIGNED)("")
    known = (Identity("ann"), Identity("ben"))
    baseline = record(application, request)
    pages = Pages()
    for path in (path for path, told in shown.items() if not isinstance(told, int)):
        page = msgspec.structs.replace(request, method="GET", target=path, body=b"")
        pages.add(Exchange(page, Response(200, (JSON,), b'{"id": 41}')))
    (check,) = plan(baseline, DEFAULT, credentials_of(request), (PROBE,), identities=known, pages=pages.beside(request))
    reading = Reading(check.situation(Random(1)), request, in_path(request), baseline.response)
    return reading, answered(reading.kept(), application)


@pytest.mark.parametrize(
    ("shown", "where", "gone"),
    [
        ({b"/notes/41": {"id": 41, "note": "Ring the bell"}}, b"/notes/41", False),
        ({b"/notes": [{"id": 41, "note": "Ring the bell"}]}, b"/notes", False),
        ({b"/notes/41": 405, b"/notes": [{"id": 41, "note": "Ring the bell"}]}, b"/notes", False),
        ({b"/notes": [{"id": 52, "note": "Ring the bell"}]}, b"/notes", True),
        ({b"/notes/41": 405, b"/notes": [{"id": 52, "title": "Else"}]}, None, True),
        ({b"/notes/41": {"id": 41, "title": "Else"}}, None, False),
        ({b"/notes/41": 403, b"/notes": [{"id": 41}]}, None, False),
        ({}, None, True),
        ({b"/tasks/41": {"id": 41, "title": "Else"}}, None, True),
    ],
)
def test_it_says_where_it_is_read_and_whether_it_is_gone(shown: dict[bytes, object], where: bytes | None, gone: bool):
    reading, kept = read(shown)
    assert (kept.asked.path if kept is not None else None) == where
    assert reading.gone is gone


def test_of_several_fields_with_one_made_up_value_one_counts_that_is_shown_by_its_name():
    told: dict[bytes, object] = {b"/notes/41": {"plate": "EXAMPLE", "make": "example"}}
    _, kept = read(told, body=b'{"plate": "example", "make": "example", "note": "example"}')
    assert kept is not None
    assert kept.field.name == "make", "the note is kept nowhere, though the word stands in the object"


def test_what_names_the_object_in_the_body_too_is_not_marked_where_anything_else_can_be():
    number = "3f2b8c1e-5d47-4a6b-9c0e-1a2b3c4d5e6f"
    told: dict[bytes, object] = {f"/notes/{number}".encode(): {"plate": number, "make": "Fiat"}}
    for sent, field in (({"plate": number, "make": "Fiat"}, "make"), ({"plate": number}, "plate")):
        _, kept = read(told, f"/notes/{number}", json.dumps(sent).encode())
        assert kept is not None
        assert kept.field.name == field


def test_what_is_done_below_an_object_that_is_there_says_nothing_of_it():
    reading, kept = read({b"/notes/41": {"title": "Else"}}, "/notes/41/text")
    assert kept is None
    assert not reading.gone


def test_a_made_up_text_is_read_where_it_stands_in_the_very_field():
    """Of a description's requests all texts are one word, which others hold as well."""
    shown = {b"/tasks": [{"id": 41, "title": "example"}], b"/list": [{"id": 41, "note": "example"}]}
    _, kept = read(shown, body=b'{"note": "example"}')
    assert kept is not None
    assert kept.where == "/list"


def test_what_is_shown_below_the_objects_address_is_about_it():
    reading, _ = read({b"/notes/41/html": "<p>Ring the bell</p>"})
    assert b"/notes/41/html" in [each.path for each in reading._places()]


def test_a_query_that_asks_for_the_object_itself_comes_before_lists_and_what_holds_it():
    """A berth within somebody's mooring stands beside the owner of the mooring, and is everybody's."""
    mine = {"query": "query Mine { myMoorings { id berth { id note } owner { id name } } }"}
    all_of_them = {
        "query": "query All($text: String) { berths(text: $text) { id note } }",
        "variables": {"text": "bell"},
    }
    port = {"query": "query Port($id: ID!) { port(id: $id) { id note } }", "variables": {"id": "41"}}
    one = {"query": "query One($id: ID!) { berth(id: $id) { id note } }", "variables": {"id": "41"}}
    change = {
        "query": "mutation Note($id: ID!, $note: String!) { setBerthNote(id: $id, note: $note) { id } }",
        "variables": {"id": "41", "note": "Ring the bell"},
    }
    told = Response(200, (JSON,), b'{"data": {"it": {"id": "41", "note": "Ring the bell"}}}')
    request = written("POST", "/graphql", json.dumps(change).encode(), tokens=SIGNED)("")
    pages = Pages()
    before = Response(200, (JSON,), b'{"data": {"it": {"id": "41", "note": ""}}}')
    for each, shown in ((one, before), (port, told), (all_of_them, told), (mine, told)):
        pages.add(Exchange(msgspec.structs.replace(request, body=json.dumps(each).encode()), shown))
    known = (Identity("ann"), Identity("ben"))
    checks = plan(
        record(lambda _: told, request),
        DEFAULT,
        credentials_of(request),
        (PROBE,),
        identities=known,
        pages=pages.beside(request),
    )
    reading = Reading(checks[0].situation(Random(1)), request, named_fields(request)[-1], told)
    assert b"query One" in reading._places()[0].body


@pytest.mark.parametrize("first", [0, 1])
def test_what_asks_for_it_under_another_word_comes_before_what_merely_shows_it(first: int):
    booking = {"id": "41", "seat": "A1", "note": "Ring the bell"}
    asks = [
        (
            "query P($id: ID!) { patron(id: $id) { bookings { id seat note } } }",
            "7",
            {"patron": {"bookings": [booking]}},
        ),
        ("query B($id: ID!) { booking(id: $id) { id seat note } }", "41", {"booking": booking}),
    ]

    def posted(document: str, **variables: str) -> Request:
        body = json.dumps({"query": document, "variables": variables}).encode()
        return msgspec.structs.replace(written("POST", "/api", body, tokens=SIGNED)(""), target=b"/api")

    def application(request: Request) -> Response:
        told = next((each for document, _, each in asks if document in json.loads(request.body)["query"]), {})
        return Response(200, (JSON,), json.dumps({"data": told or {"changeNote": booking}}).encode())

    request = posted(
        "mutation C($id: ID!, $note: String!) { changeNote(id: $id, note: $note) { id seat note } }",
        id="41",
        note="Ring the bell",
    )
    baseline, pages = record(application, request), Pages()
    for document, number, told in (asks[first], asks[1 - first]):
        pages.add(Exchange(posted(document, id=number), Response(200, (JSON,), json.dumps({"data": told}).encode())))
    checks = plan(
        baseline, DEFAULT, credentials_of(request), (PROBE,), identities=(Identity("ann"), Identity("ben")),
        pages=pages.beside(request),
    )  # fmt: skip
    named = named_fields(request)[-1]
    kept = answered(Reading(checks[0].situation(Random(1)), request, named, baseline.response).kept(), application)
    assert kept is not None
    assert b"booking(id" in kept.asked.body


@pytest.mark.parametrize(
    ("held", "own"),
    [
        ({"basketId": 41, "count": 5}, True),
        ({"basketId": 8, "count": 5}, False),
        ({"basketId": 41, "count": 4}, False),
        ({"shelfId": 41, "count": 5}, False),
        ({"count": 5}, False),
    ],
)
def test_what_was_put_into_a_basket_says_in_which(held: dict[str, object], own: bool):
    """The first lies there already, whatever is added."""
    shown = Response(200, (JSON,), json.dumps([{"basketId": 41, "count": 2}, held]).encode())
    reading, kept = read({b"/baskets/41": {"id": 41, "count": 2}}, "/baskets/41", b'{"count": 2}')
    assert kept is not None
    assert reading.is_in_his_own(kept.field, shown, "5") is own


def posted(query: str, **variables: str) -> Request:
    body = json.dumps({"query": query, "variables": variables}).encode()
    return Request("POST", b"/graphql", (JSON, (b"Authorization", OPAQUE["ann"].encode())), body, host="a")


class Crew:
    """A list of all, one's own profile, and a change of the telephone. guard: `none`, `own`, or `sender` for whoever asks."""

    def __init__(self, guard: str) -> None:
        self.guard = guard
        self.phones = {"annalena": "+15550100", "benedikt": "+15550101"}

    def __call__(self, request: Request) -> Response:
        own = WHO.get((request.first(b"Authorization") or b"").decode(), "")
        asked = json.loads(request.body)
        if not own:
            return self._told({"errors": [{"message": "not authenticated"}]})
        if "viewer" in asked["query"]:
            return self._told({"data": {"viewer": self._card(own)}})
        if "mutation" not in asked["query"]:
            return self._told({"data": {"crew": [self._card(name) for name in self.phones]}})
        named = asked["variables"]["callsign"]
        if named not in self.phones or (self.guard == "own" and named != own):
            return self._told({"errors": [{"message": "only your own"}]})
        meant = own if self.guard == "sender" else named
        self.phones[meant] = asked["variables"]["phone"]
        return self._told({"data": {"changePhone": self._card(meant)}})

    def _card(self, name: str) -> dict[str, str]:
        return {"callsign": name, "phone": self.phones[name]}

    def _told(self, document: Any) -> Response:
        return Response(200, (JSON,), json.dumps(document).encode())


@pytest.mark.parametrize(
    ("guard", "outcome"), [("none", Outcome.VULNERABLE), ("own", Outcome.SAFE), ("sender", Outcome.SAFE)]
)
def test_a_telephone_of_anothers_profile_is_changed_and_put_back(guard: str, outcome: Outcome) -> None:
    crew, pages = Crew(guard), Pages()
    for query in (f"query Crew {{ crew {SELECTED} }}", f"query Viewer {{ viewer {SELECTED} }}"):
        pages.add(record(crew, posted(query)).exchange)
    mutation = f"mutation P($callsign: String!, $phone: String!) {{ changePhone(callsign: $callsign, phone: $phone) {SELECTED} }}"
    asked = posted(mutation, callsign="annalena", phone="+15550100")
    known = (Identity("ann", 0, ("annalena",)), Identity("ben", 0, ("benedikt",)))
    baseline, beside = record(crew, asked), pages.beside(asked)
    (check,) = plan(baseline, DEFAULT, credentials_of(asked), (PROBE,), identities=known, pages=beside)
    run = drive_as(check, crew)
    assert run.verdict.outcome is outcome
    assert crew.phones == {"annalena": "+15550100", "benedikt": "+15550101"}
    marks = {json.loads(each.request.body)["variables"].get("phone", "") for each in run.sent}
    assert all("55501" in mark for mark in marks if mark), "a number at which somebody may be called"


@pytest.mark.parametrize(
    ("front", "where"), [("<p>Best of show: Whippet</p>", b"/dog.php"), ("<a href='dog.php?id=41'>Whippet</a>", b"/")]
)
def test_a_page_that_has_nothing_of_the_object_shows_others_words(front: str, where: bytes):
    pages_of = {b"/": front, b"/dog.php?id=41": "<h1>Bran</h1><p>Whippet</p>"}

    def application(request: Request) -> Response:
        body = pages_of.get(request.target, "") if request.method == "GET" else "saved"
        return Response(200 if body else 404, ((b"Content-Type", b"text/html"),), body.encode())

    form = (b"Content-Type", b"application/x-www-form-urlencoded")
    signed = (b"Authorization", SIGNED["ann"].encode())
    request = Request("POST", b"/dog_edit.php", (signed, form), b"id=41&breed=Whippet", host="kennel.example")
    baseline, pages = record(application, request), Pages()
    shown = msgspec.structs.replace(request, method="GET", target=b"/dog.php?id=41", headers=(signed,), body=b"")
    pages.add(Exchange(shown, application(shown)))
    known = (Identity("ann"), Identity("ben"))
    (check,) = plan(baseline, DEFAULT, credentials_of(request), (PROBE,), identities=known, pages=pages.beside(request))
    (named,) = named_fields(request)
    kept = answered(Reading(check.situation(Random(1)), request, named, baseline.response).kept(), application)
    assert kept.asked.path == where
