"""A recorded logout ends the session that its tests, and all others, are sent in: it is tested last, and spoils nothing."""

import secrets
from typing import Any

import pytest
from tests.e2e.sessions.guarded_shop import Asked, Guard, GuardedShop, Said
from tests.e2e.sessions.scanning import WEAKNESSES, Outcome, scanned
from tests.node.loop import run

from gatecrash.core.message import Exchange, Headers, Request, Response

KNOWN = secrets.token_hex(16)
RECORDED: Headers = ((b"Cookie", f"session-token={KNOWN}".encode()),)
PROFILE: dict[str, Any] = {
    "login": [{"path": "/login", "form": {"user": "alice"}}],
    "check": {"path": "/me", "status": 200, "contains": "alice@shop.example"},
}
DESTRUCTIVE = ("DELETE", "/items"), ("POST", "/logout"), ("GET", "/logout?next=home")


class Ending(Guard):
    """Cookies of sessions, each of which ends at /logout. redirects: whoever is not signed in is sent to the login."""

    def __init__(self, *, redirects: bool) -> None:
        self.sessions = {KNOWN}
        self.redirects = redirects

    def serves(self, asked: Asked) -> Said | None:
        if asked.path == "/login":
            session = secrets.token_hex(16)
            self.sessions.add(session)
            return Said(302, headers={"Location": "/me", "Set-Cookie": f"session-token={session}; HttpOnly; Path=/"})
        if asked.path == "/logout" and self.lets_in(asked):
            self.sessions.discard(sid(asked))
            return Said(302, headers={"Location": "/login", "Set-Cookie": "session-token=; Max-Age=0; Path=/"})
        if asked.method == "DELETE" and self.lets_in(asked):
            return Said(200, '{"deleted": true}')
        return None

    def lets_in(self, asked: Asked) -> bool:
        return sid(asked) in self.sessions

    def refuses(self, asked: Asked) -> Said:
        return Said(302, headers={"Location": "/login"}) if self.redirects else super().refuses(asked)


class Shop(GuardedShop):
    """The logout was recorded before all else."""

    def record(self, headers: Headers = ()) -> list[Exchange]:
        ends = [self._ending(method, path.encode(), headers) for method, path in reversed(DESTRUCTIVE)]
        return [*ends, *super().record(headers)]

    def _ending(self, method: str, path: bytes, headers: Headers) -> Exchange:
        request = Request(method, path, headers, b"", "http", "127.0.0.1", self.port)
        if path.startswith(b"/logout"):
            return Exchange(request, Response(302, ((b"Location", b"/login"), (b"Content-Length", b"0"))))
        return Exchange(request, Response(200, ((b"Content-Type", b"application/json"),), b'{"deleted": true}'))


def sid(asked: Asked) -> str:
    cookies = dict(pair.strip().split("=", 1) for pair in asked.headers.get("cookie", "").split(";") if "=" in pair)
    return cookies.get("session-token", "")


async def come_of(profile: dict[str, Any] | None, *, redirects: bool) -> tuple[Outcome, list[tuple[str, str]]]:
    async with Shop(Ending(redirects=redirects)) as shop:
        found = await scanned(shop, profile, headers=RECORDED)
    return found, [(asked.method, asked.path) for asked, _ in shop.asked]


@pytest.mark.parametrize("redirects", [False, True], ids=["401", "to the login"])
@pytest.mark.parametrize("profile", [None, PROFILE], ids=["recorded", "signed in"])
def test_a_logout_is_tested_last_and_spoils_nothing(profile: dict[str, Any] | None, redirects: bool) -> None:
    @run
    async def walk() -> None:
        found, asked = await come_of(profile, redirects=redirects)
        assert found.findings == WEAKNESSES
        others = {name: reason for name, reason in found.reasons.items() if not name.endswith("/logout")}
        assert set(others.values()) == {None}
        assert found.baselines["DELETE /items"]["sent"] > 0, "tested in a living session"
        out = found.baselines["GET /logout"]
        assert (out["status"], out["reason"]) == ("error", "auth_failed"), "never passed"
        assert "ends the session" in out["detail"]
        assert found.baselines["POST /logout"]["sent"] == 0, "that nobody is kept from signing out is nothing to ask"
        ends = [at for at, one in enumerate(asked) if one[1] == "/logout"]
        # Safe ones may be asked once more, to see whether the session lives.
        rest = [at for at, one in enumerate(asked) if one[0] != "GET" and one[1] not in ("/logout", "/login")]
        assert ends[0] > rest[-1], "whoever is signed out has nothing left to test"

    walk()
