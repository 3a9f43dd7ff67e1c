"""Statements on SQLite and, where it is installed, on PostgreSQL: values joined into them, or bound."""

import html
import re
import sqlite3
import threading
import time
from contextlib import closing

from gatecrash.core.message import Response
from tests.in_memory import InMemory
from tests.range.place import FORM, JSON, PATH, QUERY, Given, answer, flaw, miss, page, text, twin

READ = (QUERY, JSON, FORM)
ROWS = [(1, "tea", "drink", 3), (2, "green tea", "drink", 5), (3, "cup", "ware", 7), (5, "o'clock", "time", 9)]
LOCAL = threading.local()


def database() -> sqlite3.Connection:
    """A database of this thread's own, always the same: what a statement changed would show."""
    if not hasattr(LOCAL, "database"):
        LOCAL.database = InMemory(isolation_level=None)
        LOCAL.database.executescript(
            "CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT, kind TEXT, price INTEGER);"
            "CREATE TABLE users (name TEXT, password TEXT); INSERT INTO users VALUES ('ann', 'sesame');"
        )
        LOCAL.database.executemany("INSERT INTO items VALUES (?, ?, ?, ?)", ROWS)
    return LOCAL.database


def rows(statement: str, *values: object) -> list[tuple]:
    return database().execute(statement, values).fetchall()


def found_by(statement: str) -> list[tuple]:
    """Its rows; none where it breaks, and nobody is told."""
    try:
        return rows(statement)
    except sqlite3.Error:
        return []


# Joined


@flaw("sqli", ways=READ)
def name(given: Given) -> Response:
    return answer(rows(f"SELECT id, name FROM items WHERE name = '{given.q}'"))


@flaw("sqli", ways=READ)
def pattern(given: Given) -> Response:
    found = rows(f"SELECT name FROM items WHERE name LIKE '%{given.q}%'")
    return page("".join(f"<li>{html.escape(each[0])}</li>" for each in found))


@flaw("sqli", value="2", ways=(QUERY, JSON, PATH))
def number(given: Given) -> Response:
    found = rows(f"SELECT name, price FROM items WHERE id = {given.q}")
    return answer(found[0]) if found else answer({"error": "not found"}, 404)


@flaw("sqli", value="price", ways=(QUERY,))
def order(given: Given) -> Response:
    return answer(rows(f"SELECT name, price FROM items ORDER BY {given.q}"))


@flaw("sqli", value="price", ways=(QUERY,))
def order_hidden(given: Given) -> Response:
    """Its rows are in this order already, and an error is an empty list."""
    return answer(found_by(f"SELECT name, price FROM items ORDER BY {given.q}"))


@twin("sqli", value="price", ways=(QUERY,))
def order_else_nothing(given: Given) -> Response:
    return answer(rows(f"SELECT name, price FROM items ORDER BY {given.q}") if given.q in ("name", "price") else [])


@flaw("sqli", value="drink", ways=READ)
def in_brackets(given: Given) -> Response:
    return answer(rows(f"SELECT name FROM items WHERE (kind = '{given.q}' AND price > 0) OR name = 'cup'"))


@flaw("sqli", ways=(QUERY,))
def double_quotes(given: Given) -> Response:
    return answer(rows(f'SELECT name FROM items WHERE name = "{given.q}"'))


@flaw("sqli", ways=READ)
def loud(given: Given) -> Response:
    try:
        return answer({"found": len(rows(f"SELECT name FROM items WHERE name = '{given.q}'"))})
    except sqlite3.Error as error:
        return text(f"sqlite3.OperationalError: {error}", 500)


@flaw("sqli", ways=READ)
def known_or_not(given: Given) -> Response:
    found = found_by(f"SELECT 1 FROM items WHERE name = '{given.q}'")
    return page("<p>known</p>" if found else "<p>never heard of it</p>")


@flaw("sqli", value="ann", ways=(FORM, JSON))
def login(given: Given) -> Response:
    found = rows(f"SELECT name FROM users WHERE name = '{given.q}' AND password = 'sesame'")
    return answer({"welcome": found[0][0]}) if found else answer({"error": "wrong password"}, 401)


