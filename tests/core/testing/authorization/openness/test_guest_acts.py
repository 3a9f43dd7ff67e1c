"""What people without an account do and read, and what an API's description says of it that asks for credentials everywhere."""

import json
from random import Random

import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.authorization.openness.exposure import Stake, stake_of
from gatecrash.core.testing.authorization.openness.guest_acts import (
    by_a_guest,
    by_another_service,
    ends_in_a_key,
)
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.known.declared import Declared
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Situation

JSON = (b"Content-Type", b"application/json")
SIGNED = {"name": "Nils Holm", "email": "nils@post.example"}


def posted(path: str, body: dict[str, object]) -> Request:
    return Request("POST", path.encode(), (JSON,), json.dumps(body).encode())


def stake(request: Request, answer: object, *, throughout: bool, identities: tuple[Identity, ...] = ()) -> Stake:
    """Of what is sent with a token, because the description asks for it; throughout: as of all operations."""
    exchange = Exchange(request, Response(200, (JSON,), json.dumps(answer).encode()))
    situation = Situation(
        baseline=Baseline("bl_1", exchange),
        point=Point(),
        value=b"",
        credentials=(Point.of("header", "AUTHORIZATION"),),
        policy=DEFAULT,
        random=Random(1),
        declared=Declared(True, throughout=throughout),
        identities=identities,
    )
    return stake_of(situation, exchange.response)


@pytest.mark.parametrize(
    ("path", "body", "expected"),
    [
        ("/checkout", {"items": [3], **SIGNED}, True),
        ("/workshops/4/signups", SIGNED, True),
        ("/volunteers/applications", {"opening": 3, **SIGNED}, True),
        ("/surveys/3/responses", {"answers": [4]}, True),
        ("/petitions/3/signatures", {"name": "Nils"}, True),
        ("/campaigns/1/donations", {"amount": 25}, True),
        ("/bookings", {"room": 4, "nights": 2}, False),
        ("/suppliers", SIGNED, False),
        ("/documents/3/signatures", SIGNED, False),
    ],
)
def test_a_guest_says_who_he_is_or_answers_what_everybody_was_asked(path, body, expected):
    assert by_a_guest(posted(path, body)) is expected
    assert not by_a_guest(Request("PUT", path.encode(), (JSON,), json.dumps(body).encode()))


@pytest.mark.parametrize(
    ("path", "body", "expected"),
    [
        ("/payments/webhook", {"event": "paid"}, True),
        ("/webhooks/stripe", {"id": "evt_1"}, True),
        ("/webhooks", {"event": "paid"}, False),
        ("/webhooks/7", {"event": "paid"}, False),
        ("/hooks/new", {"url": "https://a.example"}, False),
    ],
)
def test_another_service_tells_something_and_makes_nothing(path, body, expected):
    assert by_another_service(posted(path, body)) is expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (b"/tickets/K7PQ4XZB2M", True),
        (b"/receipts/rcp_9fQ2kLx81TzVbW", True),
        (b"/tickets/1234567890", False),
        (b"/tickets/T-10293847566", False),
        (b"/tickets/3f2b7c1e-9a44-4b1a-8d3e-aa0c8e2f7b61", False),
        (b"/tickets/64f1c2a9b7e3d5a1c0f9e8d7", False),
        (b"/tickets/reserved-seats", False),
        (b"/tickets/INV20240001A", False),
        (b"/tickets/johnSmithson2024", False),
        (b"/tickets/ORD-2024-0001", False),
    ],
)
def test_a_key_is_nothing_that_anybody_guesses_and_no_number_of_an_object(path, expected):
    assert ends_in_a_key(path) is expected


