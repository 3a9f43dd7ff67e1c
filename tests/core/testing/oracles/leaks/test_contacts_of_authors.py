"""Authors are told of with more than their names where nobody who reads them has any use for it."""

import pytest
from tests.range.place import Given, Place
from tests.range.told_of_authors import POSTS

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.oracles.leaks.contacts_of_authors import contacts_of_authors
from gatecrash.core.testing.oracles.leaks.leaks import CONTACTS


def told(place: Place, *own: str) -> str:
    (request,) = place.requests
    leak = contacts_of_authors(request, place.handler(Given(request, {})), own)
    assert leak is None or leak.kind == CONTACTS
    return leak.what if leak is not None else ""


@pytest.mark.parametrize("place", POSTS, ids=str)
def test_each_place_of_the_range_is_told_apart(place: Place) -> None:
    assert bool(told(place)) is place.flaw


def test_what_a_reader_is_called_himself_is_no_news_to_him() -> None:
    assert not any(told(place, "ann@example.com") for place in POSTS)


def test_what_is_told_besides_is_named() -> None:
    assert [told(place) for place in POSTS if place.flaw] == [
        "how to reach authors, and their telephone number",
        "how to reach authors, and their boat_id",
    ]


@pytest.mark.parametrize(
    "body", [b"", b"<p>ann@example.com</p>", b'{"posts": "ann@example.com"}', b'["phone"]', b"[" * 300]
)
def test_other_answers_tell_nothing(body: bytes) -> None:
    assert contacts_of_authors(Request("GET", b"/posts"), Response(200, (), body), ()) is None
