"""Values in quotes that must be of a type: what is asked of which, and that nothing happens where the engine is another."""

import sqlite3
from contextlib import closing

import pytest

from gatecrash.core.testing.payloads.sqli_typed import NUMBER, TEXT, typed_in_quotes

VALUES = {NUMBER: "7", TEXT: "6a1f8f3e-7d35"}


def payload(context, value: str, word: str, *, true: bool) -> str:
    return context.pattern.format(value=value, word=word, left="101", right="101" if true else "102")


@pytest.mark.parametrize("context", [NUMBER, TEXT], ids=lambda each: each.name)
@pytest.mark.parametrize("statement", ["='{}'", " IN ('{}','no')", " LIKE '%{}%'"])
def test_another_engine_does_not_know_the_function(context, statement):
    for word in (context.operator, *context.lookalikes):
        for true in (True, False):
            sent = payload(context, VALUES[context], word, true=true)
            with closing(sqlite3.connect(":memory:")) as base, pytest.raises(sqlite3.Error):
                base.execute("SELECT 1 FROM (SELECT 'lamp' AS name) WHERE name" + statement.replace("{}", sent))


@pytest.mark.parametrize("context", [NUMBER, TEXT], ids=lambda each: each.name)
def test_it_is_the_value_when_true_and_finds_nothing_when_false_where_the_function_is_known(context):
    value = VALUES[context]
    with closing(sqlite3.connect(":memory:")) as base:
        base.create_function("int4", 1, int)
        base.execute("CREATE TABLE items (code NUMERIC)")
        base.execute("INSERT INTO items VALUES (?)", (value,))

        def found(word: str, *, true: bool) -> bool:
            sent = payload(context, value, word, true=true)
            return base.execute(f"SELECT 1 FROM items WHERE code = '{sent}'").fetchone() is not None

        assert found(context.operator, true=True)
        assert not found(context.operator, true=False)
        for word in context.lookalikes:
            with pytest.raises(sqlite3.Error):
                found(word, true=True)


@pytest.mark.parametrize(
    ("value", "contexts"),
    [("7", (NUMBER,)), ("2026-03-01", (TEXT,)), ("price", (TEXT,)), ("true", ()), ("F", ()), ("no", ()), ("on", ())],
)
def test_what_is_true_or_false_is_not_asked_for(value, contexts):
    assert typed_in_quotes(value) == contexts
