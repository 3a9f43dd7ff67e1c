"""Lists of who takes part in something."""

import json

import pytest

from gatecrash.core.message import Response
from gatecrash.core.testing.authorization.who_comes import names_who_comes

GUESTS = [{"name": "Lina Berg", "seats": 2}, {"name": "Ove Ness", "seats": 1}]


@pytest.mark.parametrize(
    ("path", "told", "named"),
    [
        ("/events/3/guests", GUESTS, True),
        ("/api/shifts", {"shifts": [{"day": 3, "helper": "Lina Berg"}, {"day": 4, "helper": "Ove M. Ness"}]}, True),
        ("/events/3/guests", GUESTS[:1], False),
        ("/events/3", GUESTS, False),
        ("/shows/3/guests", [{**each, "bio": "plays the lute"} for each in GUESTS], False),
        ("/guests", [{"name": "Room 7"}, {"name": "Room 8"}], False),
        ("/shifts", [{"name": "early", "from": "6"}, {"name": "late", "from": "14"}], False),
    ],
    ids=["guests", "shifts", "one alone", "an event", "shown to the public", "rooms", "names of shifts"],
)
def test_people_are_named_who_come(path: str, told: object, named: bool) -> None:
    response = Response(200, ((b"Content-Type", b"application/json"),), json.dumps(told).encode())
    assert names_who_comes(path, response) is named
