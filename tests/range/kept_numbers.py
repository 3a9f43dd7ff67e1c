"""Numbers that a request keeps: in quotes within its statement, as settings are, whose columns are texts."""

import sqlite3

from gatecrash.core.message import Request, Response
from tests.range.place import Given, answer, flaw, posted, text, twin

KEPT = "INSERT INTO settings VALUES ('rows', '{value}') ON CONFLICT (name) DO UPDATE SET value = excluded.value"


def of_rows(path: str) -> Request:
    return posted(path, b'{"rows": "25"}', b"application/json")


def keep(statement: str, values: tuple[object, ...] = ()) -> Response:
    """Its answer is the same whatever is kept, and an error tells nothing."""
    try:
        with sqlite3.connect(":memory:") as database:
            database.execute("CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT)")
            database.execute(statement, values)
    except sqlite3.Error:
        return text("internal error", 500)
    return text("", 204)


@flaw("sqli", request=of_rows)
def joined(given: Given) -> Response:
    return keep(KEPT.format(value=given.values["rows"]))


@twin("sqli", request=of_rows)
def bound(given: Given) -> Response:
    return keep(KEPT.replace("'{value}'", "?"), (str(given.values["rows"]),))


@twin("sqli", request=of_rows)
def doubled(given: Given) -> Response:
    return keep(KEPT.format(value=str(given.values["rows"]).replace("'", "''")))


@twin("sqli", request=of_rows)
def numbers_alone(given: Given) -> Response:
    """Breaks over whatever is no number, before any statement is asked."""
    try:
        return keep(KEPT.format(value=int(str(given.values["rows"]))))
    except ValueError:
        return text("internal error", 500)


@twin("sqli", request=of_rows)
def odd_signs_break_it(given: Given) -> Response:
    """A reader of its own, which no statement is behind."""
    rows = str(given.values["rows"])
    return answer({"error": "unbalanced"}, 500) if rows.count("'") % 2 else text("", 204)
