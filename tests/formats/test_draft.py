"""Servers, targets and holes of drafts."""

import msgspec
import pytest

from gatecrash.core.message import Exchange, Request
from gatecrash.core.point import Point
from gatecrash.core.points.walk import read
from gatecrash.formats.draft import (
    Credential,
    Draft,
    Hole,
    Server,
    Taught,
    is_of_a_page,
    names_a_thing,
    packed,
    path_holes,
    query,
    request_to,
    server_of,
    unpacked,
)


@pytest.mark.parametrize(
    ("address", "server"),
    [
        ("https://api.example.com/v1/", Server("https", "api.example.com", 443, "/v1")),
        ("http://[::1]:8080", Server("http", "::1", 8080)),
        ("//h.example/a", Server("http", "h.example", 80, "/a")),
        ("/api", Server(path="/api")),
        ("api", Server(path="/api")),
        ("", Server()),
    ],
)
def test_a_server_is_an_address_or_a_path(address: str, server: Server) -> None:
    assert server_of(address) == server


@pytest.mark.parametrize("address", ["ws://h.example", "ftp://h.example", "http://", "http://h.example:port"])
def test_what_is_no_server_is_told(address: str) -> None:
    with pytest.raises(ValueError, match=r"server|port|Port"):
        server_of(address)


def test_a_request_has_its_host_its_length_and_an_ascii_target() -> None:
    request = request_to(Server("http", "::1", 8080, "/v1"), "POST", "/ü b?q=%20", [("X", "ä")], b"12")
    assert request.target == b"/v1/%C3%BC%20b?q=%20"
    assert request.headers == ((b"Host", b"[::1]:8080"), (b"X", b"\xe4"), (b"Content-Length", b"2"))


def test_a_hole_is_where_the_walk_finds_its_value() -> None:
    (hole,) = path_holes("/users/{id}/x", "/v1", [("id", "{id}", False)])
    assert hole == Hole("id", Point(("path", "2")))
    assert read(request_to(Server(path="/v1"), "GET", "/users/7/x"), hole.point) == b"7"


def test_a_draft_is_an_exchange_that_nobody_has_sent() -> None:
    draft = Draft(request=request_to(Server(), "GET", "/"), drafted=True)
    assert isinstance(draft, Exchange)
    assert draft.response is None


def test_a_draft_is_packed_with_all_that_it_is() -> None:
    request = request_to(Server(host="shop.test"), "GET", "/items/7")
    draft = Draft(
        request=request,
        drafted=True,
        holes=(Hole("item_id", Point(("path", "1"))),),
        wants=("jwt",),
        spare=request,
        places=(Credential("bearer", Point(("header", "AUTHORIZATION")), "Bearer "),),
    )
    again = unpacked(packed(draft))
    assert again == draft
    assert isinstance(again.holes[0].point, Point)


def test_what_was_stored_as_an_exchange_is_a_draft_without_holes() -> None:
    exchange = Exchange(request=request_to(Server(host="shop.test"), "GET", "/items/7"), drafted=True)
    again = unpacked(msgspec.msgpack.encode(exchange))
    assert (again.request, again.drafted, again.holes) == (exchange.request, True, ())
    assert msgspec.msgpack.decode(packed(again), type=Exchange) == exchange, (
        "and is read as one where only those are known"
    )


def test_a_query_is_encoded() -> None:
    assert query([("a b", "c&d"), ("e", "")]) == "?a%20b=c%26d&e="
    assert query([]) == ""


@pytest.mark.parametrize(
    ("name", "names"),
    [
        ("id", True),
        ("user_id", True),
        ("orderId", True),
        ("UUID", True),
        ("dog_no", True),
        ("casino", False),
        ("valid", False),
        ("paid", False),
        ("q", False),
    ],
)
def test_names_of_things(name: str, names: bool) -> None:
    assert names_a_thing(name) is names


@pytest.mark.parametrize(
    ("answer", "value"),
    [
        ({"rows": [{"id": 7}]}, 7),
        ({"rows": [{"id": "a"}, 1]}, "a"),
        ({"rows": []}, None),
        ({"rows": {"0": {"id": 7}}}, 7),
        ({"rows": [{"id": True}]}, None),
        ({"rows": [{"id": {}}]}, None),
        ([], None),
        (None, None),
    ],
)
def test_what_is_kept_of_an_answer(answer: object, value: object) -> None:
    assert Taught("x", ("rows", "0", "id")).value_in(answer) == value


def test_a_pages_form_says_where_it_stood_and_nobody_wrote_it() -> None:
    stood = Request("POST", b"/notes", ((b"Referer", b"http://x/"),))
    assert is_of_a_page(Draft(stood, drafted=True, operation=True))
    assert not is_of_a_page(Draft(stood, drafted=True))
    assert not is_of_a_page(Draft(Request("POST", b"/notes"), drafted=True, operation=True))
    assert not is_of_a_page(Exchange(stood, drafted=True))
