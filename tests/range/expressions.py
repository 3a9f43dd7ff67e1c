"""Filters that an application divides before it asks its database: the value of a comparison, with its quotes undone, reaches
the statement, and what the application cannot divide it refuses.
"""

import re

from gatecrash.core.message import Response
from tests.range.place import READS, Given, answer, flaw, text, twin
from tests.range.store import found_by, rows

BY_WORDS = re.compile(r"name eq '((?:[^']|'')*)'", re.DOTALL)
BY_SIGNS = re.compile(r"""name==(?:"((?:[^"\\]|\\.)*)"|([\w*.-]+))""", re.DOTALL)
WORDS, SIGNS = "name eq 'tea'", 'name=="tea"'
NOT_READ = text("The filter cannot be read.", 400)


def by_words(value: str) -> str | None:
    """What a filter of OData compares the name with; None where it is none."""
    found = BY_WORDS.fullmatch(value)
    return found[1].replace("''", "'") if found is not None else None


def by_signs(value: str) -> str | None:
    """The same of RSQL."""
    found = BY_SIGNS.fullmatch(value)
    return re.sub(r"(?s)\\(.)", r"\1", found[1] or found[2] or "") if found is not None else None


def joined(name: str | None) -> Response:
    """The rows of that name, and nothing where the statement breaks."""
    return NOT_READ if name is None else answer(found_by(f"SELECT id, name FROM items WHERE name = '{name}'"))


def bound(name: str | None) -> Response:
    """The same, with the name beside the statement."""
    return NOT_READ if name is None else answer(rows("SELECT id, name FROM items WHERE name = ?", name))


@flaw("sqli", value=WORDS, ways=READS)
def compared_by_words(given: Given) -> Response:
    return joined(by_words(given.q))


@flaw("sqli", value=SIGNS, ways=READS)
def compared_by_signs(given: Given) -> Response:
    return joined(by_signs(given.q))


@twin("sqli", value=WORDS, ways=READS)
def bound_by_words(given: Given) -> Response:
    return bound(by_words(given.q))


@twin("sqli", value=SIGNS, ways=READS)
def bound_by_signs(given: Given) -> Response:
    return bound(by_signs(given.q))
