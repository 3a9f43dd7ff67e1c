"""The patient target: one token for ever. What is found here is what every other guard must let us find."""

from tests.e2e.sessions.guarded_shop import Asked, Guard, GuardedShop
from tests.e2e.sessions.scanning import STALE, WEAKNESSES, scanned
from tests.node.loop import run


class Patient(Guard):
    def lets_in(self, asked: Asked) -> bool:
        return asked.bearer == "a-token-that-stays-good"


@run
async def test_a_token_set_at_a_point_is_enough() -> None:
    profile = {"values": [{"point": ["header", "Authorization"], "value": "Bearer a-token-that-stays-good"}]}
    async with GuardedShop(Patient()) as shop:
        found = await scanned(shop, profile)
    assert found.findings == WEAKNESSES
    assert set(found.reasons.values()) == {None}
    assert found.run["authenticated_share"] == 1.0


@run
async def test_without_it_every_baseline_is_auth_failed() -> None:
    async with GuardedShop(Patient()) as shop:
        found = await scanned(shop, None, headers=STALE)
    assert set(found.reasons.values()) == {"auth_failed"}
    assert found.findings == set()
    assert found.run["authenticated_share"] == 0.0
