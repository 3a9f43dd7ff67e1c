"""An office's application as such are written: several fields in a request, errors hidden or shown, changes that are kept.

Statements run on SQLite, commands in a shell, templates in Jinja2. Each twin is the same feature written as it should be.
"""

import contextlib
import hashlib
import itertools
import os
import re
import sqlite3
import threading
from urllib.parse import unquote

from gatecrash.core.message import Request, Response
from tests.in_memory import InMemory
from tests.range.asked import asking, at, sending, submitting
from tests.range.place import Given, answer, flaw, page, twin

LOCK = threading.Lock()
NUMBERS = itertools.count(100)
DATABASE = InMemory(isolation_level=None)
DATABASE.executescript(
    """
    CREATE TABLE staff (id INTEGER PRIMARY KEY, name TEXT, mail TEXT, password TEXT, desk INTEGER);
    INSERT INTO staff VALUES (1, 'ann', 'ann@example.com', 'c8dae1c50e092f3d877192fc555b1dcf', 3),
                             (2, 'ben', 'ben@example.com', 'x', 4), (3, 'kim', 'kim@example.com', 'y', 4);
    CREATE TABLE rooms (id INTEGER PRIMARY KEY, title TEXT, floor INTEGER, seats INTEGER);
    INSERT INTO rooms VALUES (1, 'blue', 2, 8), (2, 'red', 1, 4), (3, 'grey', 2, 20), (4, 'dark blue', 3, 2);
    CREATE TABLE notes (id INTEGER PRIMARY KEY, title TEXT, body TEXT, room INTEGER);
    CREATE TABLE visits (address TEXT, agent TEXT);
    """
)


def rows(statement: str, *values: object) -> list[tuple]:
    with LOCK:
        return DATABASE.execute(statement, values).fetchall()


def changed(statement: str, *values: object) -> int:
    with LOCK:
        return DATABASE.execute(statement, values).rowcount


def digest(given: Given) -> str:
    return hashlib.md5(str(given.values.get("password")).encode()).hexdigest()


# Signing in


def found_by_name(given: Given) -> list[tuple]:
    return rows(
        f"SELECT id, name FROM staff WHERE name = '{given.values['username']}' AND password = '{digest(given)}'"
    )


def let_in(found: list[tuple]) -> Response:
    if not found:
        return answer({"error": "Invalid credentials"}, 401)
    return answer({"token": f"{os.urandom(9).hex()}.{found[0][0]}", "user": found[0][1]})


@flaw("sqli", request=sending(username="ann", password="sesame"), also=("info",))
def login_shows_errors(given: Given) -> Response:
    try:
        return let_in(found_by_name(given))
    except sqlite3.Error as error:
        return answer({"error": f"database error: {error}"}, 500)


@flaw("sqli", request=sending(username="ann", password="sesame"), also=("info",))
def login_breaks(given: Given) -> Response:
    return let_in(found_by_name(given))


@flaw("sqli", request=sending(username="ann", password="wrong"), also=("info",))
def login_refused(given: Given) -> Response:
    return let_in(found_by_name(given))


@flaw("sqli", request=submitting(username="ann", password="sesame"), also=("info",))
def login_hides_errors(given: Given) -> Response:
    try:
        found = found_by_name(given)
    except sqlite3.Error:
        found = []
    if not found:
        return page("<p>Wrong name or password</p><form><input type=password name=password></form>")
    return Response(302, ((b"Location", b"/office"), (b"Set-Cookie", b"sid=%s" % os.urandom(8).hex().encode())), b"")


@flaw("sqli", request=submitting(username="ann", password="wrong"), slow=True, also=("info",))
def login_refused_and_hides_errors(given: Given) -> Response:
    try:
        return let_in(found_by_name(given))
    except sqlite3.Error:
        return let_in([])


@twin("sqli", request=sending(username="ann", password="sesame"), also=("info",))
def login_bound(given: Given) -> Response:
    found = rows("SELECT id, name FROM staff WHERE name = ? AND password = ?", given.values["username"], digest(given))
    return let_in(found)


