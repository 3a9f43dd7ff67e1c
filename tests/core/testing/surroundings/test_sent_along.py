"""Credentials that a client sends along with what is for everybody say nothing of what an address needs."""

import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.surroundings.sent_along import SentAlong

JSON = ((b"Content-Type", b"application/json"),)
TOKEN = ((b"Authorization", b"Bearer k7"),)
LOT = b'{"id": 4, "title": "Brass sextant", "price": 120}'
ASKED = Request("GET", b"/sellers/4", TOKEN, host="a")


def seen(target: bytes, body: bytes, *, visited: bool, method: str = "GET", status: int = 200) -> tuple[Exchange, bool]:
    request = Request(method, target, () if visited else TOKEN, host="a")
    return Exchange(request, Response(status, JSON, body)), visited


@pytest.mark.parametrize("visitor_first", [True, False])
def test_where_a_visitor_is_told_as_much_the_token_was_not_needed(visitor_first):
    both = [seen(b"/lots/4", LOT, visited=True), seen(b"/lots/4", LOT.replace(b"120", b"90"), visited=False)]
    sent = SentAlong()
    told = []
    for exchange, visited in both if visitor_first else both[::-1]:
        assert not sent.everywhere(ASKED)
        told.append(sent.see(exchange, visited=visited))
    assert told == [False, True]
    assert sent.everywhere(ASKED)
    assert not sent.everywhere(Request("GET", b"/sellers/4", ((b"X-Api-Key", b"k"),), host="a"))
    assert not sent.everywhere(Request("GET", b"/sellers/4", TOKEN, host="b"))
    assert not sent.see(*both[0][:1], visited=True), "known already"


@pytest.mark.parametrize(
    "visitors",
    [
        seen(b"/lots/5", LOT, visited=True),
        seen(b"/lots/4", LOT[:30] + b"}", visited=True),
        seen(b"/lots/4", LOT, visited=True, method="POST"),
        seen(b"/lots/4", LOT, visited=True, status=302),
        seen(b"/lots/4", b'{"error": "please sign in to see the lots of today"}', visited=True),
    ],
)
def test_a_visitor_who_was_told_less_or_elsewhere_says_nothing(visitors):
    sent = SentAlong()
    sent.see(*seen(b"/lots/4", LOT, visited=False)[:1], visited=False)
    assert not sent.see(visitors[0], visited=visitors[1])
    assert not sent.everywhere(ASKED)


@pytest.mark.parametrize("body", [b"[]", b'{"items": []}', b'[{"email": "ann@post.example", "balance": 41}]'])
def test_what_is_empty_or_private_says_nothing(body):
    sent = SentAlong()
    for visited in (True, False):
        assert not sent.see(seen(b"/accounts", body, visited=visited)[0], visited=visited)
    assert not sent.everywhere(ASKED)


@pytest.mark.parametrize("name", [b"X-Auth-Key", b"X-Api-Key", b"X-Session-Token"])
def test_a_key_by_any_name_is_known_to_be_sent_along(name):
    request = Request("GET", b"/lots/4", ((name, b"k-5f1c"),), host="a")
    sent = SentAlong()
    sent.see(Exchange(request, Response(200, JSON, LOT)), visited=False)
    assert not sent.everywhere(request)
    sent.see(seen(b"/lots/4", LOT, visited=True)[0], visited=True)
    assert sent.everywhere(request)
