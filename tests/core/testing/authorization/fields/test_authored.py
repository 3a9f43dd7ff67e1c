"""Which field of a request names who makes something, and whether an answer shows it in his name."""

import json

import pytest

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.authorization.fields.authored import (
    author_of,
    author_told,
    is_in_a_new_object,
    made_in_name_of,
)

JSON = (b"Content-Type", b"application/json")
OWN = frozenset({"7", "ann", "ann@example.com"})


def named(path: bytes, **fields: object) -> str:
    found = author_of(Request("POST", path, (JSON,), json.dumps(fields).encode()), OWN)
    return "" if found is None else found.point[-1]


@pytest.mark.parametrize(
    ("path", "fields", "name"),
    [
        (b"/messages", {"from": "ann", "to": "ben"}, "from"),
        (b"/trips", {"from": "ann"}, ""),
        (b"/x", {"text": "hi", "authorId": 7}, "authorId"),
        (b"/x", {"created_by": "Ann"}, "created_by"),
        (b"/x", {"absender_id": 7}, "absender_id"),
        (b"/mensajes", {"usuario": "ann"}, "usuario"),
        (b"/x", {"destinatario": "ann"}, ""),
        (b"/api/feedbacks", {"UserId": 7, "comment": "hi"}, "UserId"),
        (b"/bookings/new", {"customer": "ann"}, "customer"),
        (b"/bookings", {"member_id": 7}, "member_id"),
        (b"/tasks", {"user_id": 7}, ""),
        (b"/reviews", {"user_id": 8}, ""),
        (b"/reviews", {"email": "ann@example.com"}, ""),
        (b"/reviews", {"assignee_id": 7}, ""),
        (b"/reviews", {"quantity": 7}, ""),
    ],
)
def test_the_field_is_told_by_its_name_its_value_and_what_is_made(path, fields, name):
    assert named(path, **fields) == name


@pytest.mark.parametrize(
    ("shown", "told"),
    [
        ({"text": "hi qwmark", "author": 7}, True),
        ([{"text": "hi"}, {"text": "hi qwmark", "author": {"id": 7, "name": "Ann"}}], True),
        ({"text": "hi qwmark", "author": 8}, False),
        ({"text": "hi", "author": 7}, False),
        ([{"text": "hi qwmark", "author": 8}, {"text": "ho", "author": 7}], False),
        ({"text": "hi qwmark", "author": 7, "sent_by": "ben"}, False),
    ],
)
def test_one_object_must_show_both_and_nothing_of_the_other(shown, told):
    answer = Response(200, (JSON,), json.dumps(shown).encode())
    assert made_in_name_of(answer, "qwmark", "7", frozenset({"ben"})) is told


@pytest.mark.parametrize(
    ("shown", "told"),
    [({"id": 8, "author_id": 7, "text": "qwmark"}, True), ({"id": 7, "author_id": 8, "text": "qwmark"}, False)],
)
def test_an_objects_own_number_is_nobodys(shown: dict[str, object], told: bool) -> None:
    assert made_in_name_of(_listed(shown), "qwmark", "7", frozenset({"8"})) is told


@pytest.mark.parametrize(
    ("shown", "told"),
    [
        ({"from": "ann", "to": "ben", "text": "qwmark"}, True),
        ({"from": "ann", "to": "ben", "by": "ben", "text": "qwmark"}, False),
        ({"from": "ben", "to": "ben", "text": "qwmark"}, False),
    ],
)
def test_whom_it_is_for_by_the_request_is_not_who_made_it(shown: dict[str, object], told: bool) -> None:
    sent = {"from": "ann", "to": "ben", "text": "hi"}
    assert made_in_name_of(_listed(shown), "qwmark", "ann", frozenset({"ben"}), sent) is told


def _listed(*shown: dict[str, object]) -> Response:
    return Response(200, (JSON,), json.dumps({"notes": shown}).encode())


@pytest.mark.parametrize(
    ("now", "new"),
    [
        ([{"id": 2, "text": "tea"}, {"id": 3, "text": "Mark"}], True),
        ([{"id": 1, "text": "mark"}, {"id": 2, "text": "tea"}], False),
        ([{"text": "mark"}], False),
        ([{"id": 3, "text": "tea"}], False),
        ([{"id": 1, "text": "mark"}, {"id": 3, "text": "mark"}], False),
    ],
    ids=["added, and an old one pushed out", "changed", "nothing says which", "not there", "in both"],
)
def test_what_stands_in_a_new_object(now: list[dict[str, object]], new: bool) -> None:
    before = _listed({"id": 1, "text": "tea"}, {"id": 2, "text": "tea"})
    assert is_in_a_new_object(before, _listed(*now), "mark") is new


def test_a_number_is_looked_for_in_its_own_member_alone() -> None:
    """What the fourth customer has may be there before four of anything are."""
    before = _listed({"id": 1, "good": 4, "quantity": 2})
    now = _listed({"id": 1, "good": 4, "quantity": 2}, {"id": 2, "good": 1, "quantity": 4})
    assert is_in_a_new_object(before, now, "4", "quantity")
    assert not is_in_a_new_object(before, now, "4")
    assert not is_in_a_new_object(before, _listed({"id": 1, "good": 4, "quantity": 4}), "4", "quantity")


@pytest.mark.parametrize(
    ("shown", "field"),
    [
        ({"id": 1, "sender_id": 7, "text": "hi"}, "sender_id"),
        ({"id": 1, "authorHandle": "ann", "text": "hi"}, "authorHandle"),
        ({"id": 1, "sender_id": 8, "text": "hi"}, ""),
        ({"id": 1, "assignee_id": 7, "text": "hi"}, ""),
        ({"id": 7, "text": "hi"}, ""),
        ({"id": 1, "author": "ann", "text": "hi"}, ""),
    ],
)
def test_a_list_names_the_author_in_a_field_that_is_not_sent(shown, field):
    request = Request("POST", b"/x", (JSON,), b'{"text": "hi", "author": "somebody"}')
    assert author_told(request, shown, OWN) == field
