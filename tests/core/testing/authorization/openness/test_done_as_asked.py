"""Whether an answer shows a change done, whatever else its object holds by now."""

import json

import pytest

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.authorization.openness.done_as_asked import done_as_asked

JSON = ((b"Content-Type", b"application/json"),)
SENT = Request("PATCH", b"/berths/7", JSON, b'{"price": 31}')
GOOD = {"id": 7, "price": 31, "note": "", "message": "Saved"}


def told(value: object, status: int = 200) -> Response:
    return Response(status, JSON, json.dumps(value).encode())


@pytest.mark.parametrize(
    ("seen", "expected"),
    [
        ({**GOOD, "note": "Fender missing"}, True),
        ({**GOOD, "price": 20, "note": "Fender missing"}, False),
        ({**GOOD, "note": "Fender missing", "message": "Come in first"}, False),
        ({**GOOD, "id": 8, "note": "Fender missing"}, False),
        ({"id": 7, "price": 31, "note": "Fender missing"}, False),
        ([], False),
    ],
    ids=["another note", "unchanged", "another message", "another object", "fewer members", "nothing"],
)
def test_the_object_that_is_named_stands_there_with_what_is_sent(seen: object, expected: bool) -> None:
    assert done_as_asked(SENT, told(GOOD), told(seen)) is expected


def test_what_was_never_shown_to_be_done_is_not_looked_for() -> None:
    assert not done_as_asked(SENT, told({**GOOD, "price": 20}), told({**GOOD, "note": "x"}))
    assert not done_as_asked(SENT, told(GOOD), told({**GOOD, "note": "x"}, 202))
    assert not done_as_asked(Request("PATCH", b"/berths/7", JSON, b'{"size": "9"}'), told(GOOD), told(GOOD))
