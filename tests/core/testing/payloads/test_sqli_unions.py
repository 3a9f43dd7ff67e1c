"""Rows that are added to what is read, and to nothing else: on a real SQLite."""

import sqlite3
from contextlib import closing

import pytest
from tests.in_memory import InMemory

from gatecrash.core.testing.payloads.sqli_unions import END_OF_TEXT, LOOKALIKES, MOST_COLUMNS, WORD, row


@pytest.mark.parametrize("columns", range(1, MOST_COLUMNS + 1))
def test_a_row_of_so_many_columns_is_added_where_the_numbers_are_equal(columns):
    names = ",".join(f"NULL AS c{number}" for number in range(columns))
    statement = f"SELECT {names} FROM (SELECT 'cup' AS name) WHERE name = '{{}}' LIMIT 3"
    with closing(InMemory()) as database:
        for right, rows in ((7, 1), (8, 0)):
            payload = row("zebra", END_OF_TEXT, columns, "kd", left=7, right=right)
            assert len(database.execute(statement.format(payload)).fetchall()) == rows
        with pytest.raises(sqlite3.OperationalError):
            database.execute(statement.format(row("zebra", END_OF_TEXT, columns + 1, "kd", left=7, right=7)))


@pytest.mark.parametrize("word", [WORD, *LOOKALIKES])
@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM items WHERE name = '{}'",
        "UPDATE items SET name = 'gone' WHERE (name = '{}')",
        "UPDATE items SET name = '{}'",
        "INSERT INTO items VALUES ('{}')",
    ],
)
def test_what_changes_something_does_not_parse(statement, word):
    with closing(InMemory()) as database:
        database.executescript("CREATE TABLE items (name TEXT); INSERT INTO items VALUES ('cup');")
        with pytest.raises(sqlite3.OperationalError):
            database.execute(statement.format(row("cup", END_OF_TEXT, 1, "kd", word, left=7, right=7)))
        assert database.execute("SELECT name FROM items").fetchall() == [("cup",)]
