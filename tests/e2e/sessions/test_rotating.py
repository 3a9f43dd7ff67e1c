"""Tokens that serve one request each: every answer holds the next one."""

import json
import secrets
from typing import Any

from tests.e2e.sessions.guarded_shop import Asked, Guard, GuardedShop, Said
from tests.e2e.sessions.scanning import WEAKNESSES, scanned
from tests.node.loop import run

PROFILE: dict[str, Any] = {
    "login": [{"path": "/login", "form": {"user": "alice"}, "take": {"token": {"json": "$.token"}}}],
    "values": [{"point": ["header", "Authorization"], "value": "Bearer ${token}"}],
    "renew": {"token": {"header": "X-Next-Token"}},
}


class Rotating(Guard):
    def __init__(self) -> None:
        self.logins = 0
        self.good = ""

    def serves(self, asked: Asked) -> Said | None:
        if asked.path != "/login":
            return None
        self.logins += 1
        self._turn()
        return Said(body=json.dumps({"token": self.good}))

    def lets_in(self, asked: Asked) -> bool:
        return bool(self.good) and asked.bearer == self.good

    def gives(self, _asked: Asked) -> dict[str, str]:
        self._turn()
        return {"X-Next-Token": self.good}

    def _turn(self) -> None:
        self.good = secrets.token_hex(16)


@run
async def test_a_token_for_each_request_costs_no_finding_and_few_logins() -> None:
    guard = Rotating()
    async with GuardedShop(guard) as shop:
        found = await scanned(shop, PROFILE)
    assert found.findings == WEAKNESSES
    assert set(found.reasons.values()) == {None}
    # Answers without credentials leave the token as it is; nothing else should cost a login.
    assert guard.logins <= 3


class Rolling(Rotating):
    """The same in cookies: every answer sets the session's next one."""

    def serves(self, asked: Asked) -> Said | None:
        said = super().serves(asked)
        return said and Said(headers={"Set-Cookie": f"sid={self.good}; HttpOnly"})

    def lets_in(self, asked: Asked) -> bool:
        return bool(self.good) and asked.headers.get("cookie", "") == f"sid={self.good}"

    def gives(self, asked: Asked) -> dict[str, str]:
        return {"Set-Cookie": f"sid={super().gives(asked)['X-Next-Token']}; HttpOnly"}


@run
async def test_a_cookie_for_each_request_is_as_good() -> None:
    sid = {"sid": {"cookie": "sid"}}
    profile = {
        "login": [{"path": "/login", "form": {"user": "alice"}, "take": sid}],
        "values": [{"point": ["header", "COOKIE", "cookie", "sid"], "value": "${sid}"}],
        "renew": sid,
    }
    guard = Rolling()
    async with GuardedShop(guard) as shop:
        found = await scanned(shop, profile, headers=())
    assert found.findings == WEAKNESSES
    assert set(found.reasons.values()) == {None}
    assert guard.logins <= 3


@run
async def test_without_a_login_every_baseline_is_auth_failed() -> None:
    async with GuardedShop(Rotating()) as shop:
        found = await scanned(shop, None)
    assert set(found.reasons.values()) == {"auth_failed"}