@pytest.mark.parametrize(
    ("request_", "answer"),
    [
        (Request("GET", b"/observers"), [{"id": 1, "name": "Ola"}]),
        (Request("GET", b"/trails/1"), {"id": 1, "name": "Ridge path", "km": 12.1}),
        (Request("GET", b"/tickets/K7PQ4XZB2M"), {"code": "K7PQ4XZB2M", "sailing": 7}),
        (Request("GET", b"/users/3/public-profile"), {"id": 3, "name": "mara"}),
        (Request("GET", b"/users/exists?name=mara"), {"exists": True}),
        (Request("GET", b"/observations/1/notes"), [{"id": 5, "text": "clear sky", "public": True}]),
        (posted("/checkout", {"items": [3], **SIGNED}), {"number": "A1", "total": 49}),
        (Request("GET", b"/orders/MjapBiJ3EFS5/ticket.html"), {"name": "Ida", "email": "ida@post.example"}),
        (Request("PATCH", b"/orders/MjapBiJ3EFS5", (JSON,), b"{}"), {"name": "Ida", "seats": 2}),
        (posted("/payments/webhook", {"event": "paid"}), {"received": True}),
    ],
)
def test_where_a_description_asks_everywhere_what_is_for_everybody_is_not_at_stake(request_, answer):
    assert stake(request_, answer, throughout=True) is not Stake.SURE


@pytest.mark.parametrize(
    ("request_", "answer"),
    [
        (Request("GET", b"/orders/MjapBiJ3EFS5"), {"name": "Ida", "card_number": "4111 1111 1111 1111"}),
        (Request("GET", b"/orders/3f2b7c1e-9a44-4b1a-8d3e-aa0c8e2f7b61"), {"name": "Ida", "seats": 2}),
        (Request("GET", b"/passengers"), [{"name": "Ida", "seat": "4A"}]),
        (Request("GET", b"/tickets/71"), {"id": 71, "text": "no light"}),
        (Request("GET", b"/observations/1/notes"), [{"id": 5, "public": True}, {"id": 6, "public": False}]),
        (Request("GET", b"/users/3/public-profile"), {"id": 3, "api_key": "k-41"}),
        (posted("/bookings", {"room": 4, "nights": 2}), {"id": 8, "room": 4}),
        (posted("/suppliers", SIGNED), {"id": 9, **SIGNED}),
    ],
)
def test_where_a_description_asks_everywhere_what_is_somebodys_is_at_stake_all_the_same(request_, answer):
    assert stake(request_, answer, throughout=True) is Stake.SURE


def test_a_description_that_tells_operations_apart_is_believed_but_not_of_what_gives_nothing():
    assert stake(Request("GET", b"/trails/1"), {"id": 1, "closed_by": "Ridge hut"}, throughout=False) is Stake.SURE
    assert stake(Request("GET", b"/trails"), {"items": [], "total": 0}, throughout=False) is Stake.PERHAPS


def test_who_offers_something_to_everybody_is_named_beside_it():
    told = {"id": 404, "title": "Oak chest", "price": 103, "bids": 0}
    lot, request = {**told, "seller": {"id": 4, "name": "annmarsh"}}, Request("GET", b"/lots/404")
    known = (Identity("recorded 1", known=("annmarsh",)),)
    assert stake(request, lot, throughout=True, identities=known) is Stake.PERHAPS
    assert stake(request, {**told, "bidder": "annmarsh"}, throughout=True, identities=known) is Stake.SURE


def test_who_wrote_what_everybody_reads_is_named_beside_it():
    """A list of a public project's issues is no more its reader's for the one that he opened."""
    issue, request = {"id": 57, "title": "It squeaks"}, Request("GET", b"/kites/red/issues")
    known = (Identity("recorded 1", known=("annmarsh",)),)
    for author in ({"author": "annmarsh"}, {"author": {"name": "annmarsh"}}, {"author_name": "annmarsh"}):
        assert stake(request, [{**issue, **author}], throughout=True, identities=known) is Stake.PERHAPS
    assert stake(request, [{**issue, "for": "annmarsh"}], throughout=True, identities=known) is Stake.SURE
    tickets = Request("GET", b"/tickets")
    assert stake(tickets, [{**issue, "author": "annmarsh"}], throughout=True, identities=known) is Stake.SURE
