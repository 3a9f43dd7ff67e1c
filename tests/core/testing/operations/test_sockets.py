"""What opens a WebSocket, and what of its client's messages may be said again."""

import json

import pytest

from gatecrash.core.message import Request
from gatecrash.core.testing.operations.sockets import as_opening, asked_through, opens_socket


def said(*messages: object) -> list[bytes]:
    return [json.dumps(each).encode() for each in messages]


@pytest.mark.parametrize(
    ("request_", "opens"),
    [
        (Request("GET", b"/", ((b"Upgrade", b"websocket"),)), True),
        (Request("get", b"/", ((b"upgrade", b" WebSocket "),)), True),
        (Request("GET", b"/", ((b"Upgrade", b"h2c"),)), False),
        (Request("POST", b"/", ((b"Upgrade", b"websocket"),)), False),
        (Request("GET", b"/"), False),
    ],
)
def test_a_get_that_wants_the_protocol_changed_opens_one(request_: Request, opens: bool) -> None:
    assert opens_socket(request_) is opens


def test_an_opening_has_all_that_it_needs_and_keeps_what_it_had() -> None:
    had = (
        (b"Sec-WebSocket-Key", b"AQIDBAUGBwgJCgsMDQ4PEA=="),
        (b"Sec-WebSocket-Extensions", b"x"),
        (b"Cookie", b"a=1"),
    )
    opening = as_opening(Request("GET", b"/live", had))
    assert opens_socket(opening)
    assert opening.first(b"Sec-WebSocket-Key") == b"AQIDBAUGBwgJCgsMDQ4PEA=="
    assert opening.first(b"Sec-WebSocket-Version") == b"13"
    assert (opening.first(b"Connection"), opening.first(b"Cookie")) == (b"Upgrade", b"a=1")
    assert opening.first(b"Sec-WebSocket-Extensions") is None


@pytest.mark.parametrize(
    "message",
    [
        {"type": "subscribe", "channel": "orders"},
        {"action": "getOrders", "page": 2},
        {"op": "ping"},
        {"event": "orders.list"},
        {"type": "connection_init"},
        {"command": "search", "q": "tea"},
    ],
    ids=lambda message: next(iter(message.values())),
)
def test_what_says_that_it_asks_or_listens_is_said_again(message: dict[str, object]) -> None:
    assert asked_through(said(message)) == json.dumps(message).encode()


@pytest.mark.parametrize(
    "message",
    [
        {"type": "order", "tea": 3},
        {"action": "deleteOrder", "id": 7},
        {"action": "getOrCreateRoom"},
        {"type": "unsubscribe"},
        {"text": "hello"},
        {"type": 7},
        {"type": "subscribe", "payload": {"query": "mutation { brew }"}},
        ["get", "orders"],
        "get",
    ],
    ids=str,
)
def test_nothing_else_is(message: object) -> None:
    assert asked_through(said(message, {"op": "ping"})) == b'{"op": "ping"}'


def test_nothing_is_said_behind_what_may_be_a_credential() -> None:
    """Whoever has said who he is is let in by that, and no cookie is what the answer depends on."""
    for secret in (
        {"type": "auth", "token": "t"},
        {"type": "hello", "jwt": "a"},
        {"type": "subscribe", "as": "eyJhbGciOi"},
    ):
        messages = said({"op": "ping"}, secret, {"action": "getOrders"})
        assert asked_through(messages) == b'{"op": "ping"}'


def test_one_of_each_kind_is_said_and_no_more_than_a_few() -> None:
    twice = said({"type": "get", "id": 1}, {"type": "get", "id": 2}, {"type": "get", "name": "tea"})
    assert asked_through(twice) == b'{"type": "get", "id": 1}\n{"type": "get", "name": "tea"}'
    many = said(*({"type": "get", f"field{number}": 1} for number in range(9)))
    assert asked_through(many).count(b"\n") == 4
    assert asked_through([b"x", b"", b'{"type":\n"get"}', b'{"type": "get", "a": "' + b"a" * 9000 + b'"}']) == b""
