"""A small shop on a real SQLite, as one function: parts that build SQL by hand, and twins that look like them and do not.

Every twin is what makes scanners cry: echoes, filters, firewalls, casts, errors on anything odd, pages that never repeat.
"""

import base64
import hashlib
import html
import json
import re
import sqlite3
from collections.abc import Callable
from random import Random
from typing import Any
from urllib.parse import parse_qsl, unquote

from tests.in_memory import InMemory

from gatecrash.core.message import Request, Response

ITEMS = [
    (1, "desk lamp", "light", 30),
    (2, "floor lamp", "light", 80),
    (3, "o'clock", "time", 12),
    (5, "chair", "seat", 45),
]
LIKE = "SELECT id, name FROM items WHERE name LIKE '%{}%' ORDER BY id"


class Shop:
    """One shop with a database of its own. `random` moves what moves; `database` is open for tests to look at."""

    def __init__(self) -> None:
        self.random = Random(7)
        self.database = InMemory()
        self.database.execute("CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT, kind TEXT, price INTEGER)")
        self.database.execute("CREATE TABLE users (name TEXT, password TEXT)")
        self.database.execute("CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT)")
        self.database.executemany("INSERT INTO items VALUES (?, ?, ?, ?)", ITEMS)
        self.database.execute("INSERT INTO users VALUES ('ann', 'sesame')")

    def __call__(self, request: Request) -> Response:
        path = unquote(request.path.decode())
        for pattern, handler in ROUTES:
            if found := re.fullmatch(pattern, path):
                given = dict(parse_qsl((request.query or b"").decode(), keep_blank_values=True))
                if request.body.startswith(b"{"):
                    given |= json.loads(request.body)
                elif request.body:
                    given |= dict(parse_qsl(request.body.decode(), keep_blank_values=True))
                try:
                    return handler(self, given, *found.groups())
                except (sqlite3.Error, ValueError, KeyError):
                    return answer({"error": "internal"}, 500)
        return answer({"error": "no such page"}, 404)

    def rows(self, statement: str, *values: object) -> list[Any]:
        return self.database.execute(statement, values).fetchall()


def answer(document: object, status: int = 200) -> Response:
    return Response(status, ((b"Content-Type", b"application/json"),), json.dumps(document).encode())


def page(text: str, status: int = 200) -> Response:
    return Response(
        status, ((b"Content-Type", b"text/html; charset=utf-8"),), f"<html><body>{text}</body></html>".encode()
    )


# Injectable --------------------------------------------------------------------------------------------------------


def search(shop: Shop, given: dict[str, str]) -> Response:
    found = shop.rows(LIKE.format(given["q"]))
    return page(f"<h1>Results for {html.escape(given['q'])}</h1>" + "".join(f"<li>{name}</li>" for _, name in found))


def escaped_once(shop: Shop, given: dict[str, str]) -> Response:
    first = given["q"].replace("'", "''", 1)
    return answer(shop.rows(f"SELECT name FROM items WHERE name = '{first}'"))


def escaped_in_vain(shop: Shop, given: dict[str, str]) -> Response:
    escaped = given["q"].replace("'", "\\'")
    try:
        return answer(shop.rows(f"SELECT name FROM items WHERE name = '{escaped}'"))
    except sqlite3.Error:
        return answer([])


def both_escaped_in_vain(shop: Shop, given: dict[str, str]) -> Response:
    escaped = given["q"].replace("'", "\\'").replace('"', '\\"')
    try:
        found = shop.rows(f"SELECT name FROM items WHERE name = '{escaped}'")
    except sqlite3.Error:
        return page("<p>no result</p>")
    return page("".join(f"<li>{name}</li>" for (name,) in found))


def loud_item(shop: Shop, given: dict[str, str]) -> Response:
    try:
        return answer(shop.rows(f"SELECT * FROM items WHERE id = {given['id']}"))
    except sqlite3.Error as error:
        return page(f"<pre>sqlite3.OperationalError: {html.escape(str(error))}</pre>", 500)


def loud_order(shop: Shop, given: dict[str, str]) -> Response:
    try:
        return answer(shop.rows(f"SELECT * FROM items ORDER BY {given['by']}"))
    except sqlite3.Error as error:
        return answer({"error": str(error)}, 500)


def item_page(shop: Shop, _given: dict[str, str], number: str) -> Response:
    found = shop.rows(f"SELECT name, price FROM items WHERE id = {number}")
    return answer(dict(zip(("name", "price"), found[0], strict=True))) if found else answer({"error": "not found"}, 404)


def login(shop: Shop, given: dict[str, str]) -> Response:
    found = shop.rows(f"SELECT name FROM users WHERE name = '{given['user']}' AND password = ?", given["password"])
    return answer({"token": shop.random.randbytes(12).hex()}) if found else answer({"error": "wrong password"}, 401)


