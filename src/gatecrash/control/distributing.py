"""The bulk tables spread over several machines by Citus, each client's rows together: what `gatecrash db distribute` does.

Only the rows that grow with traffic move (counts, baselines, checks, evidence): all are keyed by client first and refer
to nothing. Everything else stays on the coordinator. Shards, their places and their balance are Citus's own affair.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from django.apps import apps
from django.db import connection, transaction

from gatecrash.control import wall
from gatecrash.control.missing_migrations import missing_migrations
from gatecrash.core.errors import InternalError, UserError

BY = "client_id"


class CannotDistribute(UserError):
    """The database is none that Citus distributes, is in use, or has an older shape."""


class Content(NamedTuple):
    """What must be the same before and after. sum: of a digest of each row, in any order."""

    rows: int
    sum: int


class Table(NamedTuple):
    """A bulk table. done: whether it is distributed already."""

    name: str
    done: bool


def bulk_tables() -> list[str]:
    """The tables behind the wall that are no Django model's."""
    return sorted(wall.tables() - {model._meta.db_table for model in apps.get_models()})  # noqa: SLF001 - Django documents _meta


def look() -> list[Table]:
    """The bulk tables as they are now. Raises CannotDistribute."""
    if connection.vendor != "postgresql":
        raise CannotDistribute(
            "SQLite is one file on one machine. To distribute, use PostgreSQL with Citus (--database-url)."
        )
    if missing_migrations():
        raise CannotDistribute("The database has not this version's shape; run gatecrash db migrate first.")
    if not _all("SELECT 1 FROM pg_proc WHERE proname = 'create_distributed_table' LIMIT 1"):
        raise CannotDistribute(
            "This database has no Citus. Install it on every machine, run CREATE EXTENSION citus in the database on each, "
            "and name the others to this one: SELECT citus_add_node('HOST', 5432)."
        )
    done = {name for (name,) in _all("SELECT logicalrelid::regclass::text FROM pg_dist_partition")}
    return [Table(name, name in done) for name in bulk_tables()]


def distribute(told: Callable[[str, Content], None]) -> int:
    """Distribute what is not distributed yet, all of it or nothing; how many tables that were.

    told: each table as it is done. Raises CannotDistribute, also where somebody else is connected.
    """
    left = [table.name for table in look() if not table.done]
    _refuse_in_use()
    with wall.system("distribute the bulk tables"), transaction.atomic():
        for name in left:
            _refuse_other_keys(name)
            with connection.cursor() as cursor:
                cursor.execute(f"LOCK TABLE {name} IN ACCESS EXCLUSIVE MODE")
            before = _content(name)
            _all("SELECT create_distributed_table(%s::regclass, %s)", name, BY)
            after = _content(name)
            if before != after:
                raise CannotDistribute(
                    f"{name} has {before.rows} rows, and {after.rows} or other ones once it is distributed: everything was undone."
                )
            told(name, after)
    _free(left)
    return len(left)


def _refuse_in_use() -> None:
    [(others,)] = _all(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        " AND backend_type = 'client backend' AND left(application_name, 5) <> 'citus'"
    )
    if others:
        raise CannotDistribute(
            f"The database is in use ({others} other connections). Stop the service, every process of it, first."
        )


def _refuse_other_keys(table: str) -> None:
    """Citus keeps a key unique only where the column it distributes by is a part of it."""
    names = _all(
        "SELECT index.indexrelid::regclass::text FROM pg_index AS index WHERE indrelid = %s::regclass AND indisunique"
        " AND NOT EXISTS (SELECT 1 FROM pg_attribute WHERE attrelid = indrelid AND attnum = ANY (indkey) AND attname = %s)",
        table,
        BY,
    )
    if names:
        raise InternalError(f"{names[0][0]} is unique over all clients, which no distributed table can be")


def _content(table: str) -> Content:
    columns = ", ".join(
        name
        for (name,) in _all(
            "SELECT quote_ident(attname) FROM pg_attribute WHERE attrelid = %s::regclass AND attnum > 0"
            " AND NOT attisdropped ORDER BY attnum",
            table,
        )
    )
    [(rows, total)] = _all(
        f"SELECT count(*), coalesce(sum(('x' || left(md5(ROW({columns})::text), 12))::bit(48)::bigint), 0) FROM {table}"  # noqa: S608 - our own tables
    )
    return Content(int(rows), int(total))


def _free(tables: list[str]) -> None:
    """Give back the room of the rows that stayed behind on the coordinator, where this Citus leaves them."""
    if _all("SELECT 1 FROM pg_proc WHERE proname = 'truncate_local_data_after_distributing_table' LIMIT 1"):
        for name in tables:
            _all("SELECT truncate_local_data_after_distributing_table(%s::regclass)", name)


def _all(statement: str, *values: object) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, list(values) or None)
        return list(cursor.fetchall())
