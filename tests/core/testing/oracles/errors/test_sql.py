"""Parser errors of each engine are known; what only looks like one is not."""

import sqlite3
from contextlib import closing

import pytest

from gatecrash.core.testing.oracles.errors.sql import ENGINES, errors_in, knows_no_such_name, names_a_backslash

ERRORS = [
    ("SQLite", 'near "x": syntax error'),
    ("SQLite", "near &quot;x&quot;: syntax error"),
    ("SQLite", '{"error": "near \\"x\\": syntax error"}'),
    ("SQLite", 'unrecognized token: "\'"'),
    ("PostgreSQL", 'ERROR:  syntax error at or near "x" at character 31'),
    ("PostgreSQL", 'unterminated quoted string at or near "\'x"'),
    ("PostgreSQL", '{"severity":"ERROR","code":"42601","position":"61","file":"scan.l","routine":"scanner_yyerror"}'),
    ("MySQL", "You have an error in your SQL syntax; check the manual that corresponds to your MariaDB server version"),
    ("Microsoft SQL Server", "Unclosed quotation mark after the character string 'x'."),
    ("Microsoft SQL Server", "Incorrect syntax near 'x'."),
    ("Oracle", "ORA-01756: quoted string not properly terminated"),
    ("Oracle", "ORA-00933: SQL command not properly ended"),
    ("H2", 'org.h2.jdbc.JdbcSQLSyntaxErrorException: Syntax error in SQL statement "SELECT [*]x"; SQL statement:'),
    ("HSQLDB", "java.sql.SQLException: org.hsqldb.HsqlException: unexpected token: X"),
    ("HSQLDB", "malformed string: &#39;X&#39; in statement [SELECT * FROM t WHERE c = &#39;X&#39;]"),
    ("HSQLDB", "unexpected token: X required: ) in statement [CALL f('Y'X')]"),
    ("HSQLDB", "unexpected end of statement:  required: ) in statement [CALL f(]"),
    ("Derby", 'Syntax error: Encountered "x" at line 1, column 31.'),
    ("DuckDB", 'Parser Error: syntax error at or near "x"'),
    ("DB2", "SQLCODE=-104, SQL0104N An unexpected token"),
    ("SQL", "SQLSTATE[42000]: Syntax error or access violation"),
]


@pytest.mark.parametrize(("engine", "text"), ERRORS)
def test_errors_name_their_engine(engine, text):
    assert engine in {error.engine for error in errors_in(f"<p>{text}</p>")}


def test_every_engine_has_an_example():
    assert {engine for engine, _ in ERRORS} == ENGINES


@pytest.mark.parametrize(
    "text", ["'", "SELEC 1", "SELECT (", "SELECT 1 WHERE 'a' = 'b''", "SELECT 1 1", 'SELECT "', "SELECT 1,"]
)
def test_what_this_sqlite_says_is_known(text):
    with closing(sqlite3.connect(":memory:")) as database, pytest.raises(sqlite3.Error) as error:
        database.execute(text)
    assert errors_in(str(error.value)), str(error.value)


@pytest.mark.parametrize(
    "text",
    [
        'invalid input syntax for type integer: "5\'"',
        'fts5: syntax error near "\'"',
        "no such column: lamp",
        "UNIQUE constraint failed: users.name",
        "SyntaxError: Unexpected token ' in JSON at position 7",
        "There was an error near the end of your request",
        "",
    ],
)
def test_what_is_no_error_of_a_statements_parser(text):
    assert errors_in(text) == frozenset()


@pytest.mark.parametrize(
    "text",
    [
        '{"error": "SQLITE_ERROR", "message": "unterminated string"}',
        '{"error": "SQLITE_ERROR", "message": "fts5: syntax error near \\"\'\\""}',
        "SQLITE_ERROR: bad JSON path: '$x\\''",
        '[SQLITE_ERROR] SQL error or missing database (malformed MATCH expression: [tea"])',
        "SQLSTATE[42000]: Syntax error or access violation: 1064 syntax error, unexpected $end, expecting FTS_TERM",
        "SQLSTATE[42000]: Syntax error or access violation: 1064 syntax error, unexpected '-'",
        'SQLSTATE[42601]: Syntax error: 7 ERROR:  syntax error in tsquery: "tea\'"',
        "SQLSTATE[42000]: 4038 Syntax error in JSON text in argument 1 to function 'json_extract' at position 1",
        "SQLSTATE[42000]: 1139 Got error 'quantifier does not follow a repeatable item' from regexp",
    ],
)
def test_little_languages_of_bound_values_are_no_sql_whatever_the_driver_calls_them(text):
    assert errors_in(text) == frozenset()


@pytest.mark.parametrize(
    "text",
    [
        'SQLITE_ERROR: near "\'": syntax error in a query for fts5: docs',
        "SQLSTATE[42000]: Syntax error or access violation: 1064 You have an error in your SQL syntax near JSON_EXTRACT(",
        "SQLITE_ERROR",
        "SQLSTATE[42000]",
    ],
)
def test_a_statements_parser_is_known_beside_them(text):
    assert errors_in(text)


@pytest.mark.parametrize(("engine", "text"), ERRORS)
def test_errors_are_found_at_either_end_of_a_long_answer(engine, text):
    padding = "lorem ipsum " * 100_000
    assert engine in {error.engine for error in errors_in(f"{text} {padding}")}
    assert engine in {error.engine for error in errors_in(f"{padding} {text}")}


@pytest.mark.parametrize("between", [" sql" * 3, " sql" * 200, " and so on" * 20, " and so on" * 200])
def test_errors_are_found_one_behind_another_whatever_stands_between(between):
    names = ['near "x": syntax error', "ORA-00933", "You have an error in your SQL syntax", "PG::SyntaxError"]
    text = between.join([f"<{name}>" for name in names])
    assert {error.engine for error in errors_in(text)} == {"SQLite", "Oracle", "MySQL", "PostgreSQL"}


def test_a_long_word_that_the_statement_was_near_is_part_of_its_error():
    assert errors_in(f'{"lorem " * 900}near "{"x" * 80}": syntax error{" ipsum" * 900}')
    assert not errors_in(f'near "{"x" * 81}": syntax error')


def test_a_large_answer_takes_time_in_proportion():
    assert errors_in('near "' * 200_000) == frozenset()


@pytest.mark.parametrize(
    "text",
    [
        "no such column: qzx",
        'column "qzx" does not exist',
        "Unknown column 'qzx' in 'field list'",
        "Invalid column name 'qzx'.",
        'ORA-00904: "QZX": invalid identifier',
        'Column "QZX" not found; SQL statement:',
        "user lacks privilege or object not found: QZX",
        "Column 'QZX' is either not in any table in the FROM list",
    ],
)
def test_engines_that_run_a_statement_know_no_column_of_a_fresh_name(text):
    assert knows_no_such_name(text)


@pytest.mark.parametrize("text", ["no problem", 'near "qzx": syntax error', '{"columns": ["qzx"], "found": 0}'])
def test_what_tells_nothing_of_names_that_are_not_there(text):
    assert not knows_no_such_name(text)


@pytest.mark.parametrize("quote", ['"', '\\"', "&quot;", "&#34;"])
def test_a_backslash_outside_of_a_text_is_known_in_texts_json_and_pages(quote: str):
    assert names_a_backslash(f"unrecognized token: {quote}\\{quote}")
    assert names_a_backslash(f"syntax error at or near {quote}\\\\{quote} at character 31")
    assert not names_a_backslash(f"unrecognized token: {quote}'a\\'{quote}")
