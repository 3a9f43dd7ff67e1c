"""What a request says of itself in words."""

import json

from gatecrash.core.message import Request
from gatecrash.core.testing.effects.spoken import FORM_BYTES, members_said, spoken_address

FORM = ((b"Content-Type", b"application/x-www-form-urlencoded"),)


def test_an_address_tells_the_page_and_the_function_that_are_asked_for() -> None:
    document = json.dumps({"query": "mutation { deleteNote(id: 7) { id } }"}).encode()
    mutation = Request("POST", b"/graphql", ((b"Content-Type", b"application/json"),), document)
    assert "delete" in spoken_address(mutation).lower()
    assert spoken_address(Request("GET", b"/orders/7")) == "/orders/7"
    assert "remove" in spoken_address(Request("POST", b"/api?method=parcel.remove"))
    assert "remove" not in spoken_address(Request("GET", b"/api?method=parcel.remove"))


def test_members_are_said_by_the_query_and_by_both_ends_of_a_long_form() -> None:
    request = Request("POST", b"/a.aspx?x=1", FORM, b"first=2&state=" + b"s" * 2 * FORM_BYTES + b"&button=3")
    said = members_said(request)
    assert said.startswith("x=1&first=2&")
    assert said.endswith("button=3")
    assert len(said) < 2 * FORM_BYTES + 20
    assert members_said(Request("POST", b"/a?x=1", (), b"first=2")) == "x=1"
