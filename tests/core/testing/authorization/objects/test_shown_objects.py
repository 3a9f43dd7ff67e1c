"""Which object of a page a request is about, and which was there before it."""

import json

import pytest

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.authorization.objects.shown_objects import is_older, named_by


@pytest.mark.parametrize(
    ("shown", "older"),
    [
        ({"email": "ann@example.com", "id": 7}, True),
        ({"email": "BEN@example.com", "name": "Someone"}, False),
        ({"email": "ann@example.com", "name": "Ben"}, False),
        ({"id": 7}, False),
    ],
)
def test_an_object_with_other_texts_throughout_is_older(shown, older):
    assert is_older(shown, {"email": "ben@example.com", "name": "Ben", "age": 7}) is older


@pytest.mark.parametrize(("number", "found"), [(7, True), (8, False)])
def test_the_object_that_the_address_names_is_meant(number, found):
    listed = [{"id": 6, "text": "six"}, {"id": number, "text": "seven"}]
    response = Response(200, body=json.dumps(listed).encode())
    shown = named_by(Request("PUT", b"/notes/7"), response, {"text": "new"})
    assert (shown is not None and shown["text"] == "seven") is found
    assert named_by(Request("PUT", b"/notes/7"), response, {"title": "new"}) is None
