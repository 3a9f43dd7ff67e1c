"""What a POST made is read from its answer, or from where that leads."""

import json
from typing import Any

import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.authorization.objects.creations import (
    creation_of,
    kind_made,
    makes_another,
    may_be_made_again,
)

JSON = ((b"Content-Type", b"application/json"),)


def posted(target: bytes, told: Any, sent: Any = None, status: int = 201, **headers: str) -> Exchange:
    more = tuple((name.encode(), value.encode()) for name, value in headers.items())
    body = json.dumps({"city": "Ulm"} if sent is None else sent).encode()
    return Exchange(
        Request("POST", target, JSON, body, host="a.example"),
        Response(status, (*JSON, *more), json.dumps(told).encode()),
    )


@pytest.mark.parametrize(
    ("told", "values"),
    [
        ({"id": 10, "city": "Ulm"}, ["10"]),
        ({"ok": True, "data": {"id": 10, "owner": {"id": 2}}}, ["10"]),
        ({"load": {"id": 10}, "user": {"id": 2}}, ["10"]),
        ({"load_id": 10, "user": {"id": 2}}, ["10"]),
        ({"loadId": "b1946ac92492"}, ["b1946ac92492"]),
        ({"id": 10, "slug": "ulm-to-bonn"}, ["10", "ulm-to-bonn"]),
    ],
)
def test_the_answer_tells_what_was_made(told: Any, values: list[str]) -> None:
    creation = creation_of(posted(b"/api/loads", told))
    assert creation is not None
    assert (creation.kind, sorted(leaf.value for leaf in creation.told)) == ("load", values)


@pytest.mark.parametrize("status", [201, 302])
def test_the_address_led_to_tells_what_was_made(status: int) -> None:
    creation = creation_of(posted(b"/loads", {}, status=status, Location="/loads/10?made=1"))
    assert creation is not None
    assert creation.identifiers(Response(201, ((b"Location", b"/loads/11"),))) == {("Location",): "11"}


@pytest.mark.parametrize(
    "exchange",
    [
        posted(b"/loads/search", {"id": 10}),
        posted(b"/loads", [{"id": 10}, {"id": 11}]),
        posted(b"/loads", {"id": 10}, sent={"load_id": 10}),
        posted(b"/loads/10", {"id": 10}),
        posted(b"/loads/10/cancel", {"id": 71}),
        posted(b"/loads/delete", {"id": 10}),
        posted(b"/loads", {"id": 10}, status=403),
        posted(b"/loads", {}, status=302, Location="/loads"),
        posted(b"/pairs", {"left": {"id": 1}, "right": {"id": 2}}),
    ],
    ids=["search", "several", "in body", "in path", "done to one", "deletes", "refused", "no address", "two"],
)
def test_nothing_was_made_that_can_be_named(exchange: Exchange) -> None:
    assert creation_of(exchange) is None


@pytest.mark.parametrize(
    ("target", "kind"),
    [
        (b"/api/v1/loads", "load"),
        (b"/loads/10/bids", "bid"),
        (b"/loads/create", "load"),
        (b"/loads/v1", "load"),
        (b"/", ""),
    ],
)
def test_what_is_made_is_called_by_its_address(target: bytes, kind: str) -> None:
    assert kind_made(Request("POST", target, host="a.example")) == kind


@pytest.mark.parametrize(
    ("exchange", "may"),
    [
        (posted(b"/loads", {}), True),
        (posted(b"/loads/4/bids", {}), True),
        (posted(b"/loads/4/payments", {}), False),
        (posted(b"/teams/4/invitations", {}), False),
        (posted(b"/mails", {}), False),
        (posted(b"/users", {}, sent={"email": "a@b.example", "password": "Sesame-1"}), False),
        (posted(b"/login", {}, sent={"user": "ann", "password": "Sesame-1"}), False),
        (posted(b"/loads/publish", {}), False),
    ],
)
def test_what_reaches_others_is_not_made_again(exchange: Exchange, *, may: bool) -> None:
    assert may_be_made_again(exchange) is may


@pytest.mark.parametrize(
    ("method", "target", "status", "is_made"),
    [
        ("POST", b"/entries/7/remarks", 200, True),
        ("PUT", b"/entries/7/remarks", 201, True),
        ("PUT", b"/entries/7/remarks", 200, False),
        ("PUT", b"/entries/7", 201, False),
        ("PATCH", b"/entries", 201, False),
    ],
)
def test_what_is_put_below_an_address_that_names_nothing_is_another(method, target, status, is_made) -> None:
    assert makes_another(Request(method, target), Response(status)) is is_made
