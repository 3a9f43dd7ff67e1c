"""A text whose first quote alone is doubled, read by a real SQLite: valid SQL is taken, a lookalike is not, and nothing is touched."""

import sqlite3
from contextlib import closing, suppress

import pytest

from gatecrash.core.testing.payloads.sqli import Context
from gatecrash.core.testing.payloads.sqli_escaped_once import BEHIND_A_PATTERN, ESCAPED_ONCE

WORDS = (ESCAPED_ONCE.operator, *ESCAPED_ONCE.lookalikes)


def payload(word: str, right: str = "101", way: Context = ESCAPED_ONCE) -> str:
    return way.pattern.format(value="lamp", word=word, left="101", right=right, mark="xqzr")


@pytest.mark.parametrize("way", [ESCAPED_ONCE, BEHIND_A_PATTERN])
@pytest.mark.parametrize("right", ["101", "102"])
def test_sql_behind_the_doubled_quote_is_taken_and_a_lookalike_is_not(right, way):
    with closing(sqlite3.connect(":memory:")) as base:

        def asked(word: str, times: int) -> list[tuple[object]]:
            text = payload(word, right, way).replace("'", "''", times)
            return base.execute(f"SELECT 1 WHERE 'lamp' = '{text}'").fetchall()

        assert asked("CASE", 1) == []
        for word in ESCAPED_ONCE.lookalikes:
            with pytest.raises(sqlite3.Error):
                asked(word, 1)
            assert asked(word, -1) == [], "all quotes are doubled: a text like any other"
        with pytest.raises(sqlite3.Error):
            asked("CASE", 0)


@pytest.mark.parametrize("condition", ["='{}'", " IN ('{}')", "=('{}')", " LIKE '%{}%'", "=lower('{}')"])
@pytest.mark.parametrize("times", [0, 1, -1])
def test_nothing_is_deleted(condition, times):
    for word in WORDS:
        for right in ("101", "102"):
            with closing(sqlite3.connect(":memory:")) as base:
                base.execute("CREATE TABLE items (name TEXT)")
                base.executemany("INSERT INTO items VALUES (?)", [("lamp",), ("0",), ("",), ("desk",)])
                text = payload(word, right).replace("'", "''", times)
                with suppress(sqlite3.Error):
                    base.execute("DELETE FROM items WHERE name" + condition.replace("{}", text))
                assert base.execute("SELECT count(*) FROM items").fetchone() == (4,)
