"""Statements behind filters that take out blanks, and applications that do the same and are sound."""

import re

from gatecrash.core.message import Response
from tests.range.place import QUERY, Given, answer, flaw, page, twin
from tests.range.store import rows

READ = (QUERY,)


def joined_up(value: object) -> str:
    return "".join(str(value).split())


@flaw("sqli", value="name", name="sort", ways=READ)
def sorted_without_blanks(given: Given) -> Response:
    """Quotes are taken out as well, so that only a blank tells."""
    name = re.sub(r"['\"`;]", "", joined_up(given.values["sort"]))
    return answer(rows(f"SELECT name FROM items ORDER BY {name}"))


def table_by(name: str) -> Response:
    return page("".join(f"<p>{row[0]}</p>" for row in rows(f"SELECT name FROM items ORDER BY {name}")))


@flaw("sqli", value="name", name="sort", ways=READ)
def page_sorted_without_blanks(given: Given) -> Response:
    return table_by(re.sub(r"['\"`;]", "", joined_up(given.values["sort"])))


@flaw("sqli", value="name", name="sort", ways=READ)
def page_sorted_without_quotes(given: Given) -> Response:
    return table_by(re.sub(r"['\"`;]", "", str(given.values["sort"])))


@twin("sqli", value="name", name="sort", ways=READ)
def page_sorted_as_usual(given: Given) -> Response:
    """Falls back to a column of its own over what its list does not hold."""
    name = re.sub(r"['\"`;]", "", joined_up(given.values["sort"]))
    return table_by(name if name in ("name", "price") else "name")


@flaw("sqli", value="2", ways=READ)
def number_without_blanks(given: Given) -> Response:
    """Tells nothing of its errors but that there was one."""
    return answer(rows(f"SELECT name FROM items WHERE id = {joined_up(given.q)}"))


@twin("sqli", value="price", name="sort", ways=READ)
def listed_without_blanks(given: Given) -> Response:
    """Breaks over what its list does not hold."""
    name = re.sub(r"['\"`;]", "", joined_up(given.values["sort"]))
    return answer(rows(f"SELECT name FROM items ORDER BY { {'price': 'price', 'name': 'name'}[name] }"))


@twin("sqli", value="2", ways=READ)
def counted_without_blanks(given: Given) -> Response:
    """Comments are taken out, too, and what is left must be digits."""
    digits = re.sub(r"/\*.*?\*/|['\"\s-]|CASE|WHEN.*", "", given.q)
    return answer(rows("SELECT name FROM items WHERE id = ?", int(digits)))