@twin("sqli", request=submitting(username="ann", password="sesame"), also=("info",))
def login_of_letters(given: Given) -> Response:
    if not re.fullmatch(r"[a-z]+", str(given.values["username"])):
        return answer({"error": "letters only"}, 400)
    return let_in(found_by_name(given))


TRIES = itertools.count()


@twin("sqli", request=sending(username="ann", password="sesame"), apart=True)
def login_limited(given: Given) -> Response:
    if next(TRIES) % 5 > 2:
        return answer({"error": "too many tries"}, 429, (b"Retry-After", b"1"))
    return login_bound(given)


# Searching and sorting


@flaw("sqli", request=sending(term="blue", page=1))
def search(given: Given) -> Response:
    found = rows(f"SELECT title, seats FROM rooms WHERE lower(title) LIKE lower('%{given.values['term']}%') LIMIT 10")
    return answer({"count": len(found), "rooms": [title for title, _ in found]})


@flaw("sqli", request=sending(term="blue"))
def search_hides_errors(given: Given) -> Response:
    try:
        found = rows(
            f"SELECT title FROM rooms WHERE (title LIKE '%{given.values['term']}%' OR floor = 9) AND seats > 0"
        )
    except sqlite3.Error:
        found = []
    return answer({"rooms": found})


@flaw("sqli", request=asking(sort="seats", direction="desc"))
def sorted_by(given: Given) -> Response:
    column = given.values["sort"] if given.values["sort"] in ("seats", "title") else "id"
    return answer(rows(f"SELECT title FROM rooms ORDER BY {column} {given.values['direction']}"))


@flaw("sqli", request=asking(sort="id", page="1"))
def sorted_as_they_are(given: Given) -> Response:
    return answer(rows(f"SELECT title FROM rooms ORDER BY {given.values['sort']}"))


@flaw("sqli", request=asking(ids="1,3"))
def several(given: Given) -> Response:
    return answer(rows(f"SELECT title FROM rooms WHERE id IN ({given.values['ids']})"))


@flaw("sqli", request=asking(limit="2"))
def limited(given: Given) -> Response:
    return answer(rows(f"SELECT title FROM rooms ORDER BY id LIMIT {given.values['limit']}"))


@flaw("sqli", request=asking(floor="2", seats="5"))
def filtered(given: Given) -> Response:
    return answer(rows(f"SELECT title FROM rooms WHERE floor = {given.values['floor']} AND seats > 1"))


@flaw("sqli", request=at("2"))
def room(given: Given) -> Response:
    found = rows(f"SELECT title, seats FROM rooms WHERE id = {given.q}")
    return page(f"<h1>{found[0][0]}</h1>") if found else page("<h1>No such room</h1>", 404)


@flaw("sqli", request=at("grey"))
def room_by_title(given: Given) -> Response:
    found = rows(f"SELECT title, seats FROM rooms WHERE title = '{given.q}'")
    return answer({"seats": found[0][1]}) if found else answer({"error": "not found"}, 404)


@twin("sqli", request=asking(sort="seats", direction="desc"))
def sorted_by_list(given: Given) -> Response:
    direction = "DESC" if str(given.values["direction"]).lower() == "desc" else "ASC"
    return answer(rows(f"SELECT title FROM rooms ORDER BY seats {direction}"))


@twin("sqli", request=asking(limit="2"))
def limited_without_comments(given: Given) -> Response:
    """Takes out comments of both kinds, and binds what is left."""
    limit = re.sub(r"--.*", "", re.sub(r"/\*.*?\*/", "", str(given.values["limit"]))).strip()
    if not limit.isdecimal():
        return answer({"error": "no number"}, 400)
    return answer(rows("SELECT title FROM rooms ORDER BY id LIMIT ?", int(limit)))


