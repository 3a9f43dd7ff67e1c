"""Lists of who takes part in something."""

import json

import pytest
from tests.core.testing.authorization.openness.test_exposure import KEY, at_stake

from gatecrash.core.message import Response
from gatecrash.core.testing.authorization.openness.who_comes import names_who_comes

GUESTS = [{"name": "Lina Berg", "seats": 2}, {"name": "Ove Ness", "seats": 1}]


@pytest.mark.parametrize(
    ("path", "told", "named"),
    [
        ("/events/3/guests", GUESTS, True),
        ("/api/shifts", {"shifts": [{"day": 3, "helper": "Lina Berg"}, {"day": 4, "helper": "Ove M. Ness"}]}, True),
        ("/events/3/guests", GUESTS[:1], False),
        ("/events/3", GUESTS, False),
        ("/shows/3/guests", [{**each, "bio": "plays the lute"} for each in GUESTS], False),
        ("/podcasts/3/guests", GUESTS, False),
        ("/api/shows/3/episodes/7/guests", GUESTS, False),
        ("/guests", [{"name": "Room 7"}, {"name": "Room 8"}], False),
        ("/shifts", [{"name": "early", "from": "6"}, {"name": "late", "from": "14"}], False),
    ],
    ids=[
        "guests",
        "shifts",
        "one alone",
        "an event",
        "shown to the public",
        "of a podcast",
        "of an episode",
        "rooms",
        "names of shifts",
    ],
)
def test_people_are_named_who_come(path: str, told: object, named: bool) -> None:
    response = Response(200, ((b"Content-Type", b"application/json"),), json.dumps(told).encode())
    assert names_who_comes(path, response) is named


@pytest.mark.parametrize(
    ("body", "stake"),
    [
        (b'[{"id": 21, "title": "sofa to give away", "text": "grey"}]', False),
        (b'[{"id": 21, "brand": "visa", "last4": "4242"}]', True),
        (b'[{"id": 21, "owner_id": 7, "title": "sofa"}]', True),
        (b"", True),
    ],
    ids=["of a board", "that pay", "somebody's", "untold"],
)
def test_cards_are_somebodys_where_they_pay(body: bytes, stake: bool) -> None:
    assert at_stake(b"/api/cards", body, (KEY,), everywhere=True) is stake


def test_who_comes_is_kept_where_a_client_sends_its_token() -> None:
    guests = b'[{"name": "Lina Berg", "seats": 2}, {"name": "Ove Ness", "seats": 1}]'
    assert at_stake(b"/api/events/3/guests", guests, (KEY,), everywhere=True)
    assert not at_stake(b"/api/events/3/guests", guests)
    assert not at_stake(b"/api/events/3/guests", guests, (KEY,), everywhere=True, visited=True)
