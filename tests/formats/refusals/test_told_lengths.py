"""How long the values of a request are made, as a refusal tells it."""

import json

import pytest

from gatecrash.core.message import Request, Response
from gatecrash.core.points.walk import walk
from gatecrash.formats.refusals.told_forms import reworded
from gatecrash.formats.refusals.told_lengths import lengths_told

JSON = ((b"Content-Type", b"application/json"),)


def told(message: str, **body: str) -> dict[str, str]:
    found = walk(Request("POST", b"/join", JSON, json.dumps(body).encode())).points
    values = lengths_told([one for one in found if not one.container], message)
    return {point[-1]: value.decode() for point, value in values.items()}


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("number: must be 8 to 14 digits", {"number": "15555555"}),
        ("number must be exactly 10 digits", {"number": "1555555555"}),
        ("number needs 10 digits", {"number": "1555555555"}),
        ("number must be a 6-digit code", {"number": "155555"}),
        ("name: size must be between 9 and 40", {"name": "exampleaa"}),
        ("name must be longer than or equal to 8 characters", {"name": "examplea"}),
        ("name must NOT have fewer than 8 characters", {"name": "examplea"}),
        ("The name must be at least 8 characters long.", {"name": "examplea"}),
        ("name must be at most 2 characters", {"name": "ex"}),
        ('{"name": ["is too short (minimum is 8 characters)"]}', {"name": "examplea"}),
        ("name must be at least 8 characters; number must have 4 digits", {"name": "examplea", "number": "1555"}),
        ("name must be at least 3 characters", {}),  # it is
        ("number must be at least 5", {}),  # a number's bound, and no length
        ("name must be at least 900 characters", {}),
        ("code must be at least 8 characters", {}),  # which the document shows
        ("name is required", {}),
        ("size must be between 8 and 40", {}),  # of nothing that it names
    ],
)
def test_what_is_named_gets_the_length_that_is_told(message: str, expected: dict[str, str]) -> None:
    assert told(message, name="example", number="1", note="example", code="A-1") == expected


def test_a_refused_request_is_sent_in_the_length_that_is_told() -> None:
    request = Request("POST", b"/join", JSON, b'{"number": "1", "name": "example"}')
    better = reworded(request, Response(400, JSON, b'{"error": "number: must be 8 to 14 digits"}'))
    assert better is not None
    assert json.loads(better.body) == {"number": "15555555", "name": "example"}
