"""Recorded sessions that end while a run of the service tests with them: their users sign in again as the record shows."""

import asyncio
from typing import Any

import pytest
from tests.e2e.sessions.guarded_shop import GuardedShop
from tests.e2e.sessions.test_recorded_on_a_node import ended, imported, shoppers
from tests.e2e.sessions.test_revoked import Revoked
from tests.e2e.tenant import Tenant
from tests.node.loop import run

from gatecrash.core.message import Exchange, Headers, Request, Response

__all__ = ["shoppers"]

KNOWN = "8a1f20cc6be44e0f93d7"
RECORDED: Headers = ((b"Cookie", f"sid={KNOWN}".encode()),)


class Shop(GuardedShop):
    """Its record begins with the login whose session all else was asked in."""

    def record(self, headers: Headers = RECORDED) -> list[Exchange]:
        form = ((b"Content-Type", b"application/x-www-form-urlencoded"),)
        request = Request("POST", b"/login", form, b"user=alice&password=sesame", "http", "127.0.0.1", self.port)
        cookie = (b"Set-Cookie", f"sid={KNOWN}; HttpOnly; Path=/".encode())
        return [Exchange(request, Response(302, ((b"Location", b"/me"), cookie))), *super().record(headers)]


def run_over(tenant: Tenant, exchanges: list[Exchange]) -> dict[str, Any]:
    policy = tenant.admin.did("POST", "/v1/policy", {"name": tenant.fresh("flaws"), "types": ["xss", "redir"]})["id"]
    wish = {"name": "copy", "test_record_id": imported(tenant, exchanges), "policy_id": policy}
    return ended(tenant, tenant.admin.did("POST", "/v1/test_run", wish)["id"])


@pytest.mark.parametrize(("after", "quiet"), [(5, False), (15, False), (40, False), (15, True)])
@pytest.mark.database
def test_a_recorded_session_that_ends_half_way_costs_no_finding(shoppers: Tenant, after: int, *, quiet: bool) -> None:
    """Wherever it ends: before anything was found, behind the first finding of a baseline, behind most of them; and also where
    nobody is refused then, and shown less.
    """

    @run
    async def walk() -> None:
        guard = Revoked(after=after, again=True, quiet=quiet, known=KNOWN)
        async with Shop(guard) as shop:
            seen = await asyncio.to_thread(run_over, shoppers, shop.record())
        assert guard.logins > 0, guard.answered
        assert {one["type"] for one in seen["vulns"]} == {"xss", "redir"}
        assert len(seen["vulns"]) == 3
        assert seen["baseline_check_tech_fail_count"] == 0

    walk()
