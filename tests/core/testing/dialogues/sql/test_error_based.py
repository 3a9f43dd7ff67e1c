"""A parser's complaint over broken SQL proves something only where whole SQL is not complained of, every time."""

import sqlite3
from contextlib import closing
from itertools import count
from random import Random
from urllib.parse import parse_qs

import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.dialogues.inquiry import Inquiry
from gatecrash.core.testing.dialogues.sql.error_based import complained_in_sql
from gatecrash.core.testing.payloads.sqli import SCREEN
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Answer, Situation


def asked_of(application, value: str):
    """What comes of the questions to an application, which is a function from a value to a text."""
    exchange = Exchange(Request("GET", b"/?q=" + value.encode()), Response(200, (), b"done"))
    situation = Situation(
        baseline=Baseline("bl_1", exchange),
        point=Point.of("get", "q"),
        value=value.encode(),
        credentials=(),
        policy=DEFAULT,
        random=Random(1),
    )
    inquiry = Inquiry(situation, [exchange])

    def questions():
        screen = yield from inquiry.send(SCREEN.format(value=value))
        return (yield from complained_in_sql(inquiry, screen))

    dialogue = questions()
    try:
        asked = next(dialogue)
        while True:
            sent = parse_qs(asked.request.target.decode().partition("?")[2], keep_blank_values=True)["q"][0]
            asked = dialogue.send(Answer(Exchange(asked.request, Response(200, (), application(sent).encode()))))
    except StopIteration as end:
        return end.value


def statement(text: str):
    def application(value: str) -> str:
        with closing(sqlite3.connect(":memory:")) as database:
            try:
                database.execute(text.replace("#", value))
            except sqlite3.Error as error:
                return f"sqlite3.OperationalError: {error}"
        return "done"

    return application


def test_a_quote_that_gets_a_backslash_ends_a_text_where_that_is_a_letter():
    """SQLite complains of a backslash that nobody sent; a page that names the input with its slashes does not."""
    joined = statement("SELECT 1 WHERE 'a' = '#'")

    def slashed(value: str) -> str:
        return joined(value.replace("'", "\\'").replace('"', '\\"'))

    found = asked_of(slashed, "tea")
    assert found is not None
    assert (found.engine, found.context) == ("SQLite", "text whose quotes get a backslash")
    assert asked_of(lambda value: joined(value.replace("'", "")), "tea") is None
    for said in (
        'near "{}": syntax error',
        'unrecognized token: "{}"',
        'syntax error at or near "\\" of jsonpath input',
    ):
        assert asked_of(lambda value, said=said: said.format(value.replace("'", "\\'")) * ("'" in value), "tea") is None


@pytest.mark.parametrize(
    ("text", "value", "context"),
    [
        ("SELECT '#'", "tea", "text"),
        ("SELECT #", "7", "number"),
        ("SELECT 1 FROM (SELECT 1 AS a) ORDER BY a #", "asc", "direction"),
    ],
)
def test_the_engine_and_the_place_of_the_value_are_told(text, value, context):
    told = asked_of(statement(text), value)
    assert (told.engine, told.context) == ("SQLite", context)
    assert told.broken.payload in told.proof().verified_by


def test_a_page_that_complains_of_everything_proves_nothing():
    assert asked_of(lambda _: 'sqlite3.OperationalError: near "x": syntax error', "tea") is None


def test_complaints_by_turns_prove_nothing():
    turns = count()
    assert asked_of(lambda _: "done" if next(turns) % 2 else 'near "x": syntax error', "tea") is None


def test_a_bound_value_is_never_complained_of():
    assert asked_of(lambda _: "done", "tea") is None


def test_who_runs_a_whole_statement_knows_no_column_of_a_fresh_name():
    assert asked_of(statement("#"), "SELECT 7;") is not None


def test_who_only_parses_a_whole_statement_is_no_database():
    """Its words are a parser's, and they are the same for a name that no table has: none."""

    def linter(value: str) -> str:
        return 'near "\'": syntax error' if value.count("'") % 2 else "no problem"

    assert asked_of(linter, "SELECT name FROM tea") is None
