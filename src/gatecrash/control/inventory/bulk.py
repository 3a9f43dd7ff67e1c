"""The only statements on the bulk tables: sums keyed `(client_id, …)`, added to in one statement for many rows.

One invariant carries everything: a rollup row is the sum of its hourly rows. Whatever adds hourly rows adds the same to
the rollup in the same transaction, and an hour that left the window is deleted in the transaction that subtracts it.
So nothing has to remember how far it came, and two workers at once do no harm.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db import connection

from gatecrash.control import wall
from gatecrash.control.inventory.schema import COUNTS, SEEN

Key = tuple[int, ...]
Sums = Mapping[Key, Sequence[int]]

KEYS = {
    "hourly_count": ("hour", "endpoint"),
    "hourly_parameter": ("hour", "parameter"),
    "rollup_count": ("endpoint",),
    "rollup_parameter": ("parameter",),
}
VALUES = {"hourly_count": COUNTS, "hourly_parameter": SEEN, "rollup_count": COUNTS, "rollup_parameter": SEEN}
ROLLUP = {"hourly_count": "rollup_count", "hourly_parameter": "rollup_parameter"}
# A rollup row without these is empty and goes: "no traffic" is the absence of a row.
_LEFT = {"rollup_count": "requests = 0 AND undetected = 0", "rollup_parameter": "seen = 0"}


def claim_batch(node_id: str, spool: str, sequence: int, *, late: int, at: int) -> int | None:
    """Take a batch for applying; None where it is ours now, else the late rows it had when it was applied.

    A second delivery at the same time waits for the first one's transaction.
    """
    client_id = wall.required()
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO count_batch (client_id, node_id, spool, sequence, late, applied_at)"
            " VALUES (%s, %s, %s, %s, %s, %s) ON CONFLICT DO NOTHING",
            [client_id, node_id, spool, sequence, late, at],
        )
        if cursor.rowcount == 1:
            return None
        cursor.execute(
            "SELECT late FROM count_batch WHERE client_id = %s AND node_id = %s AND spool = %s AND sequence = %s",
            [client_id, node_id, spool, sequence],
        )
        return int(cursor.fetchone()[0])


def add(table: str, sums: Sums) -> None:
    """Add to an hourly table and to its rollup, in the caller's transaction."""
    _upsert(table, sums)
    _upsert(ROLLUP[table], _by_last(sums))


def drop_before(table: str, hour: int, most: int) -> int:
    """Take up to `most` rows of hours before `hour` out of an hourly table and its rollup; how many there were.

    Runs in the caller's transaction; call it until it answers 0.
    """
    client_id = wall.required()
    keys, values = KEYS[table], VALUES[table]
    lock = " FOR UPDATE" if connection.vendor == "postgresql" else ""
    order = ", ".join(keys)
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT {', '.join((*keys, *values))} FROM {table} WHERE client_id = %s AND hour < %s"  # noqa: S608 - our names
            f" ORDER BY {order} LIMIT %s{lock}",
            [client_id, hour, most],
        )
        rows = cursor.fetchall()
    if rows:
        _subtract(table, {tuple(row[:2]): [-value for value in row[2:]] for row in rows})
    return len(rows)


def forget_batches(before: int, most: int) -> int:
    """Drop the names of batches applied before a UNIX second: should one come again, all its hours are late."""
    client_id = wall.required()
    with connection.cursor() as cursor:
        cursor.execute(
            "DELETE FROM count_batch WHERE client_id = %s AND (node_id, spool, sequence) IN"
            " (SELECT node_id, spool, sequence FROM count_batch WHERE client_id = %s AND applied_at < %s LIMIT %s)",
            [client_id, client_id, before, most],
        )
        return int(cursor.rowcount)


def drop_endpoints(endpoints: Sequence[int], parameters: Sequence[int]) -> None:
    """Remove all counts of endpoints and of parameters on them, in the caller's transaction."""
    for table, key, numbers in (
        ("hourly_count", "endpoint", endpoints),
        ("rollup_count", "endpoint", endpoints),
        ("hourly_parameter", "parameter", parameters),
        ("rollup_parameter", "parameter", parameters),
    ):
        _each(f"DELETE FROM {table} WHERE client_id = %s AND {key} = %s", [(number,) for number in numbers])  # noqa: S608 - our names


def _subtract(table: str, negative: Sums) -> None:
    """Delete hourly rows and take them off the rollup; rows that hold nothing any more go too."""
    keys, rollup = KEYS[table], ROLLUP[table]
    condition = " AND ".join(f"{key} = %s" for key in keys)
    _each(f"DELETE FROM {table} WHERE client_id = %s AND {condition}", list(negative))  # noqa: S608 - our names
    totals = _by_last(negative)
    _upsert(rollup, totals)
    empty = f"DELETE FROM {rollup} WHERE client_id = %s AND {KEYS[rollup][0]} = %s AND {_LEFT[rollup]}"  # noqa: S608 - our names
    _each(empty, list(totals))


def _by_last(sums: Sums) -> dict[Key, list[int]]:
    """The same sums over all hours."""
    totals: dict[Key, list[int]] = {}
    for key, values in sums.items():
        total = totals.setdefault(key[-1:], [0] * len(values))
        for place, value in enumerate(values):
            total[place] += value
    return totals


def _upsert(table: str, sums: Sums) -> None:
    """Add each row's values to what the table holds. In the order of keys, so that two writers never wait in a circle."""
    if not sums:
        return
    client_id = wall.required()
    rows = [(*key, *values) for key, values in sorted(sums.items())]
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(_unnest_sql(table), [client_id, *map(list, zip(*rows, strict=True))])
        else:
            cursor.executemany(_values_sql(table), [(client_id, *row) for row in rows])


def _values_sql(table: str) -> str:
    columns = (*KEYS[table], *VALUES[table])
    marks = ", ".join(["%s"] * (len(columns) + 1))
    return f"INSERT INTO {table} (client_id, {', '.join(columns)}) VALUES ({marks}) {_on_conflict(table)}"  # noqa: S608 - our names


def _unnest_sql(table: str) -> str:
    """One statement for all rows: the columns travel as arrays."""
    columns = (*KEYS[table], *VALUES[table])
    arrays = ", ".join(["%s::bigint[]"] * len(columns))
    return f"INSERT INTO {table} (client_id, {', '.join(columns)}) SELECT %s, * FROM unnest({arrays}) {_on_conflict(table)}"  # noqa: S608 - our names


def _on_conflict(table: str) -> str:
    adding = ", ".join(f"{name} = {table}.{name} + excluded.{name}" for name in VALUES[table])
    return f"ON CONFLICT (client_id, {', '.join(KEYS[table])}) DO UPDATE SET {adding}"


def _each(sql: str, rows: Iterable[Sequence[Any]]) -> None:
    """Run a statement of the current client once for each row."""
    client_id = wall.required()
    values = [(client_id, *row) for row in rows]
    if values:
        with connection.cursor() as cursor:
            cursor.executemany(sql, values)
