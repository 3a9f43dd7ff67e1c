"""Tokens that live one second, whether or not the login says so."""

import base64
import json
import secrets
import time
from typing import Any

import msgspec
import pytest
from tests.e2e.sessions.guarded_shop import Asked, Guard, GuardedShop, Said
from tests.e2e.sessions.scanning import POLICY, WEAKNESSES, scanned
from tests.node.loop import run

from gatecrash.core.auth.jwt import is_jwt
from gatecrash.core.testing.policy import Policy

SECONDS = 1.0
REDIRECTS: Policy = msgspec.structs.replace(POLICY, types=("redir",))
PROFILE: dict[str, Any] = {
    "login": [
        {
            "path": "/login",
            "json": {"user": "${user}", "password": "${password}"},
            "take": {"token": {"json": "$.token"}, "life": {"json": "$.life", "optional": True}},
        }
    ],
    "variables": {"user": "alice", "password": 'p"w'},
    "values": [{"point": ["header", "Authorization"], "value": "Bearer ${token}"}],
}


class ShortLived(Guard):
    """tells: how the login tells a token's life: in a field, in the token itself, or not at all."""

    def __init__(self, tells: str = "") -> None:
        self.tells = tells
        self.logins = 0
        self.ends: dict[str, float] = {}

    def serves(self, asked: Asked) -> Said | None:
        if asked.path != "/login":
            return None
        if json.loads(asked.body) != {"user": "alice", "password": 'p"w'}:
            return Said(401, '{"error": "wrong password"}')
        self.logins += 1
        token = self._token()
        self.ends[token] = time.monotonic() + SECONDS
        return Said(body=json.dumps({"token": token} | ({"life": SECONDS} if self.tells == "field" else {})))

    def lets_in(self, asked: Asked) -> bool:
        return time.monotonic() < self.ends.get(asked.bearer, 0.0)

    def _token(self) -> str:
        if self.tells != "jwt":
            return secrets.token_hex(16)
        claims = (
            b'{"alg":"HS256"}',
            json.dumps({"exp": time.time() + SECONDS, "jti": secrets.token_hex(4)}).encode(),
            b"x",
        )
        return ".".join(base64.urlsafe_b64encode(part).rstrip(b"=").decode() for part in claims)


@pytest.mark.parametrize("tells", ["", "field", "jwt"])
@run
async def test_tokens_of_a_second_cost_no_finding(tells: str) -> None:
    guard = ShortLived(tells)
    profile = {**PROFILE, "expires_in": "${life}"} if tells == "field" else PROFILE
    async with GuardedShop(guard) as shop:
        # Paced, so that the scan outlives several tokens.
        found = await scanned(shop, profile, rps=30)
    assert found.findings == WEAKNESSES
    assert set(found.reasons.values()) == {None}
    assert guard.logins > 1
    refused = sum(status == 401 and asked.bearer in guard.ends for asked, status in shop.asked)
    if tells:
        assert refused * 10 < len(shop.asked), "renewed before they ended, but for a stalled machine"
        assert is_jwt(next(iter(guard.ends)).encode()) == (tells == "jwt")
    else:
        assert refused > 0, "nothing told when they end"


@run
async def test_requests_that_wait_long_for_their_turn_still_go_with_a_living_token() -> None:
    guard = ShortLived("field")
    async with GuardedShop(guard) as shop:
        found = await scanned(shop, {**PROFILE, "expires_in": "${life}"}, rps=12, policy=REDIRECTS)
    assert set(found.reasons.values()) == {None}
    assert {one[1:3] for one in found.findings} == {("GET", "/go")}
    late = sum(status == 401 and asked.bearer in guard.ends for asked, status in shop.asked)
    assert late * 10 < len(shop.asked)


@run
async def test_a_wrong_password_is_told_and_tried_no_more_than_three_times() -> None:
    guard = ShortLived()
    async with GuardedShop(guard) as shop:
        found = await scanned(shop, {**PROFILE, "variables": {"user": "alice", "password": "wrong"}})
    assert set(found.reasons.values()) == {"auth_failed"}
    assert found.findings == set()
    details = {one["detail"] for one in found.baselines.values()}
    assert details == {"identity 'default', login[0]: answered 401"}
    assert 1 <= sum(asked.path == "/login" for asked, _ in shop.asked) <= 3
    assert all(asked.path == "/login" for asked, _ in shop.asked)


@run
async def test_logins_are_marked_counted_and_paced() -> None:
    guard = ShortLived()
    async with GuardedShop(guard) as shop:
        found = await scanned(shop, PROFILE, policy=REDIRECTS)
    assert found.run["sended_requests_count"] == len(shop.asked)
    assert all(asked.headers["x-gatecrash-marker"].startswith("2.tr_1.") for asked, _ in shop.asked)


@run
async def test_a_login_elsewhere_goes_to_allowed_hosts_only() -> None:
    async with GuardedShop(ShortLived()) as shop:
        found = await scanned(shop, {**PROFILE, "base": "http://login.example"})
    assert set(found.reasons.values()) == {"auth_failed"}
    assert "ALLOWED_HOSTS" in found.baselines["GET /me"]["detail"]
    assert shop.asked == []
