"""When a refused request's dates should be, by what the answer tells."""

import json

import pytest

from gatecrash.core.message import Request, Response
from gatecrash.formats.refusals.told_forms import reworded

JSON = ((b"Content-Type", b"application/json"),)


@pytest.mark.parametrize(
    ("told", "pickup", "dropoff"),
    [
        ("dropoff must be after pickup", "2026-01-15", "2027-01-15"),
        ("Pickup must be in the future", "2036-01-15", "2026-01-15"),
        ("Dates cannot be in the past", "2036-01-15", "2036-01-15"),
        ("pickup must be before today", "1996-01-15", "2026-01-15"),
    ],
)
def test_a_date_is_moved_to_when_it_may_be(told: str, pickup: str, dropoff: str) -> None:
    request = Request("POST", b"/x", JSON, b'{"pickup": "2026-01-15", "dropoff": "2026-01-15", "note": "x"}')
    better = reworded(request, Response(422, JSON, json.dumps({"detail": told}).encode()))
    assert better is not None
    assert json.loads(better.body) == {"pickup": pickup, "dropoff": dropoff, "note": "x"}


@pytest.mark.parametrize("told", ["No such pickup", "The boat is taken", "dropoff is required"])
def test_a_message_of_something_else_moves_none(told: str) -> None:
    request = Request("POST", b"/x", JSON, b'{"pickup": "2026-01-15", "dropoff": "2026-01-15"}')
    assert reworded(request, Response(422, JSON, json.dumps({"detail": told}).encode())) is None
