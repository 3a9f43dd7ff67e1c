"""The only statements on the bulk tables and on an endpoint's sums: added to in one statement for many rows.

One invariant carries everything: a sum over the window is the sum of its hourly rows. Whatever adds hourly rows adds the
same to the sums in the same transaction, and an hour that left the window is deleted in the transaction that subtracts it.
So nothing has to remember how far it came. A client's writers go one after the other (`one_writer`), as on SQLite anyway.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db import connection

from gatecrash.control import wall
from gatecrash.control.inventory.schema import COUNTS, SEEN

Key = tuple[int, ...]
Sums = Mapping[Key, Sequence[int]]

ENDPOINTS = "inventory_endpoint"
NEVER = 2**62  # a first sight later than any
KEYS = {
    "hourly_count": ("hour", "endpoint"),
    "hourly_parameter": ("hour", "endpoint", "credential"),
    "rollup_parameter": ("endpoint", "credential"),
}
VALUES = {"hourly_count": COUNTS, "hourly_parameter": SEEN, "rollup_parameter": SEEN}
HOURLY = ("hourly_count", "hourly_parameter", "hourly_without")
# Rows that carry an endpoint's number in a column of this name.
OF_ENDPOINT = ("hourly_count", "hourly_parameter", "hourly_without", "rollup_parameter", "endpoint_note")


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


def one_writer() -> None:
    """Wait until no other transaction writes this client's inventory; for the rest of the caller's transaction.

    On PostgreSQL two statements on the same rows in different orders would wait in a circle. SQLite has one writer.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"inventory {wall.required()}"])


def add_counts(sums: Sums, seen: Mapping[int, tuple[int, int]]) -> None:
    """Add endpoints' counts by (hour, endpoint) to the hours and to the endpoints' sums, in the caller's transaction.

    seen: first and last sight by endpoint.
    """
    _upsert("hourly_count", sums)
    _add_to_endpoints([(number, *seen[number], *values) for (number,), values in _without_hour(sums).items()])


def add_parameters(sums: Sums, unproven: Mapping[Key, bool]) -> None:
    """Add (seen, valid) by (hour, endpoint, credential) to the hours and to the rollup, in the caller's transaction.

    unproven: those (endpoint, credential) that last came as a session that nobody proved.
    """
    _upsert("hourly_parameter", sums)
    client_id = wall.required()
    flags = dict.fromkeys((key for key, flag in unproven.items() if flag), 1)
    totals = _without_hour(sums)
    rows = [(client_id, *key, *values, flags.get(key, 0)) for key, values in totals.items()]
    upsert("rollup_parameter", KEYS["rollup_parameter"], SEEN, rows, last=("unproven",))


def drop_before(table: str, hour: int, most: int) -> set[int]:
    """Take up to `most` rows of hours before `hour` out of an hourly table and its sums; the endpoints they were of.

    Runs in the caller's transaction; call it until it answers nothing.
    """
    client_id = wall.required()
    if table == "hourly_without":
        return _drop_without(client_id, hour, most)
    keys, values = KEYS[table], VALUES[table]
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT {', '.join((*keys, *values))} FROM {table} WHERE client_id = %s AND hour < %s"  # noqa: S608 - our names
            f" ORDER BY {', '.join(keys)} LIMIT %s",
            [client_id, hour, most],
        )
        rows = cursor.fetchall()
    width = len(keys)
    if rows:
        subtract(table, {tuple(row[:width]): [-value for value in row[width:]] for row in rows})
    return {row[1] for row in rows}


def subtract(table: str, negative: Sums) -> None:
    """Delete hourly rows and take them off the sums; rollup rows that hold nothing any more go too."""
    condition = " AND ".join(f"{key} = %s" for key in KEYS[table])
    _each(f"DELETE FROM {table} WHERE client_id = %s AND {condition}", list(negative))  # noqa: S608 - our names
    totals = _without_hour(negative)
    if table == "hourly_count":
        _add_to_endpoints([(number, NEVER, 0, *values) for (number,), values in totals.items()])
        return
    _upsert("rollup_parameter", totals)
    _each(
        "DELETE FROM rollup_parameter WHERE client_id = %s AND endpoint = %s AND credential = %s AND seen = 0",
        list(totals),
    )


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


def drop_endpoints(endpoints: Sequence[int], first_hour: int = 0, last_hour: int = 0) -> None:
    """Remove all counts of endpoints, in the caller's transaction. Hours: those that may hold some (the key begins there)."""
    hours = range(first_hour, last_hour + 1)
    for table in OF_ENDPOINT:
        if table in HOURLY:
            rows = [(hour, number) for hour in hours for number in endpoints]
            _each(f"DELETE FROM {table} WHERE client_id = %s AND hour = %s AND endpoint = %s", rows)  # noqa: S608 - our names
        else:
            _each(f"DELETE FROM {table} WHERE client_id = %s AND endpoint = %s", [(number,) for number in endpoints])  # noqa: S608 - our names


