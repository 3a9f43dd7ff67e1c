"""The payloads of sqli, read by a real SQLite: a context's true and false sides, and pairs that break and do not."""

import sqlite3

import pytest

from gatecrash.core.testing.payloads.sqli import (
    CONTEXTS,
    ERROR_PAIRS_FOR_NUMBERS,
    ERROR_PAIRS_FOR_TEXTS,
    LOOKALIKES,
    OPERATOR,
    SCREEN,
)

STATEMENTS = {
    "number": "SELECT 1 WHERE 5 = {}",
    "text": "SELECT 1 WHERE '5' = '{}'",
    "pattern": "SELECT 1 WHERE '5' LIKE '%{}%'",
    "number in brackets": "SELECT 1 WHERE (5 = {})",
    "text in brackets": "SELECT 1 WHERE ('5' = '{}')",
    "pattern in brackets": "SELECT 1 WHERE ('5' LIKE '%{}%')",
    "text in double quotes": 'SELECT 1 FROM (SELECT 5 AS "5") WHERE "5" = "{}"',
    "list": "SELECT 1 ORDER BY {}",
}


def rows(context: str, value: str) -> int:
    database = sqlite3.connect(":memory:")
    try:
        return len(database.execute(STATEMENTS[context].format(value)).fetchall())
    finally:
        database.close()


@pytest.mark.parametrize("context", CONTEXTS, ids=lambda context: context.name)
def test_true_changes_nothing_false_finds_nothing_and_a_lookalike_does_not_parse(context):
    def payload(word: str, right: str) -> str:
        return context.pattern.format(value="5", word=word, left="101", right=right, same="7")

    assert rows(context.name, "5") == 1
    assert rows(context.name, payload(OPERATOR, "101")) == 1
    assert rows(context.name, payload(OPERATOR, "102")) == 0
    for word in LOOKALIKES:
        with pytest.raises(sqlite3.Error):
            rows(context.name, payload(word, "101"))


@pytest.mark.parametrize("context", STATEMENTS)
def test_the_screen_breaks_every_context(context):
    with pytest.raises(sqlite3.Error):
        rows(context, SCREEN.format(value="5"))


@pytest.mark.parametrize("pairs", ERROR_PAIRS_FOR_NUMBERS + ERROR_PAIRS_FOR_TEXTS, ids=lambda pairs: pairs[0].name)
def test_of_a_pair_one_breaks_its_context_and_the_other_does_not(pairs):
    for pair in pairs:
        with pytest.raises(sqlite3.Error):
            rows(pair.name, pair.broken.format(value="1", mark="xq"))
        rows(pair.name, pair.whole.format(value="1", mark="xq"))