@flaw("sqli", value="ann", ways=(FORM, JSON))
def login_in_the_same_words(given: Given) -> Response:
    """Whoever is not known is refused, be it for a name or for a statement that broke."""
    found = found_by(f"SELECT name FROM users WHERE name = '{given.q}' AND password = 'sesame'")
    return answer({"welcome": found[0][0]}) if found else answer({"error": "wrong password"}, 401)


@twin("sqli", value="ann", ways=(FORM, JSON))
def login_bound_in_the_same_words(given: Given) -> Response:
    found = rows("SELECT name FROM users WHERE name = ?", given.q)
    return answer({"welcome": found[0][0]}) if found else answer({"error": "wrong password"}, 401)


@twin("sqli", value="ann", ways=(FORM, JSON))
def login_of_letters(given: Given) -> Response:
    """Takes out all but letters, so that some of what is sent is the name again."""
    name = re.sub(r"[^a-z]", "", given.q)
    return answer({"welcome": name}) if name == "ann" else answer({"error": "wrong password"}, 401)


if "ENABLE_FTS5" in {each[0] for each in rows("PRAGMA compile_options")}:

    @twin("sqli", ways=(QUERY, JSON))
    def full_text_bound(given: Given) -> Response:
        """The user writes the query of a full-text index; its errors are told by the name that drivers have for all of them."""
        with closing(InMemory()) as index:
            index.execute("CREATE VIRTUAL TABLE texts USING fts5(body)")
            index.executemany("INSERT INTO texts VALUES (?)", [(row[1],) for row in ROWS])
            try:
                return answer(index.execute("SELECT body FROM texts WHERE texts MATCH ?", (given.q,)).fetchall())
            except sqlite3.Error as error:
                return answer({"code": "SQLITE_ERROR", "message": str(error)}, 400)


@flaw("sqli", value="-price", ways=(QUERY, JSON))
def order_with_a_sign(given: Given) -> Response:
    name = given.q.lstrip("-")
    return answer(rows(f"SELECT name FROM items ORDER BY {name} {'DESC' if given.q[:1] == '-' else 'ASC'}"))


@flaw("sqli", value="kind,-price", ways=(QUERY,))
def order_of_several(given: Given) -> Response:
    parts = [f"{each.lstrip('-')} {'DESC' if each[:1] == '-' else 'ASC'}" for each in given.q.split(",")]
    try:
        return answer(rows(f"SELECT name FROM items ORDER BY {', '.join(parts)}"))
    except sqlite3.Error:
        return answer({"error": "cannot sort by that"}, 400)


@twin("sqli", value="-price", ways=(QUERY, JSON))
def order_with_a_sign_known(given: Given) -> Response:
    name = given.q.lstrip("-")
    if name not in ("name", "price"):
        return answer({"error": "cannot sort by that"}, 400)
    return answer(rows(f"SELECT name FROM items ORDER BY {name} {'DESC' if given.q[:1] == '-' else 'ASC'}"))


@twin("sqli", value="kind,-price", ways=(QUERY,))
def order_of_several_known(given: Given) -> Response:
    """Passes over what it does not know, as many do."""
    names = [each.lstrip("-") for each in given.q.split(",")]
    known = [name for name in names if name in ("name", "kind", "price")] or ["id"]
    return answer(rows(f"SELECT name FROM items ORDER BY {', '.join(known)}"))


@flaw("sqli", ways=(QUERY,))
def stale_page(given: Given) -> Response:
    """Beside times and tokens that move."""
    found = rows(f"SELECT name FROM items WHERE name = '{given.q}'")
    return page(f"<p>{time.time()}</p><i>{id(object()):x}{time.perf_counter_ns():x}</i>" + "".join(x[0] for x in found))


@flaw("sqli", ways=(QUERY,), slow=True)
def blind(given: Given) -> Response:
    rows(f"SELECT 1 FROM items WHERE name = '{given.q}'")
    return text("logged")


@flaw("sqli", value="zebra", ways=(QUERY,))
def empty_result(given: Given) -> Response:
    """Finds nothing to begin with, and hides errors: what is added is shown."""
    return answer([list(each) for each in found_by(f"SELECT name, price FROM items WHERE name = '{given.q}'")])


