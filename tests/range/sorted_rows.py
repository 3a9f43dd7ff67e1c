"""Rows sorted by a column that is named behind its table, up or down, in quotes of its own or without."""

from gatecrash.core.message import Response
from tests.range.place import FORM, QUERY, Given, answer, flaw, twin
from tests.range.store import rows

READ = (QUERY,)


@flaw("sqli", value="price", name="sort", ways=READ)
def behind_its_table(given: Given) -> Response:
    return answer(rows(f"SELECT i.name FROM items i ORDER BY i.{given.values['sort']}"))


@flaw("sqli", value="price", name="sort", ways=READ)
def behind_its_table_down(given: Given) -> Response:
    return answer(rows(f"SELECT i.name FROM items i ORDER BY i.{given.values['sort']} DESC"))


@flaw("sqli", value="price", name="orderBy", ways=READ)
def behind_its_table_in_quotes_down(given: Given) -> Response:
    return answer(rows(f'SELECT i.name FROM items i ORDER BY i."{given.values["orderBy"]}" DESC LIMIT 3'))


@flaw("sqli", value="-price", name="sort", ways=READ)
def behind_its_table_by_a_sign(given: Given) -> Response:
    """Takes a sign before the name off, which means descending."""
    sort = str(given.values["sort"])
    return answer(
        rows(f"SELECT i.name FROM items i ORDER BY i.{sort.removeprefix('-')} {'DESC' * sort.startswith('-')}")
    )


@flaw("sqli", value="price", ways=(QUERY, FORM))
def in_quotes_under_any_name(given: Given) -> Response:
    """The parameter does not say that it is sorted by; a name that is not there breaks it."""
    return answer(rows(f"SELECT i.name FROM items i ORDER BY `{given.q}`"))


@twin("sqli", value="price", ways=(QUERY, FORM))
def of_a_list_under_any_name(given: Given) -> Response:
    """Breaks over what its list does not hold."""
    return answer(rows(f"SELECT i.name FROM items i ORDER BY `{ {'price': 'price', 'name': 'name'}[given.q] }`"))


@twin("sqli", value="-price", name="sort", ways=READ)
def of_a_list_by_a_sign(given: Given) -> Response:
    """Sorts by what a list holds, down behind a sign, and breaks over what it does not."""
    columns, sort = {"price": "price", "name": "name"}, str(given.values["sort"])
    column = columns[sort.removeprefix("-")]
    return answer(rows(f"SELECT i.name FROM items i ORDER BY i.{column} {'DESC' * sort.startswith('-')}"))


@twin("sqli", value="price", name="sort", ways=READ)
def of_a_list(given: Given) -> Response:
    """Sorts by what a list holds, down, and breaks over what it does not."""
    columns = {"price": "price", "name": "name"}
    return answer(rows(f"SELECT i.name FROM items i ORDER BY i.{columns[str(given.values['sort'])]} DESC"))


@twin("sqli", value="price", name="sort", ways=READ)
def by_its_first_word(given: Given) -> Response:
    """Sorts by the name before the first sign, and up where anything stands behind it."""
    name = str(given.values["sort"])
    word = name.split("=")[0].strip('`"')
    found = sorted(rows("SELECT name, price FROM items"), key=lambda row: row[{"name": 0, "price": 1}[word]])
    return answer([row[0] for row in (reversed(found) if word == name else found)])
