"""Tables that the last word of a path names, columns by the names of members, and whole statements, as consoles and
generated interfaces take them.
"""

import json
import re

from gatecrash.core.message import Response
from tests.range.asked import sending
from tests.range.place import PATH, Given, answer, flaw, twin
from tests.range.store import rows

ASKED = "SELECT name FROM items WHERE price > 4;"


def shown(table: str) -> Response:
    return answer(rows(f"SELECT * FROM {table} ORDER BY 1"))


@flaw("sqli", value="items", ways=(PATH,))
def named(given: Given) -> Response:
    return shown(given.q)


@twin("sqli", value="items", ways=(PATH,))
def listed(given: Given) -> Response:
    return shown({"items": "items"}[given.q])


@twin("sqli", value="items", ways=(PATH,))
def by_its_first_word(given: Given) -> Response:
    """Whatever stands around the name, and breaks over what holds none."""
    return shown(next(word for word in given.q.replace("(", " ").replace(")", " ").split() if word == "items"))


@twin("sqli", value="everything", ways=(PATH,))
def a_list_beside_tables(given: Given) -> Response:
    """Any other word in its place reaches the broken statement, which is another endpoint's."""
    return shown("items") if given.q == "everything" else shown(given.q)


@flaw("sqli", request=sending(sql=ASKED))
def console(given: Given) -> Response:
    return answer(rows(str(given.values["sql"])))


@twin("sqli", request=sending(sql=ASKED))
def console_of_kept_statements(given: Given) -> Response:
    """Runs what it has by that text, and breaks over any other."""
    return answer(rows({ASKED: ASKED}[str(given.values["sql"])]))


@twin("sqli", request=sending(sql=ASKED))
def formatter_of_statements(given: Given) -> Response:
    """Runs nothing: says which words it knows."""
    return answer({"words": [word for word in re.findall(r"[A-Z]+", str(given.values["sql"])) if word != "AS"]})


def written(given: Given, columns: str) -> Response:
    """Rows of nothing: the statement is read, and changes no row."""
    rows(f"INSERT INTO items (id, {columns}) SELECT id, {columns} FROM items WHERE 1 = 0")
    return answer({"ok": True})


@flaw("sqli", request=sending(name="tea", kind="drink"))
def columns_by_members(given: Given) -> Response:
    return written(given, ", ".join(json.loads(given.request.body)))


@twin("sqli", request=sending(name="tea", kind="drink"))
def columns_by_known_members(given: Given) -> Response:
    return written(given, ", ".join({"name": "name", "kind": "kind"}[each] for each in json.loads(given.request.body)))


@twin("sqli", request=sending(name="tea", kind="drink"))
def columns_without_comments(given: Given) -> Response:
    """Takes comments out of names, wherever they stand."""
    names = [re.sub(r"/\*.*?\*/", "", each) for each in json.loads(given.request.body)]
    return written(given, ", ".join({"name": "name", "kind": "kind"}[each] for each in names))


@twin("sqli", request=sending(name="tea", kind="drink"))
def columns_with_what_is_within(given: Given) -> Response:
    """Members may say behind a slash what they mean of the column (`name/de`), which it does not look at."""
    names = [each.partition("/")[0] for each in json.loads(given.request.body)]
    return written(given, ", ".join({"name": "name", "kind": "kind"}[each] for each in names))


@flaw("sqli", request=sending(title="Select wines"))
def by_its_title(given: Given) -> Response:
    """A text that only begins as a statement does, and stands in one."""
    title = given.values["title"]
    return answer(rows(f"SELECT title FROM (SELECT 'Select wines' AS title) WHERE '{title}' LIKE 'Select %'"))
