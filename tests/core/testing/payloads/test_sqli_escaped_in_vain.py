"""A text whose quotes get a backslash, read by a real SQLite: a condition is met or not, and a lookalike is no SQL."""

import sqlite3
from contextlib import closing

import pytest

from gatecrash.core.testing.payloads.sqli_escaped_in_vain import ESCAPED_IN_VAIN


def asked(base: sqlite3.Connection, word: str, right: str, escape: str) -> list[tuple[str]]:
    text = ESCAPED_IN_VAIN.pattern.format(value="lamp", word=word, left="101", right=right, mark="xqzr")
    quoted = text.replace("'", escape)
    return base.execute(f"SELECT name FROM things WHERE name = '{quoted}' ORDER BY name").fetchall()


@pytest.fixture
def base():
    with closing(sqlite3.connect(":memory:")) as base:
        base.execute("CREATE TABLE things AS SELECT 'lamp' AS name UNION SELECT 'table'")
        yield base


def test_behind_the_backslash_a_condition_is_met_or_not(base: sqlite3.Connection):
    assert asked(base, "OR", "101", "\\'") == [("lamp",), ("table",)]
    assert asked(base, "OR", "102", "\\'") == []
    for word in ESCAPED_IN_VAIN.lookalikes:
        with pytest.raises(sqlite3.Error):
            asked(base, word, "101", "\\'")


def test_where_quotes_are_doubled_it_is_a_text_like_any_other(base: sqlite3.Connection):
    for word in ("OR", *ESCAPED_IN_VAIN.lookalikes):
        assert asked(base, word, "101", "''") == []
