"""What the API shows of the inventory, from rows."""

import json
from collections.abc import Sequence
from typing import Any

from gatecrash.control.inventory.mapping import STATUS_CLASSES, digest
from gatecrash.control.inventory.models import AuthParameter
from gatecrash.core.auth.coverage import percent, status
from gatecrash.core.auth.parameters import DEFAULTS
from gatecrash.core.point import Point, context, key

Document = dict[str, Any]


def default_id(point: Point) -> str:
    """A default parameter's identifier: the same for every client, and always."""
    return f"ap_default_{digest(list(point))[:16]}"


DEFAULT_IDS = frozenset(map(default_id, DEFAULTS))
_DEFAULT_ENTRIES = [
    {"id": default_id(point), "point": point.nested(), "source": "default", "created_at": None} for point in DEFAULTS
]


def auth_parameters(custom: Sequence[AuthParameter]) -> Document:
    """Contract 4.1: the defaults, then the client's own."""
    return {"parameters": [*_DEFAULT_ENTRIES, *map(auth_parameter, custom)]}


def auth_parameter(row: AuthParameter) -> Document:
    """One custom entry."""
    return {"id": row.id, "point": [list(row.point)], "source": "custom", "created_at": row.created_at}


def endpoint(row: Sequence[Any], parameters: Sequence[Sequence[Any]]) -> Document:
    """An endpoint with status, coverage and the four columns of contract 2.5. row: see `queries._ENDPOINT_COLUMNS`."""
    _, public_id, protocol, method, host, path, first_seen, last_seen, undetected_node = row[:9]
    requests, authenticated, answered, refused, undetected = map(int, row[9:14])
    shown = [_parameter(requests, *parameter) for parameter in parameters]
    return {
        "id": public_id,
        "protocol": protocol,
        "method": method,
        "host": host,
        "path": path,
        "requests": requests,
        "authenticated": authenticated,
        "refused": refused if answered else None,
        "status": status(requests, authenticated),
        "coverage": percent(requests, authenticated),
        "types": sorted({item["type"] for item in shown if item["valid"]}),
        "parameters": shown,
        "statuses": {f"{number + 1}xx": int(row[14 + number]) for number in range(STATUS_CLASSES)},
        "first_seen": first_seen,
        "last_seen": last_seen,
        "undetected_requests": undetected,
        "undetected_node": undetected_node or None,
    }


def _parameter(requests: int, type_: str, point: str | list[str], seen: int, valid: int) -> Document:
    """One row of the Authentication tab: type, coverage, key with its context, path."""
    steps = json.loads(point) if isinstance(point, str) else point
    return {
        "type": type_,
        "coverage": percent(requests, int(valid)),
        "key": key(steps),
        "context": context(steps),
        "point": [steps],
        "seen": int(seen),
        "valid": int(valid),
    }
