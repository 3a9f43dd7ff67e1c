"""Rows that are added to an empty result, on a real SQLite that hides its errors."""

import json
import sqlite3
from contextlib import closing
from urllib.parse import parse_qs, urlsplit

import pytest
from tests.core.testing.driving import runs
from tests.in_memory import InMemory

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.policy import DEFAULT, THOROUGH, Policy
from gatecrash.core.testing.probes.sqli import PROBE
from gatecrash.core.testing.verdict import Outcome

JSON, HTML = ((b"Content-Type", b"application/json"),), ((b"Content-Type", b"text/html"),)
TEXT, PATTERN, NUMBER = (
    "SELECT id, name, price FROM items WHERE name = '{q}' AND price > 1 ORDER BY name LIMIT 5",
    "SELECT name FROM items WHERE price > 1 AND name LIKE '%{q}%'",
    "SELECT id, name FROM items WHERE id = {q} ORDER BY price",
)


def asked(statement: str, request: Request) -> list[tuple[object, ...]]:
    """The rows; none where it does not parse."""
    value = parse_qs(urlsplit(request.target.decode()).query).get("q", [""])[0]
    with closing(InMemory()) as database:
        database.execute("CREATE TABLE items (id INTEGER, name TEXT, price INTEGER)")
        try:
            if "{q}" in statement:
                return database.execute(statement.replace("{q}", value)).fetchall()
            return database.execute(statement, (value,)).fetchall()
        except sqlite3.Error:
            return []


def found(statement: str, request: Request, policy: Policy = DEFAULT, *, page: bool = False) -> list[str]:
    """What was found at any point of the request."""

    def application(request: Request) -> Response:
        rows = asked(statement, request)
        if page:
            return Response(200, HTML, b"<ul>%s</ul>" % (b"<li>a thing</li>" * len(rows)))
        return Response(200, JSON, json.dumps({"items": rows, "total": len(rows)}).encode())

    verdicts = [run.verdict for run in runs(application, request, (PROBE,), policy=policy)]
    return [verdict.detail for verdict in verdicts if verdict.outcome is Outcome.VULNERABLE]


@pytest.mark.parametrize(
    ("statement", "value", "columns"), [(TEXT, "zebra", 3), (PATTERN, "zebra", 1), (NUMBER, "77", 2)]
)
def test_a_row_more_is_shown_where_the_numbers_are_equal(statement, value, columns):
    request = Request("GET", b"/items?q=" + value.encode())
    assert found(statement, request) == [f"rows of {columns} columns can be added"]


@pytest.mark.parametrize("policy", [DEFAULT, THOROUGH], ids=["default", "thorough"])
def test_a_bound_value_adds_none(policy):
    assert not found("SELECT name FROM items WHERE name = ?", Request("GET", b"/items?q=zebra"), policy)


def test_a_page_is_asked_in_the_thorough_policy_alone():
    request = Request("GET", b"/items?q=zebra")
    assert not found(TEXT, request, page=True)
    assert found(TEXT, request, THOROUGH, page=True) == ["rows of 3 columns can be added"]


@pytest.mark.parametrize("request_", [Request("POST", b"/items?q=zebra"), Request("GET", b"/items/delete?q=zebra")])
def test_nothing_is_added_where_something_may_be_changed(request_):
    assert not found(TEXT, request_)
