"""A session that somebody ends half way."""

import secrets
from typing import Any

from tests.e2e.sessions.guarded_shop import Asked, Guard, GuardedShop, Said
from tests.e2e.sessions.scanning import STALE, WEAKNESSES, scanned
from tests.node.loop import run

HALF_WAY = 15
PROFILE: dict[str, Any] = {
    "login": [{"path": "/login", "form": {"user": "alice"}}],
    "check": {"path": "/me", "status": 200, "contains": "alice@shop.example"},
    "values": [{"point": ["header", "Authorization"], "value": "Bearer none-of-your-business"}],
}


class Revoked(Guard):
    """Cookies of sessions; after some answers all of them end at once. quiet: it does not refuse then, it shows less."""

    def __init__(self, after: int, *, again: bool, quiet: bool = False, known: str = "") -> None:
        self.after = after
        self.again = again
        self.quiet = quiet
        self.answered = 0
        self.logins = 0
        self.sessions = {known}

    def serves(self, asked: Asked) -> Said | None:
        if asked.path != "/login":
            return None
        if self.answered >= self.after and not self.again:
            return Said(403, '{"error": "account locked"}')
        self.logins += 1
        session = secrets.token_hex(16)
        self.sessions.add(session)
        return Said(302, headers={"Location": "/me", "Set-Cookie": f"sid={session}; HttpOnly; Path=/"})

    def lets_in(self, asked: Asked) -> bool:
        cookies = dict(pair.strip().split("=", 1) for pair in asked.headers.get("cookie", "").split(";") if "=" in pair)
        inside = bool({cookies.get("sid", ""), asked.bearer} & self.sessions - {""})
        self.answered += inside
        if inside and self.answered == self.after:
            self.sessions.clear()
        return inside

    def refuses(self, asked: Asked) -> Said:
        return Said(200, '{"items": []}') if self.quiet else super().refuses(asked)


@run
async def test_a_revoked_session_is_signed_in_again_and_nothing_is_missed() -> None:
    guard = Revoked(after=HALF_WAY, again=True)
    async with GuardedShop(guard) as shop:
        found = await scanned(shop, PROFILE)
    assert found.findings == WEAKNESSES
    assert set(found.reasons.values()) == {None}
    assert guard.logins == 2
    assert 0.0 < found.run["authenticated_share"] <= 1.0


@run
async def test_a_session_that_ends_without_a_refusal_shows_at_the_check_address() -> None:
    guard = Revoked(after=HALF_WAY, again=True, quiet=True)
    async with GuardedShop(guard) as shop:
        found = await scanned(shop, PROFILE)
    assert found.findings == WEAKNESSES
    assert set(found.reasons.values()) == {None}
    assert guard.logins == 2


@run
async def test_it_shows_without_one_by_what_nobody_is_answered() -> None:
    guard = Revoked(after=HALF_WAY, again=True, quiet=True)
    async with GuardedShop(guard) as shop:
        found = await scanned(shop, {name: value for name, value in PROFILE.items() if name != "check"})
    assert found.findings == WEAKNESSES
    assert set(found.reasons.values()) == {None}
    assert guard.logins == 2


@run
async def test_where_nobody_may_sign_in_again_no_baseline_passes_and_findings_stay() -> None:
    guard = Revoked(after=HALF_WAY, again=False)
    async with GuardedShop(guard) as shop:
        found = await scanned(shop, PROFILE)
    passed = {name.split(" ")[1] for name, one in found.baselines.items() if one["status"] == "passed"}
    dead = next(place for place, (_, status) in enumerate(shop.asked) if status == 403)
    assert not passed & {asked.path for asked, _ in shop.asked[dead:]} - {"/me"}, "/me is the check address too"
    assert found.baselines["GET /me"]["reason"] in (None, "auth_failed")
    assert found.reasons["POST /comment"] == "auth_failed"
    assert found.run["authenticated_share"] < 1.0
    assert found.findings <= WEAKNESSES


@run
async def test_recorded_credentials_that_are_revoked_half_way_are_noticed_without_any_profile() -> None:
    known = STALE[0][1].decode().removeprefix("Bearer ")
    async with GuardedShop(Revoked(after=HALF_WAY, again=False, known=known)) as shop:
        found = await scanned(shop, None)
    assert found.reasons["POST /comment"] == "auth_failed", "it is no safe request, but another of that session is"
    unsure = [one for one in found.baselines.values() if one["reason"] == "auth_failed"]
    assert len(unsure) >= 2
    assert 0.0 < found.run["authenticated_share"] < 1.0
