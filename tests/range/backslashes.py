"""Statements with texts whose quotes get a backslash, which is a letter to the database."""

import sqlite3

from gatecrash.core.message import Response
from tests.range.place import QUERY, Given, answer, flaw, page, twin
from tests.range.store import rows


@flaw("sqli", ways=(QUERY,))
def backslash_in_vain(given: Given) -> Response:
    """Quotes get a backslash, which is a letter here, and errors are told as nothing found."""
    escaped = given.q.replace("'", "\\'")
    try:
        return answer(rows(f"SELECT name FROM items WHERE name = '{escaped}' ORDER BY price"))
    except sqlite3.Error:
        return answer([])


@flaw("sqli", ways=(QUERY,))
def backslash_before_both_quotes(given: Given) -> Response:
    """The same, where an error is told otherwise than an empty list, as over a text that holds a double quote alone."""
    escaped = given.q.replace("'", "\\'").replace('"', '\\"')
    try:
        return _listed(rows(f"SELECT name FROM items WHERE name = '{escaped}'"))
    except sqlite3.Error:
        return page("<p>no result</p>")


@twin("sqli", ways=(QUERY,))
def no_result_over_a_quote(given: Given) -> Response:
    """A name with a quote in it is looked for nowhere."""
    if "'" in given.q:
        return page("<p>no result</p>")
    return _listed(rows("SELECT name FROM items WHERE name = ?", given.q))


@twin("sqli", ways=(QUERY,))
def backslash_kept_in_a_name(given: Given) -> Response:
    """The same escape, and what comes of it is no part of the statement."""
    return answer(rows("SELECT name FROM items WHERE name = ?", given.q.replace("'", "\\'")))


def _listed(found: list[tuple[object, ...]]) -> Response:
    return page("".join(f"<li>{name}</li>" for name, *_ in found))
