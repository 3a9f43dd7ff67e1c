"""Statements on a real PostgreSQL, where it is installed: values joined into them, or bound. It is started when first asked."""

import atexit
import contextlib
import html
import json
import shutil
import tempfile
import threading
from pathlib import Path

import psycopg

from gatecrash.core.message import Response
from tests.postgres import Cluster, binaries
from tests.range.asked import asking, at, sending, submitting
from tests.range.place import FORM, JSON, PATH, QUERY, Given, answer, flaw, page, text, twin

READ = (QUERY, JSON, FORM)
STARTING, LOCAL = threading.Lock(), threading.local()
STARTED: list[Cluster] = []


def _start() -> str:
    """The server's address; its table is made once."""
    with STARTING:
        if not STARTED:
            folder = Path(tempfile.mkdtemp(prefix="range-postgres-"))
            STARTED.append(Cluster(folder / "server"))
            atexit.register(shutil.rmtree, folder, ignore_errors=True)
            atexit.register(STARTED[0].stop)
            with psycopg.connect(f"{STARTED[0].url}/postgres", autocommit=True) as admin:
                admin.execute(
                    "CREATE TABLE items (id serial PRIMARY KEY, name text, kind text, price int);"
                    "INSERT INTO items (name, kind, price) VALUES ('tea', 'drink', 3), ('green tea', 'drink', 5),"
                    " ('cup', 'ware', 7), ('o''clock', 'time', 9);"
                    "CREATE TABLE notes (id serial PRIMARY KEY, name text)"
                )
    return f"{STARTED[0].url}/postgres"


def rows(statement: str, *values: object) -> list[tuple]:
    if not hasattr(LOCAL, "connection"):
        LOCAL.connection = psycopg.connect(_start(), autocommit=True)
    # Without values, a percent sign in the statement is one.
    done = LOCAL.connection.execute(statement, values or None)
    return done.fetchall() if done.description else []


