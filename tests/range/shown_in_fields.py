"""A search whose field shows what was looked for, its signs as references of PHP, Ruby and Java; errors are nothing found."""

import html
import re

from gatecrash.core.message import Response
from tests.range.place import QUERY, Given, flaw, page, twin
from tests.range.store import found_by, rows

READ = (QUERY,)
REFERENCES = {
    "php": {"'": "&#039;", '"': "&quot;"},
    "ruby": {"'": "&#39;", '"': "&quot;"},
    "java": {"'": "&apos;", '"': "&#34;"},
    "double_quotes_alone": {"'": "'", '"': "&quot;"},
}


def searched(given: Given, found: list[tuple], references: dict[str, str]) -> Response:
    """A form with the word in it, and what was found."""
    shown = "".join(references.get(sign) or html.escape(sign) for sign in given.q)
    listed = "".join(f"<li>{html.escape(str(row[0]))}</li>" for row in found) or "<p>Nothing was found.</p>"
    return page(f'<form><input type="text" name="q" value="{shown}"></form>{listed}')


def joined(given: Given, references: dict[str, str]) -> Response:
    return searched(given, found_by(f"SELECT name FROM items WHERE name LIKE '%{given.q}%'"), references)


@flaw("sqli", value="tea", ways=READ)
def as_php(given: Given) -> Response:
    return joined(given, REFERENCES["php"])


@flaw("sqli", value="tea", ways=READ)
def as_ruby(given: Given) -> Response:
    return joined(given, REFERENCES["ruby"])


@flaw("sqli", value="tea", ways=READ)
def as_java(given: Given) -> Response:
    return joined(given, REFERENCES["java"])


@flaw("sqli", value="tea", ways=READ)
def in_double_quotes_alone(given: Given) -> Response:
    return joined(given, REFERENCES["double_quotes_alone"])


@flaw("sqli", value="tea", ways=READ)
def behind_backslashes_as_php(given: Given) -> Response:
    """SQLite takes a backslash for a letter."""
    word = given.q.replace("'", "\\'")
    return searched(given, found_by(f"SELECT name FROM items WHERE name LIKE '%{word}%'"), REFERENCES["php"])


@twin("sqli", value="tea", ways=READ)
def bound_as_php(given: Given) -> Response:
    return searched(given, rows("SELECT name FROM items WHERE name LIKE ?", f"%{given.q}%"), REFERENCES["php"])


@twin("sqli", value="tea", ways=READ)
def letters_alone_as_ruby(given: Given) -> Response:
    """Looks for the letters alone, and shows all that was asked for."""
    word = re.sub(r"[^A-Za-z0-9 ]", "", given.q)
    return searched(given, rows("SELECT name FROM items WHERE name LIKE ?", f"%{word}%"), REFERENCES["ruby"])


@twin("sqli", value="tea", ways=READ)
def doubled_in_double_quotes_alone(given: Given) -> Response:
    word = given.q.replace("'", "''")
    return searched(
        given, found_by(f"SELECT name FROM items WHERE name LIKE '%{word}%'"), REFERENCES["double_quotes_alone"]
    )