@twin("sqli", request=asking(ids="1,3"))
def several_bound(given: Given) -> Response:
    known = [int(each) for each in str(given.values["ids"]).split(",")]
    return answer(rows(f"SELECT title FROM rooms WHERE id IN ({','.join('?' * len(known))})", *known))


@twin("sqli", request=asking(ids="1,3"))
def several_lenient(given: Given) -> Response:
    known = [int(each) for each in str(given.values["ids"]).split(",") if each.isdigit()]
    return answer([title for number, title in rows("SELECT id, title FROM rooms") if number in known])


@twin("sqli", request=at("2"))
def room_bound(given: Given) -> Response:
    found = rows("SELECT title FROM rooms WHERE id = ?", given.q)
    return page(f"<h1>{found[0][0]}</h1>") if found else page("<h1>No such room</h1>", 404)


@twin("sqli", request=sending(term="blue"))
def search_ranked(given: Given) -> Response:
    """What has most of the words comes first; nothing is ever not found."""
    words = re.findall(r"\w+", str(given.values["term"]).lower())
    ranked = sorted(rows("SELECT title FROM rooms"), key=lambda row: -sum(word in row[0] for word in words))
    return answer({"rooms": ranked})


# Changing


@flaw("sqli", request=sending(title="plan", body="as agreed", room=2))
def create(given: Given) -> Response:
    title, body = given.values["title"], given.values["body"]
    with LOCK:
        made = DATABASE.execute(f"INSERT INTO notes (title, body, room) VALUES ('{title}', '{body}', 2)").lastrowid
    return answer({"id": made, "title": title}, 201)


@flaw("sqli", request=sending(title="plan", body="as agreed"), slow=True)
def create_says_nothing(given: Given) -> Response:
    with contextlib.suppress(sqlite3.Error):
        changed(f"INSERT INTO notes (title, body) VALUES ('{given.values['title']}', '-')")
    return answer({"queued": True}, 202)


@flaw("sqli", request=sending(id=2, mail="ben@example.com"))
def update(given: Given) -> Response:
    count = changed(f"UPDATE staff SET mail = '{given.values['mail']}' WHERE id = 2")
    return answer({"updated": count})


@flaw("sqli", request=at("2", "DELETE"))
def remove(given: Given) -> Response:
    count = changed(f"DELETE FROM notes WHERE room = 9 AND id = {given.q}")
    return answer({"removed": count})


@twin("sqli", request=sending(title="plan", body="as agreed", room=2))
def create_bound(given: Given) -> Response:
    with LOCK:
        statement = "INSERT INTO notes (title, body, room) VALUES (?, ?, 2)"
        made = DATABASE.execute(statement, (str(given.values["title"]), str(given.values["body"]))).lastrowid
    return answer({"id": made, "title": given.values["title"]}, 201)


@twin("sqli", request=sending(title="plan"))
def create_once(given: Given) -> Response:
    """A title is taken once; the second is refused, as is anything odd."""
    odd = re.search(r"[^a-z ]", str(given.values["title"]))
    return answer({"error": "taken"}, 500 if odd else 409) if next(NUMBERS) > 100 else answer({"id": 1}, 201)


@flaw("sqli", request=lambda path: Request("GET", path.encode(), ((b"X-Forwarded-For", b"10.1.2.3"),)))
def visit(given: Given) -> Response:
    address = (given.request.first(b"X-Forwarded-For") or b"").decode("latin-1")
    changed(f"INSERT INTO visits VALUES ('{address}', '')")
    return answer({"ok": True})


@flaw("sqli", request=lambda path: Request("GET", path.encode(), ((b"Cookie", b"theme=dark; desk=blue"),)))
def desk(given: Given) -> Response:
    cookies = dict(re.findall(r"(\w+)=([^;]*)", (given.request.first(b"Cookie") or b"").decode("latin-1")))
    return answer(rows(f"SELECT seats FROM rooms WHERE title = '{unquote(cookies['desk'])}'"))
