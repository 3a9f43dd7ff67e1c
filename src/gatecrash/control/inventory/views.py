"""What the API and the pages show of the inventory, from rows."""

import json
from collections.abc import Sequence
from typing import Any

from gatecrash.control.inventory.mapping import DOCUMENT_STATES, STATUS_CLASSES, STATUSES, TYPE_BITS, digest
from gatecrash.control.inventory.models import ApiDocument, AuthParameter, PublicMark, TemplateRule
from gatecrash.control.inventory.shares import Shares
from gatecrash.core.auth.coverage import percent, status
from gatecrash.core.auth.parameters import DEFAULTS
from gatecrash.core.point import Point, context, key

Document = dict[str, Any]

WEEK = 7 * 86400
# The columns of an endpoint's row that `endpoint` takes, in this order.
COLUMNS = (
    "number",
    "public_id",
    "protocol",
    "method",
    "host",
    "path",
    "operation",
    "first_seen",
    "last_seen",
    "undetected_node",
    "undetected_version",
    "requests",
    "authenticated",
    "refused",
    "authenticated_refused",
    "answered",
    "undetected",
    "types",
    "changed_at",
    "document",
    "public_until",
    *(f"status{number + 1}" for number in range(STATUS_CLASSES)),
)


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


def endpoint(row: Sequence[Any], parameters: Sequence[Sequence[Any]], shares: Shares, now: int) -> Document:
    """An endpoint with status, coverage and the four columns of contract 2.5. row: as `COLUMNS` names them.

    requests and authenticated count all; status and coverage are made of what the client's setting leaves in.
    """
    one = dict(zip(COLUMNS, row, strict=True))
    counted, proven = shares.of(one["requests"], one["authenticated"], one["refused"], one["authenticated_refused"])
    detected = not one["undetected"]
    return {
        "id": one["public_id"],
        "protocol": one["protocol"],
        "method": one["method"],
        "host": one["host"],
        "path": one["path"],
        "operation": one["operation"] or None,
        "requests": one["requests"],
        "authenticated": one["authenticated"],
        "refused": one["refused"] if one["answered"] else None,
        "status": status(counted, proven),
        "coverage": percent(counted, proven),
        "types": types_of(one["types"]),
        "parameters": [_parameter(counted, proven, *parameter) for parameter in parameters],
        "statuses": {f"{number + 1}xx": one[f"status{number + 1}"] for number in range(STATUS_CLASSES)},
        "first_seen": one["first_seen"],
        "last_seen": one["last_seen"] or None,
        "badges": _badges(one, now),
        "document": document_state(one["document"], one["requests"] + one["undetected"]),
        "public": one["public_until"] > now,
        "undetected_requests": one["undetected"],
        "undetected_node": None if detected else one["undetected_node"] or None,
        "undetected_version": None if detected else one["undetected_version"] or None,
    }


def types_of(bits: int) -> list[str]:
    """The names of the types in an endpoint's bits, sorted."""
    return sorted(name for name, bit in TYPE_BITS.items() if bits & bit)


def document_state(state: int, requests: int) -> str | None:
    """`documented`, `shadow` (its host is covered and it is not), `unused` (documented, no traffic in the window)."""
    shown = DOCUMENT_STATES[state]
    return "unused" if shown == "documented" and not requests else shown


def status_change(row: Sequence[int]) -> Document:
    """One entry of the history: when, from which status, to which; null is "No traffic"."""
    at, before, after = row
    return {"at": at, "from": STATUSES[before], "to": STATUSES[after]}


def public_mark(row: PublicMark, endpoint_id: str) -> Document:
    """An intentionally public mark."""
    return {
        "id": row.id,
        "endpoint_id": endpoint_id,
        "reason": row.reason,
        "owner": row.owner,
        "expires_at": row.expires_at,
        "created_at": row.created_at,
    }


def api_document(row: ApiDocument) -> Document:
    """An uploaded OpenAPI document, without its operations."""
    return {
        "id": row.id,
        "name": row.name,
        "title": row.title,
        "version": row.version,
        "openapi": row.openapi,
        "servers": [{"host": host, "base_path": base_path} for host, base_path in row.servers],
        "operation_count": len(row.operations),
        "created_at": row.created_at,
        "updated_at": row.updated_at,
    }


def api_document_whole(row: ApiDocument) -> Document:
    """An uploaded OpenAPI document with its operations."""
    operations = [{"method": method, "path": template} for method, template in row.operations]
    return {**api_document(row), "operations": operations}


def template_rule(row: TemplateRule) -> Document:
    """A pin or a split."""
    return {
        "id": row.id,
        "kind": row.kind,
        "host": row.host or None,
        "template": row.template,
        "created_at": row.created_at,
    }


def _badges(one: Document, now: int) -> list[str]:
    """What happened within a week: `new`, `changed`; or that nothing did: `unused`."""
    first = one["first_seen"]
    is_new = first is not None and first > now - WEEK
    return [
        name
        for name, holds in (
            ("new", is_new),
            ("changed", one["changed_at"] > now - WEEK),
            ("unused", not one["requests"] + one["undetected"]),
        )
        if holds
    ]


def _parameter(
    requests: int, authenticated: int, type_: str, point: str | list[str], seen: int, valid: int, unproven: int
) -> Document:
    """One row of the Authentication tab: type, coverage, key with its context, path.

    Where refused requests are left out, a parameter's share cannot exceed the endpoint's: nodes do not tell its own
    refused ones. unproven: it last came as a session that nobody proved, so it is listed and not counted.
    """
    steps = json.loads(point) if isinstance(point, str) else point
    return {
        "type": type_,
        "coverage": percent(requests, min(int(valid), authenticated)),
        "key": key(steps),
        "context": context(steps),
        "point": [steps],
        "seen": int(seen),
        "valid": int(valid),
        "unproven": bool(unproven),
    }