def _drop_without(client_id: str, hour: int, most: int) -> set[int]:
    """Who was without, in hours that left the window: nothing sums these rows."""
    key = "hour, endpoint, family, status"
    with connection.cursor() as cursor:
        cursor.execute(
            f"DELETE FROM hourly_without WHERE client_id = %s AND ({key}) IN"  # noqa: S608 - our names
            f" (SELECT {key} FROM hourly_without WHERE client_id = %s AND hour < %s ORDER BY {key} LIMIT %s)",
            [client_id, client_id, hour, most],
        )
        return {0} if cursor.rowcount else set()


def _without_hour(sums: Sums) -> dict[Key, Sequence[int]]:
    """The same sums over all hours."""
    totals: dict[Key, Sequence[int]] = {}
    for key, values in sums.items():
        rest = key[1:]
        total = totals.get(rest)
        totals[rest] = values if total is None else [a + b for a, b in zip(total, values, strict=True)]
    return totals


def _upsert(table: str, sums: Sums) -> None:
    """Add each row's values to what the table holds."""
    client_id = wall.required()
    upsert(table, KEYS[table], VALUES[table], [(client_id, *key, *values) for key, values in sums.items()])


def upsert(
    table: str,
    keys: Sequence[str],
    values: Sequence[str],
    rows: Sequence[Sequence[Any]],
    *,
    last: Sequence[str] = (),
    text: str = "",
    spans: bool = False,
) -> None:
    """Add rows of the client, keys and values to a bulk table, each key once; near to each other is fastest.

    last: columns behind the values that are set and not added to. text: the one key that is no number. spans: first and
    last seen follow.
    """
    if not rows:
        return
    columns = (*keys, *values, *last, *(("first_seen", "last_seen") if spans else ()))
    conflict = _on_conflict(table, keys, values, last, spans=spans)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            arrays = ", ".join(f"%s::{'text' if name == text else 'bigint'}[]" for name in columns)
            statement = (
                f"INSERT INTO {table} (client_id, {', '.join(columns)}) SELECT %s, * FROM unnest({arrays}) {conflict}"  # noqa: S608 - our names
            )
            cursor.execute(statement, [rows[0][0], *map(list, list(zip(*rows, strict=True))[1:])])
        else:
            marks = ", ".join(["%s"] * (len(columns) + 1))
            statement = f"INSERT INTO {table} (client_id, {', '.join(columns)}) VALUES ({marks}) {conflict}"  # noqa: S608 - our names
            cursor.executemany(statement, rows)


def _on_conflict(table: str, keys: Sequence[str], values: Sequence[str], last: Sequence[str], *, spans: bool) -> str:
    changes = [f"{name} = {table}.{name} + excluded.{name}" for name in values]
    changes += [f"{name} = excluded.{name}" for name in last]
    if spans:
        least, greatest = ("LEAST", "GREATEST") if connection.vendor == "postgresql" else ("min", "max")
        changes.append(f"first_seen = {least}({table}.first_seen, excluded.first_seen)")
        changes.append(f"last_seen = {greatest}({table}.last_seen, excluded.last_seen)")
    return f"ON CONFLICT (client_id, {', '.join(keys)}) DO UPDATE SET {', '.join(changes)}"


def _add_to_endpoints(rows: Sequence[Sequence[int]]) -> None:
    """Add to the endpoints' own sums. rows: number, first and last sight, then the counts, in the order of numbers."""
    if not rows:
        return
    client_id = wall.required()
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(_ADD_POSTGRESQL, [*map(list, zip(*rows, strict=True)), client_id])
        else:
            cursor.executemany(_ADD_SQLITE, [(row[1], row[1], *row[2:], client_id, row[0]) for row in rows])


# A row that only a document told of has no first sight.
_ADD_SQLITE = (
    f"UPDATE {ENDPOINTS} SET first_seen = COALESCE(min(first_seen, %s), %s), last_seen = max(last_seen, %s), "  # noqa: S608 - our names
    f"{', '.join(f'{name} = {name} + %s' for name in COUNTS)} WHERE client_id = %s AND number = %s"
)
_GIVEN = ("number", "first", "last", *COUNTS)
_ADD_POSTGRESQL = (
    f"UPDATE {ENDPOINTS} AS known SET first_seen = LEAST(known.first_seen, given.first),"  # noqa: S608 - our names
    f" last_seen = GREATEST(known.last_seen, given.last), {', '.join(f'{name} = known.{name} + given.{name}' for name in COUNTS)}"
    f" FROM unnest({', '.join(['%s::bigint[]'] * len(_GIVEN))}) AS given({', '.join(_GIVEN)})"
    " WHERE known.client_id = %s AND known.number = given.number"
)


def _each(sql: str, rows: Iterable[Sequence[Any]]) -> None:
    """Run a statement of the current client once for each row."""
    client_id = wall.required()
    values = [(client_id, *row) for row in rows]
    if values:
        with connection.cursor() as cursor:
            cursor.executemany(sql, values)
