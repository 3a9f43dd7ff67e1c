"""The shop's database: SQLite in memory, filled with invented rows; one connection, used by one thread.

Queries that may take long run on a copy of their own, so that nobody else waits for them.
"""

import asyncio
import hashlib
import hmac
import secrets
import sqlite3
import threading
import time
from contextlib import closing
from pathlib import Path
from typing import Any

Row = dict[str, Any]

API_KEY = "warehouse-4f1c9a2be07d"
USERS = (("ada", "lovelace-1815"), ("grace", "hopper-1906"))

# Small on purpose: the demo signs in often, and these passwords guard nothing.
_SCRYPT = {"n": 2**8, "r": 8, "p": 1}

# A long query makes way for others now and then, as on a busy server, and is ended after some seconds.
_STEPS_AT_ONCE = 100_000
_MAKE_WAY_SECONDS = 0.002
_MOST_SECONDS = 5.0

_SCHEMA = """
CREATE TABLE customers (id INTEGER PRIMARY KEY, login TEXT UNIQUE, salt BLOB, digest BLOB, name TEXT, street TEXT);
CREATE TABLE sessions (token TEXT PRIMARY KEY, customer_id INTEGER REFERENCES customers);
CREATE TABLE teas (id INTEGER PRIMARY KEY, name TEXT, origin TEXT, cents INTEGER, member_cents INTEGER, grams INTEGER);
CREATE TABLE reviews (id INTEGER PRIMARY KEY, tea_id INTEGER REFERENCES teas, stars INTEGER, text TEXT);
CREATE TABLE suppliers (id INTEGER PRIMARY KEY, name TEXT, country TEXT);
CREATE TABLE tastings (id INTEGER PRIMARY KEY, city TEXT, tea_id INTEGER REFERENCES teas);
CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers, tea_id INTEGER, grams INTEGER);
CREATE TABLE shipments (ref TEXT PRIMARY KEY, order_id INTEGER REFERENCES orders, state TEXT);
"""

_TEAS = (
    ("Sencha", "Japan", 890, 790, 4200),
    ("Gyokuro", "Japan", 2490, 2190, 800),
    ("Genmaicha", "Japan", 750, 690, 3100),
    ("Assam", "India", 620, 560, 9000),
    ("Darjeeling", "India", 1190, 990, 2600),
    ("Keemun", "China", 980, 880, 1900),
    ("Oolong", "China", 1340, 1190, 1400),
)
_REVIEWS = (
    (1, 5, "Green and bright."),
    (1, 4, "Better at seventy degrees."),
    (2, 5, "Worth the wait."),
    (4, 3, "Strong; takes milk well."),
    (6, 4, "Cocoa and smoke."),
)
_SUPPLIERS = (
    ("Uji Leaf", "Japan"),
    ("Brahmaputra Gardens", "India"),
    ("Qimen Hills", "China"),
    ("Shizuoka Co-op", "Japan"),
)
_TASTINGS = (("Kyoto", 1), ("Kyoto", 2), ("Hamburg", 5), ("Bristol", 4))
_STREETS = ("12 St James's Square", "77 Pier Road")


class Store:
    """Queries of the shop, each as a function of values. folder: the shop's files, for those handlers that read some."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._db = sqlite3.connect(":memory:", check_same_thread=False)
        self._db.row_factory = sqlite3.Row
        self._db.executescript(_SCHEMA)
        self._fill()

    def rows(self, sql: str, *values: object) -> list[Row]:
        """All rows of a query. Only its caller knows whether `sql` was put together safely."""
        return [dict(row) for row in self._db.execute(sql, values)]

    def row(self, sql: str, *values: object) -> Row | None:
        """The first row of a query, or None."""
        return next(iter(self.rows(sql, *values)), None)

    async def long_rows(self, sql: str) -> list[Row]:
        """All rows of a query that may take some seconds. Only its caller knows whether `sql` was put together safely."""
        copy = sqlite3.connect(":memory:", check_same_thread=False)
        copy.row_factory = sqlite3.Row
        self._db.backup(copy)
        until, abandoned = time.monotonic() + _MOST_SECONDS, threading.Event()

        def make_way() -> bool:
            time.sleep(_MAKE_WAY_SECONDS)
            return abandoned.is_set() or time.monotonic() > until

        def run() -> list[Row]:
            # Closed where it runs: whoever closes it from elsewhere takes the handler away that is being called.
            with closing(copy):
                return [dict(row) for row in copy.execute(sql)]

        copy.set_progress_handler(make_way, _STEPS_AT_ONCE)
        running = asyncio.get_running_loop().run_in_executor(None, run)
        # Nobody is left to be told how a query ended that nobody waits for.
        running.add_done_callback(lambda done: done.cancelled() or done.exception())
        try:
            return await asyncio.shield(running)
        finally:
            abandoned.set()

    def sign_in(self, login: str, password: str) -> str | None:
        """A new token for the customer, or None where login and password do not belong together."""
        found = self.row("SELECT id, salt, digest FROM customers WHERE login = ?", login)
        if found is None or not hmac.compare_digest(_digest(password, found["salt"]), found["digest"]):
            return None
        token = secrets.token_urlsafe(24)
        with self._db:
            self._db.execute("INSERT INTO sessions VALUES (?, ?)", (token, found["id"]))
        return token

    def customer_of(self, token: str) -> int | None:
        """The customer whom a token belongs to."""
        found = self.row("SELECT customer_id FROM sessions WHERE token = ?", token)
        return None if found is None else int(found["customer_id"])

    def password_fits(self, login: str, password: str) -> bool:
        """Whether login and password belong together."""
        found = self.row("SELECT salt, digest FROM customers WHERE login = ?", login)
        return found is not None and hmac.compare_digest(_digest(password, found["salt"]), found["digest"])

    def close(self) -> None:
        """Give the memory back."""
        self._db.close()

    def _fill(self) -> None:
        with self._db:
            for number, ((login, password), street) in enumerate(zip(USERS, _STREETS, strict=True), 1):
                salt = secrets.token_bytes(16)
                person = (number, login, salt, _digest(password, salt), login.title(), street)
                self._db.execute("INSERT INTO customers VALUES (?, ?, ?, ?, ?, ?)", person)
            self._db.executemany(
                "INSERT INTO teas (name, origin, cents, member_cents, grams) VALUES (?, ?, ?, ?, ?)", _TEAS
            )
            self._db.executemany("INSERT INTO reviews (tea_id, stars, text) VALUES (?, ?, ?)", _REVIEWS)
            self._db.executemany("INSERT INTO suppliers (name, country) VALUES (?, ?)", _SUPPLIERS)
            self._db.executemany("INSERT INTO tastings (city, tea_id) VALUES (?, ?)", _TASTINGS)
            orders = [(number, 1 + number % 2, 1 + number % 7, 50 * number) for number in range(1, 41)]
            self._db.executemany("INSERT INTO orders VALUES (?, ?, ?, ?)", orders)
            shipments = [(f"SH-{1000 + order}", order, "delivered" if order % 3 else "packed") for order, *_ in orders]
            self._db.executemany("INSERT INTO shipments VALUES (?, ?, ?)", shipments)


def _digest(password: str, salt: bytes) -> bytes:
    return hashlib.scrypt(password.encode(), salt=salt, **_SCRYPT)
