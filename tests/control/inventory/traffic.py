"""Counted traffic for the inventory's tests: one endpoint in one hour, applied as a node's batch."""

import itertools
from typing import Any

from gatecrash.control import wall
from gatecrash.control.inventory import queries, services
from gatecrash.control.inventory.filters import Filters
from gatecrash.control.inventory.models import Endpoint
from gatecrash.wire.counts import Counts, EndpointCount, ParameterCount

NOW = 1_800_000_000
HOUR = NOW // 3600
HOST = "api.example.com"
BEARER = ("header", "AUTHORIZATION")

_sequence = itertools.count(1)


def count(path: str = "/a", *, requests: int = 10, valid: int = 4, at: int = NOW, **more: Any) -> EndpointCount:
    """Requests to one endpoint, of which so many held a valid bearer token."""
    given: dict[str, Any] = {
        "protocol": "rest",
        "method": "GET",
        "host": HOST,
        "refused": 0,
        "first_seen": at,
        "last_seen": at,
        "parameters": (ParameterCount("bearer", BEARER, valid, valid),) if valid else (),
        "statuses": ((2, requests),),
        **more,
    }
    return EndpointCount(hour=at // 3600, path=path, requests=requests, authenticated=valid, **given)


def observe(client_id: str, *counts: EndpointCount, at: int = NOW) -> None:
    """Apply the counts as one batch."""
    batch = Counts("node_1", "s", "spool", next(_sequence), counts)
    services.apply_counts(client_id, "node_1", batch, at=at)


def shown(client_id: str, at: int = NOW, **wanted: Any) -> dict[str, dict[str, Any]]:
    """The endpoints that the list shows, by path."""
    with wall.client(client_id):
        page = queries.list_endpoints(Filters(**wanted), limit=1000, at=at)
    return {one["path"]: one for one in page.objects}


def number(client_id: str, path: str) -> int:
    """The key of an endpoint in the bulk tables."""
    with wall.client(client_id):
        return int(Endpoint.objects.values_list("number", flat=True).get(path=path))
