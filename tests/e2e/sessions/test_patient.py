"""The patient target: one token for ever. What is found here is what every other guard must let us find."""

import msgspec
from tests.e2e.sessions.guarded_shop import Asked, Guard, GuardedShop
from tests.e2e.sessions.scanning import STALE, WEAKNESSES, scanned
from tests.node.loop import run

from gatecrash.core.message import Exchange, Headers


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


@run
async def test_what_clients_ask_without_credentials_is_not_called_open_for_having_been_given_some() -> None:
    """The same requests, some recorded without credentials at a shop that asks nobody for any."""
    profile = {"values": [{"point": ["header", "Authorization"], "value": "Bearer a-token-that-stays-good"}]}

    class Mixed(GuardedShop):
        def record(self, headers: Headers = ()) -> list[Exchange]:
            signed_in, public, *_ = super().record(headers)[1:]
            bare = msgspec.structs.replace(public.request, headers=())
            return [signed_in, msgspec.structs.replace(public, request=bare)]

    async with Mixed(Guard()) as shop:
        found = await scanned(shop, profile)
        assert {one[:3] for one in found.findings if one[0] == "auth"} == {("auth", "GET", "/search")}
    async with Mixed(Guard()) as shop:
        found = await scanned(shop, profile, headers=())
        assert {one[2] for one in found.findings if one[0] == "auth"} == {"/search", "/items"}, (
            "nothing tells them apart"
        )
