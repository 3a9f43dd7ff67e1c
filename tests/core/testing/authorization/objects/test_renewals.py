"""What a record knows of objects of the kind that a request changes."""

import json

import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.authorization.objects.made import MOST_KEPT
from gatecrash.core.testing.authorization.objects.makers import Makers
from gatecrash.core.testing.authorization.objects.named import named_fields, named_objects
from gatecrash.core.testing.authorization.objects.renewals import Renewals, is_of_its_kind
from gatecrash.core.testing.known.objects import UNKNOWN, Named

JSON = (b"Content-Type", b"application/json")
TOKEN = (b"Authorization", b"Bearer 3f9a0c77de114b02")


def exchange(method: str, target: bytes, told: object = None, sent: object = None, status: int = 200) -> Exchange:
    body = json.dumps(sent).encode() if sent is not None else b""
    request = Request(method, target, (JSON, TOKEN), body, host="a")
    return Exchange(request, Response(status, (JSON,), json.dumps(told).encode()))


def gathered(*exchanges: Exchange) -> Renewals:
    makers = Makers()
    renewals = Renewals(makers)
    for each in exchanges:
        makers.see(each)
        renewals.see(each)
    return renewals


def changing(target: bytes, sent: object = None, method: str = "PUT") -> Request:
    return exchange(method, target, sent=sent or {"text": "b"}).request


NOTE = exchange("POST", b"/notes", {"id": 41}, {"text": "a"}, 201)
GONE = exchange("DELETE", b"/notes/41", status=204)


@pytest.mark.parametrize(
    ("method", "target"),
    [
        ("PUT", b"/notes/41"),
        ("PATCH", b"/notes/41"),
        ("PUT", b"/notes/52"),
        ("POST", b"/notes/41/edit"),
        ("PUT", b"/notes/41?full=1"),
    ],
)
def test_what_makes_such_objects_is_known_and_what_deletes_them(method: str, target: bytes):
    renewal = gathered(NOTE, GONE).of(changing(target, method=method))
    assert [made.request.target for made in renewal.makers] == [b"/notes"]
    assert renewal.removal is not None
    assert (renewal.removal[0].target, renewal.removal[1].value) == (b"/notes/41", "41")
    assert renewal.removal[0].first(b"Authorization") is None


@pytest.mark.parametrize(
    ("method", "target", "made"),
    [
        ("GET", b"/notes/41", NOTE),
        ("DELETE", b"/notes/41", NOTE),
        ("PUT", b"/notes", NOTE),
        ("PUT", b"/orders/41", NOTE),
        ("PUT", b"/notes/41", exchange("POST", b"/notes/41", {"id": 41}, {"text": "a"})),
        ("PUT", b"/notes/41", exchange("POST", b"/notes/save", {"id": 41}, {"id": 41, "text": "a"})),
        ("PUT", b"/notes/41", exchange("POST", b"/comments", {"note_id": 41, "id": 3}, {"note_id": 41, "text": "a"})),
    ],
)
def test_what_is_of_another_kind_or_given_such_an_object_makes_none(method: str, target: bytes, made: Exchange):
    assert gathered(made, GONE).of(changing(target, method=method)) == UNKNOWN


def test_what_else_is_named_in_the_body_is_not_made():
    """A maker of owners says `41`, too: who is made so is no note."""
    owner = exchange("POST", b"/owners", {"id": 41}, {"name": "a"}, 201)
    assert gathered(owner).of(changing(b"/notes/41", {"text": "b", "owner_id": 41})) == UNKNOWN


@pytest.mark.parametrize("target", [b"/notes/41/tags", b"/notes", b"/orders/41", b"/notes/41/tags/3"])
def test_what_deletes_something_else_removes_none(target: bytes):
    renewal = gathered(NOTE, exchange("DELETE", target, status=204)).of(changing(b"/notes/41"))
    assert renewal.makers
    assert renewal.removal is None


def graphql(field: str, told: object = None, **variables: object) -> Exchange:
    query = f"mutation M($id: ID) {{ {field}(id: $id) {{ id }} }}"
    return exchange("POST", b"/graphql", {"data": {field: told}}, {"query": query, "variables": variables})


