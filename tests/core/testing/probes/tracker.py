"""A tracker whose statements show nothing: on a real SQLite that also has the waiting functions of other engines.

Its clock is its own: `pg_sleep` and `SLEEP` move it instead of waiting, and so does the work that SQLite does.
"""

import sqlite3
from random import Random
from urllib.parse import parse_qsl

from tests.in_memory import InMemory

from gatecrash.core.message import Request, Response

INSTRUCTIONS, SECONDS_EACH = 10_000, 0.0005
STATEMENTS = {
    "/text": "SELECT count(*) FROM visits WHERE ref = '{}'",
    "/number": "SELECT count(*) FROM visits WHERE id = {}",
    "/order": "SELECT * FROM visits ORDER BY {}",
    "/insert": "INSERT INTO visits (ref) VALUES ('{}')",
}


class Tracker:
    """functions: which waiting functions the database has. elapsed: seconds of the last answer by its own clock."""

    def __init__(self, *functions: str, seed: int = 7, jitter: float = 0.1, slow: float = 0.0) -> None:
        self.random, self.elapsed, self.jitter, self.slow = Random(seed), 0.0, jitter, slow
        self.database = InMemory()
        self.database.execute("CREATE TABLE visits (id INTEGER PRIMARY KEY, ref TEXT)")
        self.database.executemany("INSERT INTO visits (ref) VALUES (?)", [("news",)] * 50 + [("mail",)] * 50)
        for function in functions:
            self.database.create_function(function, 1, self.pg_sleep if function == "pg_sleep" else self.mysql_sleep)
        self.database.set_progress_handler(self.work, INSTRUCTIONS)

    def pg_sleep(self, seconds: float) -> str:
        self.elapsed += seconds
        return ""

    def mysql_sleep(self, seconds: float) -> int:
        self.elapsed += seconds
        return 0

    def work(self) -> int:
        self.elapsed += SECONDS_EACH
        return 0

    def __call__(self, request: Request) -> Response:
        given = dict(parse_qsl((request.query or request.body).decode(), keep_blank_values=True))
        path, value = request.path.decode(), given.get("ref", given.get("sort", ""))
        self.elapsed = self.slow + self.random.expovariate(1 / self.jitter)
        try:
            if path in STATEMENTS:
                self.database.execute(STATEMENTS[path].format(value)).fetchall()
            elif path == "/bound":
                self.database.execute(STATEMENTS["/text"].replace("'{}'", "?"), (value,)).fetchall()
            elif path == "/odd-is-slow" and not value.isalnum():
                self.elapsed += 2.5
        except sqlite3.Error:
            pass
        return Response(200, ((b"Content-Type", b"application/json"),), b'{"ok": true}')
