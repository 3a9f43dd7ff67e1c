"""What two users were shown where nothing is named: whether they share anything there."""

import json

import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.profiles.own_data import OwnData

ANN = {"/orders": [{"id": 1, "user_id": 7}, {"id": 2, "user_id": 7}]}
BARE = {"/orders": [{"id": 1}], "/cards": {"data": [{"id": 4}], "total": 1}}


def seen(*answers: tuple[str, object], method: str = "GET", kind: bytes = b"application/json") -> OwnData:
    own = OwnData()
    for target, shown in answers:
        response = Response(200, ((b"Content-Type", kind),), json.dumps(shown).encode())
        own.see(Exchange(Request(method, target.encode()), response))
    return own


def shown(addresses: dict[str, object]) -> OwnData:
    return seen(*addresses.items())


@pytest.mark.parametrize(
    ("one", "other", "differ"),
    [
        (ANN, {"/orders": [{"id": 3, "user_id": 8}]}, True),
        (ANN, {"/orders": [{"id": 2, "user_id": 7}]}, False),
        (ANN, {"/orders": [{"id": 3, "user_id": 7}]}, False),
        (ANN, {"/orders": [{"id": 3, "user_id": 8}, {"id": 4, "user_id": 9}]}, False),
        (ANN, {"/orders": []}, False),
        (ANN, {"/invoices": [{"id": 3, "user_id": 8}]}, False),
        ({"/news": [{"id": 1, "author": "ann"}]}, {"/news": [{"id": 2, "author": "ben"}]}, False),
        (BARE, {"/orders": [{"id": 2}], "/cards": {"data": [{"id": 5}], "total": 1}}, True),
        (BARE, {"/orders": [{"id": 2}], "/cards": {"data": [{"id": 4}], "total": 1}}, False),
        (BARE, {"/orders": [{"id": 2}]}, False),
        ({"/cart": {"id": 7}, "/wallet": {"id": 3}}, {"/cart": {"id": 8}, "/wallet": {"id": 4}}, True),
        ({"/session": {"id": 7}, "/wallet": {"id": 3}}, {"/session": {"id": 8}, "/wallet": {"id": 4}}, False),
        (
            {"/a": {"id": "q1", "items": [{"id": 3}]}, "/b": {"id": "q2", "items": [{"id": 4}]}},
            {"/a": {"id": "q3", "items": [{"id": 3}]}, "/b": {"id": "q4", "items": [{"id": 4}]}},
            False,
        ),
    ],
    ids=[
        "owners",
        "a key in the place of an old one",
        "more of the same owner's",
        "several owners",
        "an empty list",
        "other addresses",
        "news",
        "two lists",
        "one list of two",
        "one list",
        "what is one's own by its address",
        "a session's number",
        "an answer that is counted",
    ],
)
def test_who_shares_nothing_is_somebody_else(one: dict[str, object], other: dict[str, object], differ: bool) -> None:
    assert shown(one).differs_from(shown(other)) is differ
    assert shown(other).differs_from(shown(one)) is differ


def test_what_moves_on_for_one_user_tells_him_from_nobody() -> None:
    moving = seen(("/orders", [{"id": 1, "user_id": 7}]), ("/orders", [{"id": 2, "user_id": 7}]))
    assert not moving.differs_from(shown({"/orders": [{"id": 3, "user_id": 8}]}))


def test_only_what_is_read_without_a_choice_is_looked_at() -> None:
    other = shown({"/orders": [{"id": 3, "user_id": 8}]})
    assert not seen(*ANN.items(), method="POST").differs_from(other)
    assert not seen(*ANN.items(), kind=b"text/html").differs_from(other)
    page = seen(("/orders?page=1", ANN["/orders"]))
    assert not page.differs_from(seen(("/orders?page=1", [{"id": 3, "user_id": 8}])))


def test_what_the_owner_is_called_is_learned_beside_another() -> None:
    ann, ben = shown(ANN), shown({"/orders": [{"id": 3, "user_id": 8}]})
    assert (ann.owners_beside(ben), ben.owners_beside(ann)) == (frozenset({"7"}), frozenset({"8"}))
