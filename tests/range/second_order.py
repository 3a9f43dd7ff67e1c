"""What one page keeps, and another reads back into a statement."""

import re
import sqlite3
import threading

from gatecrash.core.message import Request, Response
from tests.range.asked import sending, submitting
from tests.range.place import Given, answer, flaw, miss, text, twin
from tests.range.store import found_by, rows

KEPT = {
    "nick": "tea",
    "bound_nick": "tea",
    "title": "tea",
    "number": "3",
    "bound_number": "3",
    "whole_number": "3",
    "words": "tea",
    "hidden": "tea",
    "bound_title": "tea",
    "sort": "name",
    "listed_sort": "name",
    "picky_sort": "name",
    "own_name": "tea",
    "balanced": "tea",
    "capitals": "tea",
}
LOCK = threading.Lock()


def page(path: str) -> Request:
    return Request("GET", path.encode())


def shown(statement: str) -> Response:
    try:
        return answer({"found": len(rows(statement))})
    except sqlite3.Error as error:
        return answer({"error": f"sqlite3.OperationalError: {error}"}, 500)


def kept(name: str, given: Given) -> Response:
    KEPT[name] = str(given.values.get("nick", ""))
    return answer({"saved": True})


# Each page comes before what fills it, as a run meets them: safe methods first.


@twin("sqli", request=page)
def friends(given: Given) -> Response:
    if given.request.method == "POST":
        return kept("nick", given)
    return shown(f"SELECT name FROM items WHERE name = '{KEPT['nick']}'")


@twin("sqli", request=page)
def friends_bound(given: Given) -> Response:
    return answer({"found": len(rows("SELECT name FROM items WHERE name = ?", KEPT["bound_nick"]))})


@twin("sqli", request=page)
def words(given: Given) -> Response:
    """Complains in a parser's words over any quote, doubled or not."""
    odd = "'" in KEPT["words"]
    return text('near "x": syntax error', 500) if odd else text("fine")


@flaw("sqli", request=sending(nick="tea"))
def friends_save(given: Given) -> Response:
    rows("SELECT ?", str(given.values["nick"]))
    return kept("nick", given)


@flaw("sqli", request=submitting(nick="3"))
def choose(given: Given) -> Response:
    """Keeps a number, as a session does, and hides errors where it is read."""
    if given.request.method == "GET":
        found = found_by(f"SELECT 1 FROM items WHERE id = '{KEPT['number']}'")
        return text("Chosen." if found else "Nothing was chosen.")
    KEPT["number"] = str(given.values["nick"])
    return text("", 303, (b"Location", b"/second-order/choose"))


@twin("sqli", request=submitting(nick="3"))
def choose_bound(given: Given) -> Response:
    if given.request.method == "GET":
        return text(
            "Chosen." if rows("SELECT 1 FROM items WHERE id = ?", KEPT["bound_number"]) else "Nothing was chosen."
        )
    KEPT["bound_number"] = str(given.values["nick"])
    return text("", 303, (b"Location", b"/second-order/choose-bound"))


@twin("sqli", request=submitting(nick="3"))
def choose_by_digits(given: Given) -> Response:
    """Reads the digits that it begins with."""
    if given.request.method == "GET":
        return shown(f"SELECT 1 FROM items WHERE id = {KEPT['whole_number']}")
    KEPT["whole_number"] = (re.match(r"\d*", str(given.values["nick"])) or [""])[0] or "0"
    return text("", 303, (b"Location", b"/second-order/choose-by-digits"))


@flaw("sqli", request=submitting(nick="tea"))
def rename(given: Given) -> Response:
    """Sends the browser to the page that reads it."""
    if given.request.method == "GET":
        return shown(f"SELECT name FROM items WHERE name = '{KEPT['title']}'")
    KEPT["title"] = str(given.values["nick"])
    return text("", 303, (b"Location", b"/second-order/rename"))


