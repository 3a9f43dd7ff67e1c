"""Endpoint rows and their parameters' rows by name: found, or made at their first sight. Part of `services`."""

import json
from collections.abc import Iterable, Sequence

from django.db import connection

from gatecrash.control import ids, wall
from gatecrash.control.ids import Prefix
from gatecrash.control.inventory import mapping
from gatecrash.control.inventory.mapping import Name
from gatecrash.control.inventory.models import Endpoint, EndpointParameter
from gatecrash.wire.counts import EndpointCount

ParameterName = tuple[int, str, tuple[str, ...]]
# Columns with their types on PostgreSQL. The ORM builds an object and a piece of SQL for each row.
_COLUMNS: dict[type[Endpoint | EndpointParameter], dict[str, str]] = {
    Endpoint: {
        "public_id": "text",
        "protocol": "text",
        "method": "text",
        "host": "text",
        "path": "text",
        "digest": "text",
        "first_seen": "bigint",
        "last_seen": "bigint",
        "undetected_node": "text",
    },
    EndpointParameter: {"endpoint_number": "bigint", "type": "text", "point": "jsonb", "digest": "text"},
}


def take(counts: Sequence[EndpointCount], *, undetected_node: str) -> dict[Name, int]:
    """The number of each endpoint that is counted, new ones made; first and last sight are moved."""
    seen = _seen(counts)
    digests = {name: mapping.digest(list(name)) for name in seen}
    known = _numbers(digests.values())
    missing = [name for name in seen if digests[name] not in known]
    if missing:
        _insert(Endpoint, [_row(name, digests[name], *seen[name]) for name in missing])
        known |= _numbers(digests[name] for name in missing)
    _move_sight([(known[digests[name]], *seen[name]) for name in seen], undetected_node)
    return {name: known[digest] for name, digest in digests.items()}


def take_parameters(names: Iterable[ParameterName]) -> dict[ParameterName, int]:
    """The number of each parameter on an endpoint, new ones made."""
    digests = {name: mapping.digest([name[0], name[1], list(name[2])]) for name in names}
    known = _parameter_numbers(digests.values())
    missing = [name for name, digest in digests.items() if digest not in known]
    if missing:
        _insert(EndpointParameter, [_parameter_row(name, digests[name]) for name in missing])
        known |= _parameter_numbers(digests[name] for name in missing)
    return {name: known[digest] for name, digest in digests.items()}


def _seen(counts: Sequence[EndpointCount]) -> dict[Name, tuple[int, int]]:
    """First and last sight of each endpoint in a batch."""
    seen: dict[Name, tuple[int, int]] = {}
    for count in counts:
        name = mapping.name(count)
        first, last = seen.get(name, (count.first_seen, count.last_seen))
        seen[name] = (min(first, count.first_seen), max(last, count.last_seen))
    return seen


def _row(name: Name, digest: str, first_seen: int, last_seen: int) -> tuple[object, ...]:
    """An endpoint's columns, as `_COLUMNS` names them."""
    return (ids.new(Prefix.ENDPOINT), *name, digest, first_seen, last_seen, "")


def _parameter_row(name: ParameterName, digest: str) -> tuple[object, ...]:
    """A parameter's columns, as `_COLUMNS` names them."""
    endpoint, type_, point = name
    return (endpoint, type_, json.dumps(point), digest)


def _insert(model: type[Endpoint | EndpointParameter], rows: list[tuple[object, ...]]) -> None:
    """Insert many rows at once, leaving those that another connection has made meanwhile."""
    table, columns = model._meta.db_table, _COLUMNS[model]  # noqa: SLF001 - Django documents _meta
    into = f"INSERT INTO {table} (client_id, {', '.join(columns)})"
    client_id = wall.required()
    rows.sort(key=lambda row: str(row[-4:]))  # two writers take the same rows in the same order and do not deadlock
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            arrays = ", ".join(f"%s::{kind}[]" for kind in columns.values())
            statement = f"{into} SELECT %s, * FROM unnest({arrays}) ON CONFLICT DO NOTHING"  # noqa: S608 - our names
            cursor.execute(statement, [client_id, *map(list, zip(*rows, strict=True))])
        else:
            marks = ", ".join(["%s"] * (len(columns) + 1))
            statement = f"{into} VALUES ({marks}) ON CONFLICT DO NOTHING"
            cursor.executemany(statement, [(client_id, *row) for row in rows])


def _numbers(digests: Iterable[str]) -> dict[str, int]:
    return _look_up(Endpoint._meta.db_table, digests)  # noqa: SLF001 - Django documents _meta


def _parameter_numbers(digests: Iterable[str]) -> dict[str, int]:
    return _look_up(EndpointParameter._meta.db_table, digests)  # noqa: SLF001 - Django documents _meta


def _look_up(table: str, digests: Iterable[str]) -> dict[str, int]:
    """The numbers of known digests. One array on PostgreSQL; a JSON array on SQLite: one prepared statement for any length."""
    wanted = list(digests)
    given = "SELECT unnest(%s::text[])" if connection.vendor == "postgresql" else "SELECT value FROM json_each(%s)"
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT digest, number FROM {table} WHERE client_id = %s AND digest IN ({given})",  # noqa: S608 - our names
            [wall.required(), wanted if connection.vendor == "postgresql" else json.dumps(wanted)],
        )
        return dict(cursor.fetchall())


def _move_sight(rows: list[tuple[int, int, int]], undetected_node: str) -> None:
    """Widen first and last sight. In the order of numbers, so that two writers never wait in a circle."""
    if not rows:
        return
    client_id = wall.required()
    rows.sort()
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            columns = map(list, zip(*rows, strict=True))
            cursor.execute(_MOVE_POSTGRESQL, [undetected_node, *columns, client_id])
        else:
            values = [(first, last, undetected_node, client_id, number) for number, first, last in rows]
            cursor.executemany(_MOVE_SQLITE, values)


_TABLE = Endpoint._meta.db_table  # noqa: SLF001 - Django documents _meta
_MOVE_SQLITE = (
    f"UPDATE {_TABLE} SET first_seen = min(first_seen, %s), last_seen = max(last_seen, %s), undetected_node = %s"  # noqa: S608 - our names
    " WHERE client_id = %s AND number = %s"
)
_MOVE_POSTGRESQL = (
    f"UPDATE {_TABLE} AS known SET first_seen = LEAST(known.first_seen, seen.first),"  # noqa: S608 - our names
    " last_seen = GREATEST(known.last_seen, seen.last), undetected_node = %s"
    " FROM unnest(%s::bigint[], %s::bigint[], %s::bigint[]) AS seen(number, first, last)"
    " WHERE known.client_id = %s AND known.number = seen.number"
)