@miss("sqli", ways=(QUERY,))
def second_order(given: Given) -> Response:
    """Kept here by a bound value, and joined into a statement somewhere else."""
    rows("SELECT ?", given.q)
    return text("kept")


# Bound, or refused


@twin("sqli", ways=READ)
def bound(given: Given) -> Response:
    return answer(rows("SELECT id, name FROM items WHERE name = ?", given.q))


@twin("sqli", value="zebra", ways=(QUERY, PATH))
def bound_and_empty(given: Given) -> Response:
    return answer(rows("SELECT id, name FROM items WHERE name = ?", given.q))


@twin("sqli", value="zebra", ways=(QUERY,))
def any_word_of_none(given: Given) -> Response:
    """A search that finds what costs any of the numbers; nothing to begin with."""
    numbers = set(map(int, re.findall(r"\d+", given.q)))
    return answer([each for each in ROWS if any(number % 10 == each[3] for number in numbers)])


@twin("sqli", ways=READ)
def bound_pattern(given: Given) -> Response:
    found = rows("SELECT name FROM items WHERE name LIKE '%' || ? || '%'", given.q)
    return page(f"<h1>{html.escape(given.q)}</h1>" + "".join(f"<li>{html.escape(each[0])}</li>" for each in found))


@twin("sqli", value="2", ways=(QUERY, JSON, PATH))
def number_cast(given: Given) -> Response:
    return answer(rows("SELECT name FROM items WHERE id = ?", int(given.q)))


@twin("sqli", value="2", ways=(QUERY, FORM))
def number_lenient(given: Given) -> Response:
    digits = re.match(r"\d*", given.q)
    return answer(rows("SELECT name FROM items WHERE id = ?", int(digits[0] or 0) if digits else 0))


@twin("sqli", value="price", ways=(QUERY,))
def order_listed(given: Given) -> Response:
    return answer(rows(f"SELECT name FROM items ORDER BY {given.q if given.q in ('price', 'name') else 'id'}"))


@twin("sqli", ways=READ)
def firewall(given: Given) -> Response:
    if re.search(r"['\"]|\b(?:and|or|case|select)\b", given.q, re.IGNORECASE):
        return page("Forbidden", 403)
    return bound(given)


@twin("sqli", ways=READ)
def breaks_over_quotes(given: Given) -> Response:
    return text("internal error", 500) if "'" in given.q else bound(given)


@twin("sqli", ways=READ)
def everything_for_empty(given: Given) -> Response:
    wanted = re.sub(r"[^a-z ].*", "", given.q)
    return answer(rows("SELECT name FROM items WHERE ? = '' OR name = ?", wanted, wanted))


@twin("sqli", ways=(QUERY,))
def moving(given: Given) -> Response:
    return page("".join(f"<p>{time.perf_counter_ns() * n % 1000003}</p>" for n in range(1, 30)))


@twin("sqli", ways=READ)
def soft_404(given: Given) -> Response:
    return page(f"<h1>Sorry</h1><p>Nothing at {html.escape(given.q)}</p>") if given.q != "tea" else page("<p>Tea</p>")


@twin("sqli", ways=READ)
def any_word(given: Given) -> Response:
    """A search that finds what has any of the words."""
    words = set(re.findall(r"\w+", given.q.lower()))
    return answer([each for each in ROWS if words & set(each[1].split())])


@twin("sqli", ways=(QUERY,))
def error_in_words(given: Given) -> Response:
    odd = not given.q.replace(" ", "").isalnum()
    return answer({"error": 'near "x": syntax error'}, 500) if odd else bound(given)


@twin("sqli", ways=(QUERY,), slow=True)
def slow_for_odd(given: Given) -> Response:
    if "'" in given.q:
        time.sleep(1.2)
    return text("inspected")


@twin("sqli", ways=(QUERY,), slow=True)
def sometimes_slow(given: Given) -> Response:
    time.sleep(2.2 if time.perf_counter_ns() // 1000 % 4 == 0 else 0.01)
    return text("fine")