@twin("sqli", request=sending(nick="tea"))
def friends_bound_save(given: Given) -> Response:
    return kept("bound_nick", given)


@twin("sqli", request=sending(nick="tea"))
def words_save(given: Given) -> Response:
    return kept("words", given)


@twin("sqli", request=submitting(nick="tea"))
def rename_bound(given: Given) -> Response:
    if given.request.method == "GET":
        return answer({"found": len(rows("SELECT name FROM items WHERE name = ?", KEPT["bound_title"]))})
    KEPT["bound_title"] = str(given.values["nick"])
    return text("", 303, (b"Location", b"/second-order/rename-bound"))


@miss("sqli", request=submitting(nick="tea"))
def rename_hides_errors(given: Given) -> Response:
    if given.request.method == "GET":
        return answer({"found": bool(shown(f"SELECT 1 FROM items WHERE name = '{KEPT['hidden']}'"))})
    KEPT["hidden"] = str(given.values["nick"])
    return text("", 303, (b"Location", b"/second-order/rename-hides-errors"))


def sorted_names(column: str) -> Response:
    """Without a word on what went wrong."""
    try:
        return answer({"names": [name for (name,) in rows(f"SELECT name FROM items ORDER BY {column}")]})
    except sqlite3.Error:
        return answer({"error": "internal"}, 500)


def sorting(name: str, given: Given) -> Response:
    KEPT[name] = str(given.values["sort"])
    return text("", 303, (b"Location", b"/second-order/" + name.replace("_", "-").encode()))


@flaw("sqli", request=submitting(sort="name"))
def sort(given: Given) -> Response:
    """Keeps by which column to sort, and sorts by it."""
    return sorted_names(KEPT["sort"]) if given.request.method == "GET" else sorting("sort", given)


@twin("sqli", request=submitting(sort="name"))
def listed_sort(given: Given) -> Response:
    """Sorts by what is on a list, and by the price otherwise."""
    if given.request.method == "GET":
        return sorted_names(KEPT["listed_sort"] if KEPT["listed_sort"] in ("name", "price") else "price")
    return sorting("listed_sort", given)


@twin("sqli", request=submitting(sort="name"))
def picky_sort(given: Given) -> Response:
    """Breaks over what is not on the list."""
    if given.request.method == "GET":
        known = KEPT["picky_sort"] in ("name", "price")
        return sorted_names(KEPT["picky_sort"]) if known else answer({"error": "internal"}, 500)
    return sorting("picky_sort", given)


def renaming(name: str, given: Given) -> Response:
    KEPT[name] = str(given.values["nick"])
    return text("", 303, (b"Location", b"/second-order/" + name.replace("_", "-").encode()))


@flaw("sqli", request=submitting(nick="tea"))
def own_name(given: Given) -> Response:
    """Looks for what is called so now, which nothing is that a test was kept in; breaks without a word."""
    if given.request.method == "POST":
        return renaming("own_name", given)
    try:
        return answer({"found": len(rows(f"SELECT 1 FROM items WHERE name = '{KEPT['own_name']}' AND price < 0"))})
    except sqlite3.Error:
        return answer({"error": "internal"}, 500)


@twin("sqli", request=submitting(nick="tea"))
def balanced(given: Given) -> Response:
    """Breaks over quotes that do not close, whatever stands between them."""
    if given.request.method == "POST":
        return renaming("balanced", given)
    return answer({"error": "internal"}, 500) if KEPT["balanced"].count("'") % 2 else answer({"found": 0})


@twin("sqli", request=submitting(nick="tea"))
def capitals(given: Given) -> Response:
    """Breaks over quotes beside capitals, be they a word of SQL or not."""
    if given.request.method == "POST":
        return renaming("capitals", given)
    odd = "'" in KEPT["capitals"] and re.search("[A-Z]|'$", KEPT["capitals"])
    return answer({"error": "internal"}, 500) if odd else answer({"found": 0})
