"""A record tells what it made, what names it, and what deletes it."""

import json
from typing import Any

import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.authorization.objects.lifetimes import Lifetimes

LONG = "b1946ac92492"
JSON = ((b"Content-Type", b"application/json"),)


def did(method: str, target: str, told: Any = None, status: int = 200, sent: Any = None) -> Exchange:
    body = b"" if sent is None else json.dumps(sent).encode()
    request = Request(method, target.encode(), JSON if body else (), body, host="a.example")
    return Exchange(request, Response(status, JSON, b"" if told is None else json.dumps(told).encode()))


MADE = did("POST", "/loads", {"id": 10}, 201, sent={"city": "Ulm"})
MADE_LONG = did("POST", "/loads", {"id": LONG}, 201, sent={"city": "Ulm"})
READ = did("GET", "/loads/10", {"id": 10, "city": "Ulm"})
GONE = did("DELETE", "/loads/10", None, 204)


def lifetimes(*exchanges: Exchange) -> list[tuple[str, list[bytes]]]:
    """By what each thing was deleted, and what names it."""
    seen = Lifetimes()
    for each in exchanges:
        seen.see(each)
    return [(thing.deleted, [request.target for request in thing.uses]) for thing in seen.things]


@pytest.mark.parametrize(
    ("gone", "method"),
    [
        (GONE, "DELETE"),
        (did("POST", "/loads/10/delete", {"ok": True}), "POST"),
        (did("POST", "/loads/delete", {"ok": True}, sent={"id": 10}), "POST"),
        (did("POST", "/remove", {"ok": True}, sent={"load_id": 10}), "POST"),
        (did("DELETE", "/loads?id=10", {"ok": True}), "DELETE"),
        (did("DELETE", "/loads/10", {"error": "no"}, 403), ""),
        (did("DELETE", "/loads/10", {"error": "could not be deleted"}), ""),
        (did("DELETE", "/loads/10/image", None, 204), ""),
        (did("DELETE", "/loads/10/images/3", None, 204), ""),
        (did("DELETE", "/users/10", None, 204), ""),
        (did("PATCH", "/loads/10", {"id": 10}), ""),
        (did("GET", "/loads/10/delete", {"sure": "?"}), ""),
    ],
)
def test_what_deletes_it(gone: Exchange, method: str) -> None:
    [(deleted, uses)] = lifetimes(MADE, READ, gone)
    assert deleted == method
    assert uses[0] == b"/loads/10"


def test_what_names_it_between() -> None:
    named = [
        READ,
        did("GET", "/loads/10/bids", []),
        did("GET", "/bids?load_id=10", []),
        did("PUT", "/loads/10", {"id": 10}, sent={"city": "Bonn"}),
        did("POST", "/notes", {"text": "x"}, sent={"loadId": 10, "text": "x"}),
    ]
    others = [
        did("GET", "/trucks/10", {"id": 10}),
        did("GET", "/bids?user_id=10", []),
        did("POST", "/notes", {"text": "x"}, sent={"days": 10, "text": "x"}),
    ]
    missing = did("GET", "/loads/10", {"error": "no such load"}, 404)
    [(_, uses)] = lifetimes(missing, MADE, *named, *others, GONE, did("GET", "/loads/10/log", []))
    assert uses == [each.request.target for each in named]


def test_a_long_identifier_is_named_under_any_name() -> None:
    [(_, uses)] = lifetimes(MADE_LONG, did("GET", f"/bids?ref={LONG}", []), did("DELETE", f"/loads/{LONG}"))
    assert uses == [f"/bids?ref={LONG}".encode()]


def test_what_was_shown_before_was_made_elsewhere() -> None:
    shown = did("GET", "/loads", [{"id": 10}])
    assert lifetimes(shown, did("POST", "/loads", {"id": 10}, sent={"from": "Ulm"}), READ, GONE) == []


def test_a_number_is_given_again_after_the_deletion() -> None:
    assert [deleted for deleted, _ in lifetimes(MADE, READ, GONE, MADE, READ, GONE)] == ["DELETE", "DELETE"]


def test_what_is_made_below_another_names_it() -> None:
    bid = did("POST", "/loads/10/bids", {"id": 3, "load_id": 10}, 201, sent={"eur": 5})
    found = lifetimes(MADE, bid, did("GET", "/loads/10/bids/3", {"id": 3}), GONE)
    assert found == [("DELETE", [b"/loads/10/bids", b"/loads/10/bids/3"]), ("", [b"/loads/10/bids/3"])]
