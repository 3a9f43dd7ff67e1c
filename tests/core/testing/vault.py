"""A vault: a database and a tree of files that handlers change by what they are told, carelessly.

Every question is put to a fresh copy. What it removed or changed is compared with what the recorded question does, and
whatever lies beyond that is noted. Files outside of the tree are never touched: that they would have been is noted.
"""

import json
import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from urllib.parse import parse_qsl, unquote

from tests.core.testing.shell import leaves, path_outside, run_within
from tests.in_memory import InMemory

from gatecrash.core.message import Request, Response

# A negated condition is not among them: there any other value at all, a misspelt one included, finds more than the recorded.
STATEMENTS = {
    "delete-by-number": "DELETE FROM items WHERE id = {} AND owner = 1",
    "delete-in": "DELETE FROM items WHERE id IN ({}) AND owner = 1",
    "delete-by-name": "DELETE FROM items WHERE name = '{}' AND owner = 1",
    "delete-in-names": "DELETE FROM items WHERE (owner = 1 AND name IN ('{}'))",
    "delete-like": "DELETE FROM items WHERE name LIKE '{}%' AND owner = 1",
    "delete-double": 'DELETE FROM items WHERE name = "{}"',
    "update": "UPDATE items SET price = 0 WHERE name = '{}' AND owner = 1",
    "update-to": "UPDATE items SET name = '{}' WHERE id = 1",
    "update-number": "UPDATE items SET price = {} WHERE id = 1",
    "insert": "INSERT INTO items (name, owner) VALUES ('{}', 3)",
    "delete-then-order": "DELETE FROM items WHERE id = (SELECT id FROM items WHERE owner = 1 ORDER BY {} LIMIT 1)",
}
COMMANDS = {
    "rm": "rm -f {}",
    "rm-single": "rm -f 'files/{}'",
    "rm-double": 'rm -rf "files/{}"',
    "clear": ": > files/{}",
}
FILES = {"files/tea": "Tea.", "files/cup": "Cup.", "files/kept/deep": "Deep.", "secret": "Sesame."}
ROWS = [
    (1, "cup", 3, 1),
    (2, "tea", 5, 1),
    (3, "green tea", 7, 1),
    (4, "tea", 9, 2),
    (5, "", 1, 1),
    (6, "o'clock", 2, 2),
]
Change = tuple[str, object]


class Vault:
    """root: an empty folder. beyond: what a question changed or removed that the recorded one does not."""

    def __init__(self, root: Path) -> None:
        self.root = root / "tree"
        self.beyond: list[str] = []
        self.allowed: frozenset[Change] | None = None
        self.pristine = InMemory()
        self.pristine.execute("CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT, price INTEGER, owner INTEGER)")
        self.pristine.executemany("INSERT INTO items VALUES (?, ?, ?, ?)", ROWS)
        self.pristine.commit()
        self._fill()

    def _fill(self) -> None:
        shutil.rmtree(self.root, ignore_errors=True)
        for name, content in FILES.items():
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            (self.root / name).write_text(content)

    def __call__(self, request: Request) -> Response:
        kind, _, name = request.path.decode("latin-1").strip("/").partition("/")
        name, _, rest = name.partition("/")
        try:
            value = unquote(rest) if rest else _value(request)
            changes = HANDLERS[kind](self, name, value)
        except (sqlite3.Error, LookupError, TypeError, ValueError, OSError) as error:
            return Response(500, (), f"internal error: {error}".encode("utf-8", "replace"))
        if self.allowed is None:
            self.allowed = frozenset(changes)
        elif beyond := changes - self.allowed:
            self.beyond.append(f"{name} {value!r}: {sorted(beyond, key=str)}")
        return Response(200, ((b"Content-Type", b"application/json"),), json.dumps({"changed": len(changes)}).encode())

    def statement(self, name: str, value: str) -> set[Change]:
        """The rows, of those that were there, that the statement removed, and the columns that it changed."""
        failed: sqlite3.Error | None = None
        with closing(sqlite3.connect(":memory:")) as copy:
            self.pristine.backup(copy)
            statement = STATEMENTS[name].format(value)
            # One statement after the other, as SQLite's scripts and MySQL's several statements are run, up to one that fails.
            try:
                (copy.executescript if ";" in statement else copy.execute)(statement)
            except sqlite3.Error as error:
                failed = error
            left = {row[0]: row for row in copy.execute("SELECT id, name, price, owner FROM items")}
        changes: set[Change] = {(f"row {row[0]}", "removed") for row in ROWS if row[0] not in left}
        changes |= {
            (f"row {row[0]}", column)
            for row in ROWS
            for column in range(4)
            if row[0] in left and left[row[0]][column] != row[column]
        }
        if failed and not changes:
            raise failed
        return changes

    def command(self, name: str, value: str) -> set[Change]:
        """The files that the command removed or changed."""
        line = COMMANDS[name].format(value)
        if leaves(line):
            outside = path_outside(self.root, value.removeprefix("files/"))
            return {(str(outside), "outside")} if outside is not None and outside.exists() else set()
        run_within(self.root, line)
        return self._lost()

    def file(self, name: str, value: str) -> set[Change]:
        """Removes or overwrites the file of that name, unless it lies outside of the tree: that is only noted."""
        path = Path(os.path.normpath(self.root / "files" / value))
        if not path.is_relative_to(self.root / "files"):
            within = path.is_relative_to(self.root)
            harmless = str(path).startswith("/proc/") or not path.exists()
            return set() if harmless and not within else {(str(path), "outside")}
        if name == "remove":
            path.unlink()
        elif path.parent.is_dir():
            path.write_text("new")
        return self._lost()

    def _lost(self) -> set[Change]:
        lost = {
            (name, "lost")
            for name, content in FILES.items()
            if not (self.root / name).is_file() or (self.root / name).read_text() != content
        }
        if lost:
            self._fill()
        return lost


HANDLERS: dict[str, Callable[[Vault, str, str], set[Change]]] = {
    "sql": Vault.statement,
    "shell": Vault.command,
    "file": Vault.file,
}


def _value(request: Request) -> str:
    if b"json" in (request.first(b"Content-Type") or b""):
        document = json.loads(request.body)
        return str(document["q"])
    found = dict(parse_qsl((request.query or request.body).decode("utf-8", "surrogateescape"), keep_blank_values=True))
    return found["q"]
