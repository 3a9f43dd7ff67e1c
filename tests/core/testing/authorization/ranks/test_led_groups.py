"""Groups whose members somebody governs who has begun them, and tenants, which are governed from above."""

from random import Random

import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.authorization.ranks.led_groups import in_led_group
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Situation


def led(path: str, body: bytes = b"{}", own: tuple[str, ...] = (), above: tuple[str, ...] = ()) -> bool:
    request = Request("PUT", path.encode(), ((b"Content-Type", b"application/json"),), body, host="a")
    return in_led_group(
        Situation(
            baseline=Baseline("bl_1", Exchange(request, Response(200))), point=Point(), value=b"", credentials=(),
            policy=DEFAULT, random=Random(1), identities=(Identity("ann", 1, own), Identity("ada", 9, above)),
        )
    )  # fmt: skip


@pytest.mark.parametrize(
    ("path", "body", "is_led"),
    [
        ("/users/7/role", b"{}", False),
        ("/users/7/role", b'{"role": "editor"}', False),
        ("/teams/3/members/7/role", b"{}", True),
        ("/teams/3/roles", b"{}", True),
        ("/setRole", b'{"team_id": 3, "user_id": 7}', True),
        ("/setRole", b'{"user_id": 7}', False),
    ],
)
def test_a_group_is_led_by_whoever_began_it(path: str, body: bytes, is_led: bool) -> None:
    assert led(path, body) is is_led


def test_the_tenant_of_both_is_led_by_whoever_stands_above() -> None:
    path, acme, bolt = "/orgs/4/users/7/role", ("tenant=4",), ("tenant=5",)
    assert not led(path, own=acme, above=acme)
    assert led(path, own=acme, above=bolt)
    assert led(path)