def by_kind(shop: Shop, given: dict[str, str]) -> Response:
    """In brackets, in upper case, beside another condition, with a moving time and token."""
    found = shop.rows(f"SELECT name FROM items WHERE (kind = '{given['kind']}' OR kind = 'x') AND price > 0")
    return page(
        f"<p>2024-05-17T10:00:{shop.random.randrange(10, 60)}Z</p><input name=csrf value={shop.random.randbytes(8).hex()}>"
        f"<p>{html.escape(given['kind'].upper())}</p>" + "".join(f"<b>{row[0]}</b>" for row in found)
    )


def count(shop: Shop, given: dict[str, str]) -> Response:
    try:
        found = shop.rows(f"SELECT count(*) FROM items WHERE kind = '{given['kind']}'")
    except sqlite3.Error:
        found = [(0,)]
    return answer({"hits": found[0][0]})


def note(shop: Shop, given: dict[str, str]) -> Response:
    shop.database.execute(f"INSERT INTO notes (text) VALUES ('{given['text']}')")
    return answer({"id": shop.rows("SELECT max(id) FROM notes")[0][0]}, 201)


def polite_note(shop: Shop, given: dict[str, str]) -> Response:
    """Says one thing whatever it did, and another where it could not."""
    try:
        note(shop, given)
    except sqlite3.Error:
        return page("The note could not be kept.")
    return page("Kept.")


def quoted_note(shop: Shop, given: dict[str, str]) -> Response:
    try:
        shop.database.execute(f'INSERT INTO notes (text) VALUES ("{given["text"]}")')
    except sqlite3.Error:
        return page("<p>Sorry.</p>")
    return page("<p>Thank you!</p>")


def opened(shop: Shop, given: dict[str, str]) -> Response:
    number = json.loads(base64.b64decode(given["d"]))["id"]
    return answer(shop.rows(f"SELECT * FROM items WHERE id = {number}"))


def sorted_items(shop: Shop, given: dict[str, str]) -> Response:
    return answer(shop.rows(f"SELECT name, price FROM items ORDER BY {given['by']}"))


def filtered(shop: Shop, given: dict[str, str]) -> Response:
    """Takes out blanks and the words it knows, and hides errors."""
    wanted = re.sub(r"(?i)and|or|case|when|union|select|--|\s", "", given["q"])
    try:
        return answer(shop.rows(f"SELECT name FROM items WHERE kind = '{wanted}'"))
    except sqlite3.Error:
        return answer([])


def quoted_column(shop: Shop, given: dict[str, str]) -> Response:
    try:
        return answer(shop.rows(f'SELECT name FROM items ORDER BY "{given["by"]}"'))
    except sqlite3.Error:
        return answer([])


def listed(shop: Shop, given: dict[str, str]) -> Response:
    return answer(shop.rows(f"SELECT name FROM items WHERE name IN (lower('{given['name']}'), 'o''clock')"))


def playground(shop: Shop, given: dict[str, str]) -> Response:
    try:
        return answer(shop.rows(given["sql"]))
    except sqlite3.Error as error:
        return answer({"error": str(error)}, 400)


# Sound -------------------------------------------------------------------------------------------------------------


def bound_search(shop: Shop, given: dict[str, str]) -> Response:
    found = shop.rows("SELECT name FROM items WHERE name LIKE '%' || ? || '%'", given["q"])
    echo = f"<h1>{len(given['q'])} characters: {html.escape(given['q'].upper())}</h1><a href='?q={given['q'][:9]}'>more</a>"
    marked = "".join(f"<em>{html.escape(word)}</em>" for word in given["q"].split())
    return page(echo + marked + "".join(f"<li>{row[0]}</li>" for row in found) + f"<p>{len(found)} found</p>")


def cast_item(shop: Shop, given: dict[str, str]) -> Response:
    try:
        number = int(given["id"])
    except ValueError:
        return answer({"error": f'invalid input syntax for type integer: "{given["id"]}"'}, 500)
    return answer(shop.rows("SELECT * FROM items WHERE id = ?", number))


def lenient_item(shop: Shop, given: dict[str, str]) -> Response:
    """Reads a number's first digits, as many languages do."""
    return answer(shop.rows("SELECT * FROM items WHERE id = ?", int(re.match(r"\d*", given["id"])[0] or 0)))


def firewalled(shop: Shop, given: dict[str, str]) -> Response:
    if re.search(r"'|\bAND\b", given["q"]):
        return page("Forbidden", 403)
    return bound_search(shop, given)


def polite_firewall(shop: Shop, given: dict[str, str]) -> Response:
    if "'" in given["q"]:
        return page("Request blocked. Your support ID is 4711")
    return bound_search(shop, given)


def signing_out(shop: Shop, given: dict[str, str], number: str) -> Response:
    """A firewall that sends whoever writes AND behind a quote to the login, before anything looks the number up."""
    if re.search(r"(?i)'\s*and\s", number):
        return Response(302, ((b"Location", b"/start?reason=odd"),))
    return bound_item(shop, given, number)


def tautology_filter(shop: Shop, given: dict[str, str]) -> Response:
    """Works out comparisons itself, whatever word stands before them: true ones change nothing, false ones find nothing."""
    compared = re.findall(r"(\d+)'?='?(\d+)", given["id"])
    if all(left == right for left, right in compared):
        smallest = min(map(int, re.findall(r"\d+", given["id"])), default=0)
        return answer(shop.rows("SELECT * FROM items WHERE id = ?", smallest))
    return answer([])


