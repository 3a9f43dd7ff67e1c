"""Two users of one capture are two identities for a node that the service orders, as they are for a scan."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.e2e.service import Service
from tests.e2e.sessions.test_identities import Orders, Shop
from tests.e2e.tenant import Tenant, wait_until
from tests.e2e.town import Node
from tests.node.loop import run
from tests.plain_http import PLAIN

from gatecrash.core.message import Exchange


@pytest.fixture
def shoppers(service: Service, tmp_path: Path) -> Iterator[Tenant]:
    """A client with a real node."""
    with service.tenant() as tenant:
        node = Node("node", service.api, tenant.node_token, tmp_path)
        try:
            node.start()
            wait_until(lambda: tenant.admin.did("GET", "/v1/nodes")["total"], bool)
            yield tenant
        finally:
            node.kill()


def line(exchange: Exchange) -> str:
    """The exchange as a line of JSON."""
    request, response = exchange.request, exchange.response
    assert response is not None
    return json.dumps(
        {
            "method": request.method,
            "url": request.url,
            "headers": [[name.decode(), value.decode()] for name, value in request.headers],
            "body": request.body.decode(),
            "status": response.status,
            "response_headers": [[name.decode(), value.decode()] for name, value in response.headers],
            "response_body": response.body.decode(),
        }
    )


def put_into(tenant: Tenant, record: str, exchanges: list[Exchange]) -> None:
    """Import them into a record that is open."""
    answer = httpx.post(
        f"{tenant.api}/v1/test_record/{record}/import",
        headers={"X-Service-API-Token": tenant.token, "Content-Type": "application/x-ndjson"},
        content="\n".join(map(line, exchanges)).encode(),
        **PLAIN,
    )
    assert answer.json()["body"]["imported"] == len(exchanges), answer.text


def imported(tenant: Tenant, exchanges: list[Exchange]) -> str:
    """A record of them that may be copied."""
    record = tenant.admin.did("POST", "/v1/test_record", {"name": "two users"})["id"]
    put_into(tenant, record, exchanges)
    tenant.admin.did("POST", f"/v1/test_record/{record}/action/stop")
    wait_until(lambda: tenant.admin.did("GET", f"/v1/test_record/{record}")["ready_for_cloning"], bool)
    return str(record)


def run_over(tenant: Tenant, exchanges: list[Exchange]) -> dict[str, Any]:
    """The run over them, ended."""
    wish = {"name": "copy", "test_record_id": imported(tenant, exchanges), "policy_id": idor_alone(tenant)}
    return ended(tenant, tenant.admin.did("POST", "/v1/test_run", wish)["id"])


def idor_alone(tenant: Tenant) -> str:
    """A policy of nothing else."""
    return str(tenant.admin.did("POST", "/v1/policy", {"name": tenant.fresh("idor"), "types": ["idor"]})["id"])


def ended(tenant: Tenant, run_id: str) -> dict[str, Any]:
    """The run, when it has ended."""
    return wait_until(lambda: tenant.run(run_id), lambda seen: seen["state"] in ("passed", "failed", "interrupted"))


def run_that_learns(tenant: Tenant, first: list[Exchange], later: list[Exchange]) -> dict[str, Any]:
    """A run that has tested the first when it hears of the later ones."""
    run = tenant.admin.did("POST", "/v1/test_run", {"name": "live", "policy_id": idor_alone(tenant)})
    put_into(tenant, run["test_record_id"], first)
    wait_until(lambda: tenant.run(run["id"])["baseline_check_all_terminated_count"], lambda over: over == len(first))
    put_into(tenant, run["test_record_id"], later)
    tenant.admin.did("POST", f"/v1/test_run/{run['id']}/action/stop")
    return ended(tenant, run["id"])


@pytest.mark.database
@run
async def test_orders_that_everybody_may_read_are_found_by_a_node_with_no_profile(shoppers: Tenant) -> None:
    async with Shop(Orders(open_=True)) as shop:
        seen = await asyncio.to_thread(run_over, shoppers, shop.record())
    assert {one["type"] for one in seen["vulns"]} == {"idor"}
    assert (seen["state"], seen["baseline_check_tech_fail_count"]) == ("failed", 0)


@pytest.mark.database
@run
async def test_a_run_that_was_done_with_one_user_when_the_other_came_finds_them_too(shoppers: Tenant) -> None:
    """What passed before anybody could be asked as is asked again, and counted once."""
    async with Shop(Orders(open_=True)) as shop:
        exchanges = shop.record()
        # Opaque tokens tell two users apart only by coming in turns, which these two do not yet.
        first, later = exchanges[:2], exchanges[2:]
        seen = await asyncio.to_thread(run_that_learns, shoppers, first, later)
    assert {one["type"] for one in seen["vulns"]} == {"idor"}
    assert seen["baseline_check_all_terminated_count"] == seen["baseline_count"] == len(exchanges)
    assert (seen["state"], seen["baseline_check_fail_count"]) == ("failed", 2), "the early order and the late one"