CARD = graphql("createCard", {"id": 41})


def test_what_changes_a_part_of_a_thing_is_known_where_that_very_thing_was_made():
    renewals = gathered(made := graphql("createCard", {"id": 771204}), graphql("deleteCard", id="771204"))
    renewal = renewals.of(graphql("updateCardTitle", id="771204").request)
    assert [each.request.body for each in renewal.makers] == [made.request.body]
    assert renewal.removal is not None
    assert renewals.of(graphql("updateCardTitle", id="52").request) == UNKNOWN


def test_a_mutation_is_known_by_its_words():
    made = graphql("createCard", {"id": 41})
    other = graphql("createBoard", {"id": 41})
    renewal = gathered(made, other, graphql("deleteBoard", id="5"), graphql("deleteCard", id="41")).of(
        graphql("updateCard", id="41").request
    )
    assert [each.request.body for each in renewal.makers] == [made.request.body]
    assert renewal.removal is not None
    assert b"deleteCard" in renewal.removal[0].body


def test_what_was_refused_is_not_kept_and_no_more_than_a_bounded_number():
    renewals = gathered(NOTE)
    assert not renewals.see(exchange("DELETE", b"/notes/41", status=403))
    assert renewals.see(GONE)
    assert not renewals.see(GONE)
    for number in range(MOST_KEPT):
        renewals.see(exchange("DELETE", b"/orders/%d" % number, status=204))
    assert renewals.of(changing(b"/notes/41")).removal is None


def test_another_host_deletes_nothing_here():
    renewals = gathered(NOTE)
    renewals.see(Exchange(Request("DELETE", b"/notes/41", host="b"), Response(204)))
    assert renewals.of(changing(b"/notes/41")).removal is None


@pytest.mark.parametrize(
    ("request_", "own"),
    [
        (changing(b"/boards/5/cards/41", {"text": "b", "owner_id": 7}), ["41"]),
        (changing(b"/notes/41/text", {"id": 7}), ["41"]),
        (graphql("updateCard", id="41", boardId="5", card_id="6").request, ["41", "6"]),
        (changing(b"/me/address", {"user_id": 7}), []),
    ],
)
def test_of_several_identifiers_that_of_the_thing_itself_is_told(request_: Request, own: list[str]):
    named = [*named_objects(request_), *named_fields(request_)]
    assert [each.value for each in named if is_of_its_kind(request_, each, CARD.request)] == own


def test_other_changes_of_the_very_object_are_known_to_what_changes_a_part_of_it_and_to_what_deletes_it():
    renamed = exchange("PUT", b"/notes/41", {"id": 41}, {"text": "b"})
    renewals = gathered(NOTE, renamed, exchange("PUT", b"/notes/42", {"error": "no"}, {"text": "b"}, 403))
    asked = (changing(b"/notes/41/text", method="PATCH"), changing(b"/notes/41", method="DELETE"))
    assert [[each.path for each in renewals.of(each).changes] for each in asked] == [[b"/notes/41"]] * 2
    assert renewals.of(renamed.request).changes == ()
    assert renewals.of(changing(b"/notes/42", method="DELETE")).changes == ()
    assert renewals.of(changing(b"/notes/41/tags", method="POST")).changes == ()


def test_what_makes_and_deletes_is_read_once_for_all_that_change_some(monkeypatch: pytest.MonkeyPatch):
    read: list[Request] = []

    def counted(request: Request) -> list[Named]:
        read.append(request)
        return named_fields(request)

    monkeypatch.setattr("gatecrash.core.testing.authorization.objects.renewals.named_fields", counted)
    made = exchange("POST", b"/crates", {"id": 8814}, {"text": "read once"}, 201)
    renewals = gathered(made, exchange("DELETE", b"/crates/8814", status=204))
    for number in range(5):
        renewal = renewals.of(changing(b"/crates/%d" % (8814 + number)))
        assert renewal.makers
        assert renewal.removal is not None
    assert len(read) == 1