def random_page(shop: Shop, _given: dict[str, str]) -> Response:
    return page("".join(f"<p>{shop.random.randbytes(6).hex()}</p>" for _ in range(20)))


def flickering(shop: Shop, _given: dict[str, str]) -> Response:
    """Half of its parts come and go."""
    return page("<h1>Offers</h1>" + "".join(f"<p>{n}</p>" for n in range(30) if shop.random.random() < 0.7))


def odd_error(shop: Shop, given: dict[str, str]) -> Response:
    """Says a database error over anything odd, closed or not."""
    if not re.fullmatch(r"[\w ]*", given["q"]):
        return answer({"error": 'near "x": syntax error'}, 500)
    return bound_search(shop, given)


def manual(_shop: Shop, given: dict[str, str]) -> Response:
    """A page about errors: they are in the baseline already."""
    return page(f"<p>You have an error in your SQL syntax</p><p>{html.escape(given['q'])}</p>")


def full_text(_shop: Shop, given: dict[str, str]) -> Response:
    """What is found depends on every word of the question."""
    words = set(given["q"].lower().split())
    hits = [n for n in range(60) if any(hashlib.md5(f"{word}{n}".encode()).digest()[0] < 40 for word in words)]
    return answer({"hits": hits})


def ignored(shop: Shop, _given: dict[str, str]) -> Response:
    return answer(shop.rows("SELECT * FROM items"))


def always_breaks(shop: Shop, given: dict[str, str]) -> Response:
    if given["q"] != "lamp":
        return answer({"error": "internal"}, 500)
    return bound_search(shop, given)


def chosen_column(shop: Shop, given: dict[str, str]) -> Response:
    column = given["by"] if given["by"] in ("name", "price") else "id"
    return answer(shop.rows(f"SELECT name, price FROM items ORDER BY {column}"))


def stripped(shop: Shop, given: dict[str, str]) -> Response:
    wanted = re.sub(r"['\" ]", "", given["q"])
    return answer(shop.rows("SELECT name FROM items WHERE name LIKE '%' || ? || '%'", wanted))


def filtered_and_bound(shop: Shop, given: dict[str, str]) -> Response:
    wanted = re.sub(r"(?i)and|or|case|when|union|select|--|['|\s]", "", given["q"])
    return answer(shop.rows("SELECT name FROM items WHERE kind = ?", wanted))


def bound_login(shop: Shop, given: dict[str, str]) -> Response:
    found = shop.rows("SELECT 1 FROM users WHERE name = ? AND password = ?", given["user"], given["password"])
    return answer({"token": shop.random.randbytes(12).hex()}) if found else answer({"error": "wrong password"}, 401)


def bound_note(shop: Shop, given: dict[str, str]) -> Response:
    shop.database.execute("INSERT INTO notes (text) VALUES (?)", (given["text"],))
    return answer({"id": shop.rows("SELECT max(id) FROM notes")[0][0]}, 201)


def bound_item(shop: Shop, _given: dict[str, str], number: str) -> Response:
    found = shop.rows("SELECT name, price FROM items WHERE id = ?", number)
    return answer(dict(zip(("name", "price"), found[0], strict=True))) if found else answer({"error": "not found"}, 404)


ROUTES: list[tuple[str, Callable[..., Response]]] = [
    ("/search", search),
    ("/loud/item", loud_item),
    ("/loud/order", loud_order),
    ("/items/([^/]+)", item_page),
    ("/login", login),
    ("/by-kind", by_kind),
    ("/count", count),
    ("/notes", note),
    ("/polite-notes", polite_note),
    ("/quoted-notes", quoted_note),
    ("/escaped-once", escaped_once),
    ("/escaped-in-vain", escaped_in_vain),
    ("/both-escaped-in-vain", both_escaped_in_vain),
    ("/opened", opened),
    ("/playground", playground),
    ("/sound/search", bound_search),
    ("/sound/cast", cast_item),
    ("/sound/lenient", lenient_item),
    ("/sound/firewall", firewalled),
    ("/sound/polite-firewall", polite_firewall),
    ("/sound/signed-out/([^/]+)", signing_out),
    ("/sound/tautology", tautology_filter),
    ("/sound/random", random_page),
    ("/sound/flickering", flickering),
    ("/sound/odd", odd_error),
    ("/sound/manual", manual),
    ("/sound/full-text", full_text),
    ("/sound/ignored", ignored),
    ("/sound/breaks", always_breaks),
    ("/sorted", sorted_items),
    ("/listed", listed),
    ("/filtered", filtered),
    ("/quoted", quoted_column),
    ("/sound/filtered", filtered_and_bound),
    ("/sound/sorted", chosen_column),
    ("/sound/stripped", stripped),
    ("/sound/login", bound_login),
    ("/sound/notes", bound_note),
    ("/sound/items/([^/]+)", bound_item),
]
