"""Texts in double quotes, read by a real SQLite: what is true, what is false, what does not parse, and what is touched."""

import sqlite3
from contextlib import closing, suppress
from urllib.parse import parse_qs

import pytest
from tests.core.testing.driving import runs

from gatecrash.core.message import Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.payloads.sqli import Context
from gatecrash.core.testing.payloads.sqli_double_quotes import (
    DOUBLE_QUOTED,
    NUMBERS_IN_BRACKETS,
    READ_IN_DOUBLE_QUOTES,
    in_double_quotes,
)
from gatecrash.core.testing.policy import DEFAULT, THOROUGH
from gatecrash.core.testing.probes.sqli import PROBE
from gatecrash.core.testing.verdict import Outcome

JOINED = next(each for each in DOUBLE_QUOTED if each.operator == "CASE")
STATEMENTS = ("='{}'", '="{}"', ' IN ("{}", "no")', '=("{}")', '=lower("{}")', ' LIKE "%{}%"', "={}")


def payload(context: Context, word: str, value: str, *, true: bool) -> str:
    right = "101" if true else "102"
    letters = {"yes": "zrqx" if true else "", "no": "" if true else "zrqx"}
    parts = {"value": value, "head": value[:-1], "tail": value[-1:], "word": word}
    return context.pattern.format(**parts, left="101", right=right, mark="xqzr", **letters)


@pytest.mark.parametrize("statement", [' IN ("{}")', ' IN (("{}"))', ' IN (lower("{}"))', ' LIKE "%{}%"'])
def test_a_joined_text_is_itself_when_true_another_when_false_and_a_lookalike_does_not_parse(statement):
    asked = f"SELECT 1 FROM (SELECT 'lamp' AS name) WHERE (name{statement})"
    with closing(sqlite3.connect(":memory:")) as base:

        def found(word: str, *, true: bool) -> bool:
            sent = payload(JOINED, word, "lamp", true=true)
            return base.execute(asked.replace("{}", sent)).fetchone() is not None

        assert found(JOINED.operator, true=True)
        assert not found(JOINED.operator, true=False)
        for word in JOINED.lookalikes:
            with pytest.raises(sqlite3.Error):
                found(word, true=True)


@pytest.mark.parametrize("context", DOUBLE_QUOTED, ids=lambda context: context.name)
@pytest.mark.parametrize("statement", STATEMENTS)
def test_nothing_is_deleted_that_the_value_alone_leaves(statement, context):
    def left(value: str) -> set[str]:
        with closing(sqlite3.connect(":memory:")) as base:
            base.execute("CREATE TABLE items (name TEXT)")
            base.executemany("INSERT INTO items VALUES (?)", [("lamp",), ("0",), ("",), ("lam",), ("xqzr",)])
            with suppress(sqlite3.Error):
                base.execute("DELETE FROM items WHERE name" + statement.replace("{}", value))
            return {row[0] for row in base.execute("SELECT name FROM items")}

    for word in (context.operator, *context.lookalikes, *context.others):
        for true in (True, False):
            assert left("lamp") <= left(payload(context, word, "lamp", true=true))


def test_what_only_reads_is_told_apart():
    """A text that is kept may parse and show nothing; one that is looked for shows what was found."""
    assert [each.pattern for each in READ_IN_DOUBLE_QUOTES] == [each.pattern for each in DOUBLE_QUOTED]
    assert not set(READ_IN_DOUBLE_QUOTES) & set(DOUBLE_QUOTED)


@pytest.mark.parametrize(("value", "known"), [("lamp", True), ("blue lamp", True), ("5", False), ("5th", False)])
def test_numbers_and_what_begins_as_one_are_no_texts_here(value, known):
    assert bool(in_double_quotes(value)) is known
    assert not in_double_quotes("1,2")
    assert not in_double_quotes("asc")


def looked_up(request: Request) -> Response:
    """What is not there and what does not parse are refused in the same words, as any other name is."""
    with closing(sqlite3.connect(":memory:")) as base:
        base.execute("CREATE TABLE items AS SELECT 'lamp' AS name")
        try:
            (value,) = parse_qs(request.query.decode())["q"]
            found = base.execute(f'SELECT name FROM items WHERE name="{value}"').fetchall()
        except (sqlite3.Error, KeyError):
            found = []
    return Response(200, (), b"<p>A lamp.</p>") if found else Response(404, (), b"<p>Nothing here.</p>")


@pytest.mark.parametrize(("policy", "outcome"), [(DEFAULT, Outcome.SAFE), (THOROUGH, Outcome.VULNERABLE)])
def test_a_name_that_is_looked_up_is_asked_for_so_in_the_thorough_policy(policy, outcome):
    made = runs(looked_up, Request("GET", b"/items?q=lamp"), (PROBE,), policy)
    assert [run.verdict.outcome for run in made if run.check.point == Point.of("get", "q")] == [outcome]


def test_a_number_in_brackets_is_found_when_true_and_not_when_false_and_a_lookalike_does_not_parse():
    """SQLite reads a text that it counts with as MySQL reads one beside a number."""
    (context,) = NUMBERS_IN_BRACKETS

    def found(word: str, right: str) -> bool:
        sent = context.pattern.format(value="2", word=word, left="101", right=right, same="7")
        with closing(sqlite3.connect(":memory:")) as base:
            return base.execute(f'SELECT 1 FROM (SELECT 2 AS id) WHERE id = (0+"{sent}")').fetchone() is not None

    assert found("AND", "101")
    assert not found("AND", "102")
    for word in context.lookalikes:
        with pytest.raises(sqlite3.Error):
            found(word, "101")
