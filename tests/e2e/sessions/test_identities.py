"""Two users at an API that shows everybody's orders, and at one that does not: known from a profile, or from the record."""

import json
from typing import Any

import msgspec
import pytest
from tests.e2e.sessions.guarded_shop import Asked, Guard, GuardedShop, Said
from tests.e2e.sessions.scanning import POLICY, scanned
from tests.node.loop import run

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.policy import Policy

IDOR: Policy = msgspec.structs.replace(POLICY, types=("idor",))
TOKENS = {"alice": "alice-5f0c2b7d90e14a66", "bob": "bob-b3a91d7f22c84e05"}
PROFILE: dict[str, Any] = {
    "values": [{"point": ["header", "Authorization"], "value": "Bearer ${token}"}],
    "check": {"path": "/whoami", "contains": "user"},
    "identities": [{"name": name, "variables": {"token": token}} for name, token in TOKENS.items()],
}
ORDERS = {
    "100481": {"owner": "alice", "to": "Alice Archer, 12 Elm Street", "items": ["teapot", "two cups"], "total": 4120},
    "100502": {"owner": "bob", "to": "Bob Baker, 3 Hill Road", "items": ["kettle"], "total": 2999},
}


class Orders(Guard):
    """open_: it asks who somebody is, not whose the order is. gone: users whose sessions are over."""

    def __init__(self, *, open_: bool, gone: frozenset[str] = frozenset()) -> None:
        self.open_ = open_
        self.gone = gone

    def serves(self, asked: Asked) -> Said | None:
        user = next((name for name, token in TOKENS.items() if asked.bearer == token and name not in self.gone), None)
        if user is None:
            return Said(401, '{"error": "unauthorized"}')
        if asked.path == "/whoami":
            return Said(body=json.dumps({"user": user}))
        if asked.path == "/orders":
            return Said(body=json.dumps([{"id": number} for number, one in ORDERS.items() if one["owner"] == user]))
        order = ORDERS.get(asked.path.removeprefix("/orders/"))
        if order is None or (not self.open_ and order["owner"] != user):
            return Said(404, '{"error": "no such order"}')
        return Said(body=json.dumps(order))


class Shop(GuardedShop):
    """Records orders of its two users in turns."""

    def record(self, _headers: Any = ()) -> list[Exchange]:
        asked = (("alice", "/whoami"), ("bob", "/orders/100502"), ("alice", "/orders/100481"), ("bob", "/whoami"))
        return [self._of(user, path) for user, path in asked]

    def _of(self, user: str, path: str) -> Exchange:
        body = json.dumps(ORDERS.get(path.removeprefix("/orders/"), {"user": user})).encode()
        headers = ((b"Authorization", b"Bearer " + TOKENS[user].encode()),)
        request = Request("GET", path.encode(), headers, b"", "http", "127.0.0.1", self.port)
        return Exchange(request, Response(200, ((b"Content-Type", b"application/json"),), body))


@pytest.mark.parametrize("profile", [PROFILE, None], ids=["profile", "record"])
@run
async def test_orders_that_everybody_may_read_are_found_and_guarded_ones_are_not(
    profile: dict[str, Any] | None,
) -> None:
    async with Shop(Orders(open_=True)) as shop:
        found = await scanned(shop, profile, policy=IDOR)
    assert ("idor", "GET", "/orders/100481", ()) in {(*one[:3], ()) for one in found.findings}
    async with Shop(Orders(open_=False)) as shop:
        found = await scanned(shop, profile, policy=IDOR)
    assert found.findings == set()
    assert found.baselines["GET /orders/100481"]["status"] == "passed"


@run
async def test_another_users_dead_session_is_no_proof_that_orders_are_guarded() -> None:
    async with Shop(Orders(open_=True, gone=frozenset({"bob"}))) as shop:
        found = await scanned(shop, PROFILE, policy=IDOR)
    one = found.baselines["GET /orders/100481"]
    assert found.findings == set()
    assert (one["status"], one["reason"]) != ("passed", None)
    assert one["inconclusive"] >= 1
