"""Changing requests that need a token of their own, good for one request of one session."""

import secrets
from typing import Any

from tests.e2e.sessions.guarded_shop import Asked, Guard, GuardedShop, Said
from tests.e2e.sessions.scanning import WEAKNESSES, scanned
from tests.node.loop import run

PROFILE: dict[str, Any] = {
    "login": [{"path": "/login", "form": {"user": "alice"}}],
    "values": [{"point": ["header", "X-Client"], "value": "gate-${now}"}],
    "once": [
        {
            "steps": [{"path": "/form", "take": {"csrf": {"pattern": 'name="csrf" value="([^"]+)"'}}}],
            "values": [{"point": ["header", "X-CSRF-Token"], "value": "${csrf}"}],
        },
        {"values": [{"point": ["header", "X-Request-Id"], "value": "${uuid}"}], "methods": ["*"]},
    ],
}


class Bound(Guard):
    """Sessions in cookies; a form's token for every change; an identifier that never comes twice."""

    def __init__(self) -> None:
        self.sessions: dict[str, str] = {}
        self.seen: set[str] = set()

    def serves(self, asked: Asked) -> Said | None:
        if asked.path == "/login":
            session = secrets.token_hex(16)
            self.sessions[session] = ""
            return Said(headers={"Set-Cookie": f"sid={session}; HttpOnly"})
        if asked.path == "/form":
            session = self._session(asked)
            if session not in self.sessions:
                return Said(401)
            self.sessions[session] = secrets.token_hex(8)
            return Said(body=f'<form><input name="csrf" value="{self.sessions[session]}"></form>', kind="text/html")
        return None

    def lets_in(self, asked: Asked) -> bool:
        session, identifier = self._session(asked), asked.headers.get("x-request-id", "")
        fresh = bool(identifier) and identifier not in self.seen
        self.seen.add(identifier)
        if session not in self.sessions or not fresh:
            return False
        if asked.method == "GET":
            return True
        token, self.sessions[session] = self.sessions[session], ""
        return bool(token) and asked.headers.get("x-csrf-token") == token

    def _session(self, asked: Asked) -> str:
        return asked.headers.get("cookie", "").rpartition("sid=")[2].partition(";")[0]


@run
async def test_a_token_fetched_for_each_change_costs_no_finding() -> None:
    async with GuardedShop(Bound()) as shop:
        found = await scanned(shop, PROFILE)
    assert found.findings == WEAKNESSES
    assert set(found.reasons.values()) == {None}
    fetched = sum(asked.path == "/form" for asked, _ in shop.asked)
    assert fetched >= sum(asked.method == "POST" and asked.path == "/comment" for asked, _ in shop.asked) - 10


@run
async def test_without_the_token_the_changing_baseline_is_auth_failed_and_the_others_are_not() -> None:
    profile = {**PROFILE, "once": PROFILE["once"][1:]}
    async with GuardedShop(Bound()) as shop:
        found = await scanned(shop, profile)
    assert found.reasons.pop("POST /comment") == "auth_failed"
    assert found.findings == {one for one in WEAKNESSES if one[1] == "GET"}
