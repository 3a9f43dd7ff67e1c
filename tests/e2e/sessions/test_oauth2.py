"""OAuth 2 grants: tokens of a second, refreshed with refresh tokens that serve once, or asked for anew."""

import base64
import json
import secrets
import time
from typing import Any

import pytest
from tests.e2e.sessions.guarded_shop import Asked, Guard, GuardedShop, Said
from tests.e2e.sessions.scanning import WEAKNESSES, scanned
from tests.node.loop import run

SECONDS = 1.0


class Issuer(Guard):
    """Issues bearer tokens to one client. grants: how each token was asked for."""

    def __init__(self, *, refreshes: bool) -> None:
        self.refreshes = refreshes
        self.grants: list[str] = []
        self.ends: dict[str, float] = {}
        self.refresh = ""

    def serves(self, asked: Asked) -> Said | None:
        if asked.path != "/oauth/token":
            return None
        client = "Basic " + base64.b64encode(b"gate:s%2Fcret").decode()
        if asked.headers.get("authorization") != client or not self._may(asked):
            return Said(400, '{"error": "invalid_grant"}')
        self.grants.append(asked.field("grant_type"))
        token = secrets.token_hex(16)
        self.ends[token] = time.monotonic() + SECONDS
        answer: dict[str, Any] = {"access_token": token, "token_type": "Bearer", "expires_in": SECONDS}
        if self.refreshes:
            self.refresh = answer["refresh_token"] = secrets.token_hex(8)
        return Said(body=json.dumps(answer))

    def lets_in(self, asked: Asked) -> bool:
        return time.monotonic() < self.ends.get(asked.bearer, 0.0)

    def _may(self, asked: Asked) -> bool:
        match asked.field("grant_type"):
            case "password":
                return (asked.field("username"), asked.field("password")) == ("alice", "p&w=1")
            case "refresh_token":
                return bool(self.refresh) and asked.field("refresh_token") == self.refresh
            case kind:
                return kind == "client_credentials" and asked.field("scope") == "shop:all"


CLIENT = {"token_url": "/oauth/token", "client_id": "gate", "client_secret": "s/cret"}


@pytest.mark.parametrize(
    ("grant", "refreshes"),
    [
        ({"grant": "client_credentials", "scope": "shop:all"}, False),
        ({"grant": "password", "username": "alice", "password": "p&w=1"}, True),
    ],
    ids=["client_credentials", "password"],
)
@run
async def test_a_grant_keeps_the_session_alive(grant: dict[str, str], refreshes: bool) -> None:
    issuer = Issuer(refreshes=refreshes)
    async with GuardedShop(issuer) as shop:
        found = await scanned(shop, {"oauth2": {**CLIENT, **grant}}, rps=30)
    assert found.findings == WEAKNESSES
    assert set(found.reasons.values()) == {None}
    assert issuer.grants[0] == grant["grant"]
    assert len(issuer.grants) > 1
    assert set(issuer.grants[1:]) == {"refresh_token" if refreshes else grant["grant"]}


@run
async def test_a_wrong_secret_is_auth_failed() -> None:
    async with GuardedShop(Issuer(refreshes=False)) as shop:
        grant = {"grant": "client_credentials", "scope": "shop:all"}
        found = await scanned(shop, {"oauth2": {**CLIENT, **grant, "client_secret": "wrong"}})
    assert set(found.reasons.values()) == {"auth_failed"}
    assert found.findings == set()