if binaries():

    @flaw("sqli", ways=READ, slow=True)
    def name(given: Given) -> Response:
        return answer(rows(f"SELECT id, name FROM items WHERE name = '{given.q}'"))

    @flaw("sqli", ways=READ, slow=True)
    def pattern(given: Given) -> Response:
        found = rows(f"SELECT name FROM items WHERE name ILIKE '%{given.q}%' ORDER BY id")
        return page("".join(f"<li>{html.escape(each[0])}</li>" for each in found))

    @flaw("sqli", ways=(QUERY,), slow=True)
    def expression_with_its_first_quote_doubled(given: Given) -> Response:
        return answer(rows("SELECT name FROM items WHERE name ~ '{}'".format(given.q.replace("'", "''", 1))))

    @twin("sqli", ways=(QUERY,), slow=True)
    def expression_with_its_quotes_doubled(given: Given) -> Response:
        return answer(rows("SELECT name FROM items WHERE name ~ '{}'".format(given.q.replace("'", "''"))))

    @twin("sqli", ways=(QUERY,), slow=True)
    def expression_that_is_bound(given: Given) -> Response:
        return answer(rows("SELECT name FROM items WHERE name ~ %s", given.q))

    @flaw("sqli", value="2", ways=(QUERY, JSON, PATH), slow=True)
    def number(given: Given) -> Response:
        found = rows(f"SELECT name, price FROM items WHERE id = {given.q}")
        return answer(found[0]) if found else answer({"error": "not found"}, 404)

    @flaw("sqli", request=asking(sort="price", direction="desc"), slow=True)
    def ordered(given: Given) -> Response:
        return answer(rows(f"SELECT name FROM items ORDER BY price {given.values['direction']}"))

    @flaw("sqli", request=asking(ids="1,3"), slow=True)
    def several(given: Given) -> Response:
        return answer(rows(f"SELECT name FROM items WHERE id IN ({given.values['ids']}) ORDER BY id"))

    @flaw("sqli", value="zebra", ways=(QUERY,), slow=True)
    def empty_result(given: Given) -> Response:
        """Finds nothing to begin with, and hides errors."""
        found = []
        with contextlib.suppress(psycopg.Error):
            found = rows(f"SELECT id, name, price FROM items WHERE name = '{given.q}' ORDER BY id LIMIT 5")
        return answer(found)

    @twin("sqli", value="zebra", ways=(QUERY,), slow=True)
    def bound_and_empty(given: Given) -> Response:
        return answer(rows("SELECT id, name, price FROM items WHERE name = %s ORDER BY id", given.q))

    @flaw("sqli", request=sending(name="tea", price=3), slow=True)
    def loud(given: Given) -> Response:
        try:
            return answer({"found": len(rows(f"SELECT 1 FROM items WHERE name = '{given.values['name']}'"))})
        except psycopg.Error as error:
            return answer({"error": str(error)}, 400)

    @flaw("sqli", request=submitting(name="kim"), slow=True)
    def create(given: Given) -> Response:
        made = rows(f"INSERT INTO notes (name) VALUES ('{given.values['name']}') RETURNING id")
        return answer({"id": made[0][0]}, 201)

    @flaw("sqli", ways=(QUERY, JSON), slow=True)
    def blind(given: Given) -> Response:
        with contextlib.suppress(psycopg.Error):
            rows(f"SELECT 1 FROM items WHERE name = '{given.q}'")
        return text("logged")

    @flaw("sqli", request=at("2", "DELETE"), slow=True)
    def remove(given: Given) -> Response:
        return answer({"left": rows(f"DELETE FROM notes WHERE id = {given.q} AND name = 'none' RETURNING id")})

    @flaw("sqli", ways=(QUERY,), slow=True)
    def in_a_list_in_json(given: Given) -> Response:
        document = '{"topics": ["tea", "cup"]}'
        wanted = f'{{"topics": ["{given.q}"]}}'
        return answer(rows(f"SELECT id FROM items WHERE '{document}'::jsonb @> '{wanted}' ORDER BY id"))

    @flaw("sqli", ways=(QUERY,), slow=True)
    def in_an_object_in_json(given: Given) -> Response:
        return answer(rows(f"""SELECT id FROM items WHERE jsonb_build_object('n', name) @> '{{"n": "{given.q}"}}'"""))

    @twin("sqli", ways=(QUERY,), slow=True)
    def in_json_bound(given: Given) -> Response:
        wanted = json.dumps({"n": given.q.replace("\0", "")})
        return answer(rows("SELECT id FROM items WHERE jsonb_build_object('n', name) @> %s::jsonb", wanted))

    @twin("sqli", ways=(QUERY,), slow=True)
    def in_json_of_its_own(given: Given) -> Response:
        """Joined into JSON, which is bound: who leaves the text in it breaks the document, and no statement."""
        wanted = f'{{"n": "{given.q}"}}'.replace("\0", "")
        return answer(rows("SELECT id FROM items WHERE jsonb_build_object('n', name) @> %s::jsonb", wanted))

    @twin("sqli", ways=READ, slow=True)
    def bound(given: Given) -> Response:
        return answer(rows("SELECT id, name FROM items WHERE name = %s", given.q.replace("\0", "")))

    @twin("sqli", value="2", ways=(QUERY, JSON, PATH), slow=True)
    def bound_number(given: Given) -> Response:
        """A bound text that is no number is an error of the server's, in its own words."""
        try:
            found = rows("SELECT name FROM items WHERE id = %s", given.q.replace("\0", ""))
        except psycopg.Error as error:
            return answer({"error": str(error)}, 500)
        return answer(found)

    @twin("sqli", request=submitting(name="kim"), slow=True)
    def create_bound(given: Given) -> Response:
        made = rows("INSERT INTO notes (name) VALUES (%s) RETURNING id", str(given.values["name"]).replace("\0", ""))
        return answer({"id": made[0][0]}, 201)
