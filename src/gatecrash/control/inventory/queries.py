"""Reads of the inventory: the configuration of detection, the list of endpoints, one endpoint."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from django.db import connection

from gatecrash.control import wall
from gatecrash.control.accounts.models import Client
from gatecrash.control.inventory import views
from gatecrash.control.inventory.models import AuthParameter
from gatecrash.wire.session import Config

Status = Literal["consistent", "partial", "missing", "no_traffic"]


@dataclass(frozen=True, slots=True)
class Filters:
    """Which endpoints are wanted; None lets all pass."""

    status: Status | None = None
    type: str | None = None
    host: str | None = None
    method: str | None = None


def client_config(client_id: str) -> Config:
    """What the client's nodes need for detection. The caller adds the marker keys of its running tests."""
    with wall.client(client_id):
        version = Client.objects.values_list("config_version", flat=True).get(id=client_id)
        points = AuthParameter.objects.order_by("created_at", "id").values_list("point", flat=True)
        return Config(version=version, parameters=tuple(tuple(point) for point in points))


def config_version(client_id: str) -> int:
    """The version that `client_config` would have: one read, for each heartbeat."""
    version: int = Client.objects.values_list("config_version", flat=True).get(id=client_id)
    return version


def custom_parameters() -> list[AuthParameter]:
    """The current client's custom authentication parameters, the oldest first."""
    return list(AuthParameter.objects.order_by("created_at", "id"))


_ENDPOINT_COLUMNS = (
    "e.number, e.public_id, e.protocol, e.method, e.host, e.path, e.first_seen, e.last_seen, e.undetected_node,"
    " COALESCE(r.requests, 0), COALESCE(r.authenticated, 0), COALESCE(r.answered, 0), COALESCE(r.refused, 0),"
    " COALESCE(r.undetected, 0), COALESCE(r.status1, 0), COALESCE(r.status2, 0), COALESCE(r.status3, 0),"
    " COALESCE(r.status4, 0), COALESCE(r.status5, 0)"
)
_FROM_ENDPOINT = " FROM inventory_endpoint e WHERE e.client_id = %s"
_FROM = (
    " FROM inventory_endpoint e LEFT JOIN rollup_count r ON r.client_id = e.client_id AND r.endpoint = e.number"
    " WHERE e.client_id = %s"
)
_BY_STATUS = {
    "consistent": " AND r.requests > 0 AND r.authenticated * 100 >= 95 * r.requests",
    "partial": " AND r.authenticated > 0 AND r.authenticated * 100 < 95 * r.requests",
    "missing": " AND r.requests > 0 AND r.authenticated = 0",
    "no_traffic": " AND COALESCE(r.requests, 0) = 0",
}
_BY_TYPE = (
    " AND e.number IN (SELECT p.endpoint_number FROM inventory_endpointparameter p"
    " JOIN rollup_parameter s ON s.client_id = p.client_id AND s.parameter = p.number"
    " WHERE p.client_id = %s AND p.type = %s AND s.valid > 0)"
)


def list_endpoints(wanted: Filters, *, limit: int, offset: int) -> tuple[list[dict[str, Any]], int]:
    """The wanted page of endpoints with status and coverage, ordered by host, path and method; and how many match."""
    condition, params = _condition(wanted)
    with connection.cursor() as cursor:
        rows_counted = _FROM if wanted.status else _FROM_ENDPOINT  # a join that filters nothing would double the time
        cursor.execute(f"SELECT COUNT(*){rows_counted}{condition}", params)
        total = int(cursor.fetchone()[0])
        cursor.execute(
            f"SELECT {_ENDPOINT_COLUMNS}{_FROM}{condition}"
            " ORDER BY e.host, e.path, e.method, e.number LIMIT %s OFFSET %s",
            [*params, limit, offset],
        )
        rows = cursor.fetchall()
    return _with_parameters(rows), total


def find_endpoint(public_id: str) -> dict[str, Any] | None:
    """One endpoint of the current client with its parameters; None where there is none of this identifier."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT {_ENDPOINT_COLUMNS}{_FROM} AND e.public_id = %s",
            [wall.required(), public_id],
        )
        rows = cursor.fetchall()
    return next(iter(_with_parameters(rows)), None)


def _condition(wanted: Filters) -> tuple[str, list[Any]]:
    condition, params = "", [wall.required()]
    if wanted.host is not None:
        condition += " AND e.host = %s"
        params.append(wanted.host.lower())
    if wanted.method is not None:
        condition += " AND e.method = %s"
        params.append(wanted.method.upper())
    if wanted.status is not None:
        condition += _BY_STATUS[wanted.status]
    if wanted.type is not None:
        condition += _BY_TYPE
        params += [wall.required(), wanted.type]
    return condition, params


def _with_parameters(rows: Sequence[Sequence[Any]]) -> list[dict[str, Any]]:
    """Endpoints as the API shows them, each with its parameters that were seen in the window."""
    parameters = _parameters([row[0] for row in rows])
    return [views.endpoint(row, parameters.get(row[0], [])) for row in rows]


def _parameters(numbers: Sequence[int]) -> dict[int, list[tuple[Any, ...]]]:
    """(type, point, seen, valid) by endpoint, the most valid first."""
    if not numbers:
        return {}
    marks = ", ".join(["%s"] * len(numbers))
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT p.endpoint_number, p.type, p.point, s.seen, s.valid FROM inventory_endpointparameter p"  # noqa: S608 - our names
            " JOIN rollup_parameter s ON s.client_id = p.client_id AND s.parameter = p.number"
            f" WHERE p.client_id = %s AND p.endpoint_number IN ({marks}) ORDER BY s.valid DESC, s.seen DESC, p.number",
            [wall.required(), *numbers],
        )
        found: dict[int, list[tuple[Any, ...]]] = {}
        for number, *parameter in cursor.fetchall():
            found.setdefault(number, []).append(tuple(parameter))
    return found
