"""Statements with placeholders that a driver fills in by itself, as those of Node for MySQL do: an object in the place of a value
becomes a list of comparisons, its names quoted as names of columns.
"""

import json
from typing import Any

from gatecrash.core.message import Response
from tests.range.place import FORM, JSON, QUERY, Given, answer, flaw, miss, twin
from tests.range.store import rows


def literal(value: object) -> str:
    """A value as the driver writes it."""
    if isinstance(value, dict):
        return ", ".join(f"{column(str(name))} = {number(member)}" for name, member in value.items())
    if isinstance(value, list):
        return ", ".join(literal(each) for each in value)
    written = value if isinstance(value, str) else json.dumps(value)
    return "'" + written.replace("'", "''") + "'"


def column(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def number(value: object) -> str:
    """MySQL compares a number with a text as two numbers; SQLite is told to."""
    return f"CAST({literal(value)} AS REAL)"


def filled(statement: str, *values: object) -> list[tuple]:
    for value in values:
        statement = statement.replace("?", literal(value), 1)
    return rows(statement)


def handed(given: Given, name: str) -> Any:
    """The value as parsers that make objects of brackets hand it on."""
    inner = {key[len(name) + 1 : -1]: value for key, value in given.values.items() if key.startswith(f"{name}[")}
    return inner or given.values.get(name)


def signed_in(found: list[tuple]) -> Response:
    return answer({"welcome": found[0][0], "plan": "gold"}) if found else answer({"error": "wrong password"}, 401)


def listed(found: list[tuple]) -> Response:
    return answer([{"id": each[0], "name": each[1]} for each in found])


@flaw("sqli", value="sesame", ways=(JSON, FORM), name="password")
def login_by_objects(given: Given) -> Response:
    return signed_in(filled("SELECT name FROM users WHERE name = ? AND password = ?", "ann", handed(given, "password")))


@flaw("sqli", value="drink", ways=(QUERY,), name="kind")
def list_by_objects(given: Given) -> Response:
    return listed(filled("SELECT id, name FROM items WHERE kind = ?", handed(given, "kind")))


@twin("sqli", value="sesame", ways=(JSON, FORM), name="password")
def login_by_objects_as_texts(given: Given) -> Response:
    """The driver was told to keep objects as texts."""
    password = str(handed(given, "password"))
    return signed_in(filled("SELECT name FROM users WHERE name = ? AND password = ?", "ann", password))


@twin("sqli", value="drink", ways=(QUERY,), name="kind")
def list_of_all_for_objects(given: Given) -> Response:
    """What is no text is no filter."""
    kind = handed(given, "kind")
    if not isinstance(kind, str):
        return listed(rows("SELECT id, name FROM items"))
    return listed(rows("SELECT id, name FROM items WHERE kind = ?", kind))


KINDS = {1.0: "drink", 3.0: "ware", 4.0: "time"}


@twin("sqli", value="drink", ways=(QUERY, JSON), name="kind")
def list_by_objects_that_are_meant(given: Given) -> Response:
    """An object may tell the kind by its name or by its number."""
    kind = handed(given, "kind")
    if isinstance(kind, dict):
        told = str(kind["kind"])
        kind = told if told in KINDS.values() else KINDS.get(float(told), "")
    return listed(rows("SELECT id, name FROM items WHERE kind = ?", kind))


@twin("sqli", value="drink", ways=(QUERY, JSON), name="kind")
def list_that_breaks_over_objects(given: Given) -> Response:
    return listed(rows("SELECT id, name FROM items WHERE kind = ?", handed(given, "kind")))


@miss("sqli", value="drink", ways=(QUERY,), name="sort_of_thing")
def list_by_a_column_of_another_name(given: Given) -> Response:
    return listed(filled("SELECT id, name FROM items WHERE kind = ?", handed(given, "sort_of_thing")))
