"""Endpoint rows and the names of credentials: found, or made at their first sight. Part of `services`."""

import json
from collections.abc import Iterable

from django.db import connection, models

from gatecrash.control import ids, wall
from gatecrash.control.bulk_sql import select
from gatecrash.control.ids import Prefix
from gatecrash.control.inventory import documents, mapping
from gatecrash.control.inventory.mapping import CredentialName, Name
from gatecrash.control.inventory.models import CredentialKind, Endpoint, EndpointAlias

# From so many names on, it is asked how many there are.
_MANY = 2000

# Columns with their types on PostgreSQL. The ORM builds an object and a piece of SQL for each row.
_COLUMNS: dict[type[models.Model], dict[str, str]] = {
    Endpoint: {
        "public_id": "text",
        "protocol": "text",
        "method": "text",
        "host": "text",
        "path": "text",
        "operation": "text",
        "digest": "text",
        "last_seen": "bigint",
        "undetected_node": "text",
        "document": "bigint",
    },
    CredentialKind: {"type": "text", "point": "jsonb", "digest": "text"},
}


def take(names: Iterable[Name]) -> dict[Name, int]:
    """The number of each endpoint, new ones made; a name that became part of another endpoint gives that one's number."""
    digests = {name: mapping.name_digest(name) for name in names}
    known = look_up(Endpoint, "number", digests.values())
    missing = [name for name, digest in digests.items() if digest not in known]
    if missing:
        known |= look_up(EndpointAlias, "target", [digests[name] for name in missing])
        missing = [name for name in missing if digests[name] not in known]
    if missing:
        state = documents.judge()
        _insert(Endpoint, [_row(name, digests[name], state(name)) for name in missing])
        known |= look_up(Endpoint, "number", [digests[name] for name in missing])
    return {name: known[digest] for name, digest in digests.items()}


def take_credentials(names: Iterable[CredentialName]) -> dict[CredentialName, int]:
    """The number of each type or kind at a point, new ones made."""
    digests = {name: mapping.digest(name) for name in names}
    known = look_up(CredentialKind, "number", digests.values())
    missing = [name for name, digest in digests.items() if digest not in known]
    if missing:
        rows: list[tuple[object, ...]] = [(kind, json.dumps(point), digests[kind, point]) for kind, point in missing]
        _insert(CredentialKind, rows)
        known |= look_up(CredentialKind, "number", [digests[name] for name in missing])
    return {name: known[digest] for name, digest in digests.items()}


def look_up(model: type[models.Model], column: str, digests: Iterable[str]) -> dict[str, int]:
    """A number by digest, of those that are known; others of the client may be among them."""
    wanted = sorted(digests)  # in the order of the index: twice as fast, because neighbours share its pages
    if not wanted:
        return {}
    table = model._meta.db_table  # noqa: SLF001 - Django documents _meta
    client_id = wall.required()
    sql = f"SELECT digest, {column} FROM {table} WHERE client_id = %s"  # noqa: S608 - our names
    if _is_most(table, len(wanted)):
        return dict(select(sql, [client_id]))
    # One array: one prepared statement for any length.
    if connection.vendor == "postgresql":
        return dict(select(f"{sql} AND digest IN (SELECT unnest(%s::text[]))", [client_id, wanted]))
    return dict(select(f"{sql} AND digest IN (SELECT value FROM json_each(%s))", [client_id, json.dumps(wanted)]))  # noqa: S608 - ours


def _is_most(table: str, wanted: int) -> bool:
    """Whether reading all of the client's rows is cheaper than looking so many up: a row read costs a third of one found."""
    if wanted < _MANY:
        return False
    [(there,)] = select(f"SELECT COUNT(*) FROM {table} WHERE client_id = %s", [wall.required()])  # noqa: S608 - our names
    return bool(there <= 3 * wanted)


def _row(name: Name, digest: str, document: int) -> tuple[object, ...]:
    """An endpoint's columns, as `_COLUMNS` names them; its sights come with its counts."""
    return (ids.new(Prefix.ENDPOINT), *name, digest, 0, "", document)


def _insert(model: type[models.Model], rows: list[tuple[object, ...]]) -> None:
    """Insert many rows at once, leaving those that another connection has made meanwhile."""
    table, columns = model._meta.db_table, _COLUMNS[model]  # noqa: SLF001 - Django documents _meta
    into = f"INSERT INTO {table} (client_id, {', '.join(columns)})"
    client_id = wall.required()
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            arrays = ", ".join(f"%s::{kind}[]" for kind in columns.values())
            statement = f"{into} SELECT %s, * FROM unnest({arrays}) ON CONFLICT DO NOTHING"  # noqa: S608 - our names
            cursor.execute(statement, [client_id, *map(list, zip(*rows, strict=True))])
        else:
            marks = ", ".join(["%s"] * (len(columns) + 1))
            statement = f"{into} VALUES ({marks}) ON CONFLICT DO NOTHING"
            cursor.executemany(statement, [(client_id, *row) for row in rows])
