"""Statements with texts in double quotes: within brackets, as a pattern, and where something is kept."""

import sqlite3

from gatecrash.core.message import Response
from tests.range.place import FORM, JSON, QUERY, Given, answer, flaw, page, text, twin
from tests.range.store import found_by, rows


@flaw("sqli", ways=(QUERY,))
def double_quotes_in_brackets(given: Given) -> Response:
    found = found_by(f'SELECT 1 FROM items WHERE name = ("{given.q}")')
    return page("We have it." if found else "We do not have it.")


@flaw("sqli", ways=(QUERY,))
def pattern_in_double_quotes(given: Given) -> Response:
    found = found_by(f'SELECT 1 FROM items WHERE (name LIKE "%{given.q}%" AND price > 0)')
    return page("We have it." if found else "We do not have it.")


@flaw("sqli", value="green tea", ways=(FORM, JSON))
def kept_in_double_quotes(given: Given) -> Response:
    rows(f'SELECT 1 FROM items WHERE name = "{given.q}"')
    return answer({"written": True}, 201)


@flaw("sqli", value="tea", ways=(FORM,))
def kept_in_double_quotes_or_not(given: Given) -> Response:
    try:
        rows(f'SELECT 1 FROM items WHERE name = "{given.q}"')
    except sqlite3.Error:
        return page("<p>Sorry.</p>")
    return page("<p>Thank you!</p>")


@twin("sqli", value="green tea", ways=(FORM, JSON))
def double_quotes_doubled(given: Given) -> Response:
    safe = given.q.replace('"', '""')
    rows(f'SELECT 1 FROM items WHERE name = "{safe}"')
    return answer({"written": True}, 201)


@twin("sqli", ways=(QUERY,))
def pattern_in_double_quotes_doubled(given: Given) -> Response:
    safe = given.q.replace('"', '""')
    found = found_by(f'SELECT 1 FROM items WHERE (name LIKE "%{safe}%" AND price > 0)')
    return page("We have it." if found else "We do not have it.")


@twin("sqli", value="tea", ways=(FORM, JSON))
def breaks_over_one_double_quote(given: Given) -> Response:
    """Takes quotes in pairs only, as what reads a line of words does."""
    return page("<p>Thank you!</p>") if given.q.count('"') % 2 == 0 else text("no closing quotation", 500)
