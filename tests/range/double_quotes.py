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


@flaw("sqli", value="2", ways=(QUERY,))
def number_in_double_quotes_and_brackets(given: Given) -> Response:
    """As MySQL reads it: of a text compared with a number what it begins with counts."""
    found = found_by(f'SELECT 1 FROM items WHERE id = (0 + "{given.q}")')
    return page("We have it." if found else "We do not have it.")


@twin("sqli", value="2", ways=(QUERY,))
def number_in_double_quotes_and_brackets_doubled(given: Given) -> Response:
    safe = given.q.replace('"', '""')
    found = found_by(f'SELECT 1 FROM items WHERE id = (0 + "{safe}")')
    return page("We have it." if found else "We do not have it.")


@twin("sqli", value="2", ways=(QUERY,))
def number_that_must_be_one(given: Given) -> Response:
    """What is no number finds nothing, but for what is odd in pairs."""
    found = given.q.count('"') % 2 == 0 and given.q.lstrip()[:1] == "2"
    return page("We have it." if found else "We do not have it.")


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
