"""Raw statements on the bulk tables: rows out as tuples, many rows in at once, the same words on both databases."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.db import connection

PARAMETERS = 500  # of one statement; SQLite's oldest limit is 999


def select(sql: str, params: Sequence[Any]) -> list[tuple[Any, ...]]:
    """All rows of a query."""
    with connection.cursor() as cursor:
        cursor.execute(sql, list(params))
        return list(cursor.fetchall())


def execute(sql: str, params: Sequence[Any]) -> int:
    """Run a statement; how many rows it touched."""
    with connection.cursor() as cursor:
        cursor.execute(sql, list(params))
        return int(cursor.rowcount)


def insert(sql: str, rows: Iterable[Sequence[Any]]) -> None:
    """Run an insert once for each row."""
    values = list(rows)
    if values:
        with connection.cursor() as cursor:
            cursor.executemany(sql, values)


def select_in(sql: str, head: Sequence[Any], values: Sequence[Any], each: str = "%s") -> list[tuple[Any, ...]]:
    """All rows of a query whose `{}` is a list of values, asked for in parts that every database takes.

    each: how one of them is written: "(%s)" where they are the rows of VALUES.
    """
    rows: list[tuple[Any, ...]] = []
    for start in range(0, len(values), PARAMETERS):
        part = values[start : start + PARAMETERS]
        rows += select(sql.replace("{}", ", ".join([each] * len(part))), [*head, *part])
    return rows


def create(schema_editor: Any, statements: Iterable[str]) -> None:
    """Make a bulk table in a migration: `{bytes}` and `{without_rowid}` become the database's own words.

    WITHOUT ROWID: the primary key is the table, half the pages of a row and its index; only for short rows.
    """
    is_sqlite = schema_editor.connection.vendor == "sqlite"
    words = {"bytes": "blob" if is_sqlite else "bytea", "without_rowid": "WITHOUT ROWID" if is_sqlite else ""}
    for statement in statements:
        schema_editor.execute(statement.format(**words))
