"""A database in a file: copied while it is in use, and put in another's place in one step."""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from gatecrash.core.errors import UserError

_PAGES = 2048
BUSY_SECONDS = 20
# Rows here mean that somebody works with it; a database that was only migrated has none.
LIVED_IN = ("accounts_client", "accounts_user")


class UnusableDatabase(UserError):
    """A database is not there, damaged, in use, or not empty where it ought to be."""


def version() -> str:
    """Of the library, which reads the files of every other version 3."""
    return sqlite3.sqlite_version


def copy(source: Path, target: Path, told: Callable[[int, int], None]) -> None:
    """Copy the database as it is now into an empty file, and look that the copy is sound.

    One read transaction is held meanwhile: without it each write of the service would make the copy begin anew.
    told: bytes done, bytes in all. Raises UnusableDatabase where it is not there or damaged.
    """
    if not source.is_file():
        raise UnusableDatabase(f"There is no database at {source}; name its folder with --data-dir.")
    with _explained(source), closing(_opened(source)) as one, closing(_opened(target)) as other:
        page = int(one.execute("PRAGMA page_size").fetchone()[0])
        one.execute("BEGIN")
        one.execute("SELECT count(*) FROM sqlite_master").fetchone()
        one.backup(other, pages=_PAGES, progress=lambda _, left, total: told((total - left) * page, total * page))
        one.execute("ROLLBACK")
        _settle(other, source)


def check(path: Path) -> None:
    """Raise UnusableDatabase where the file is no sound database."""
    with _explained(path), closing(_opened(path)) as one:
        _settle(one, path)


def migrations(path: Path) -> list[str]:
    """Those applied, in their order, as `app.name`."""
    with _explained(path), closing(_opened(path)) as one:
        if not one.execute("SELECT 1 FROM sqlite_master WHERE name = 'django_migrations'").fetchone():
            return []
        return [f"{app}.{name}" for app, name in one.execute("SELECT app, name FROM django_migrations ORDER BY id")]


def is_empty(path: Path) -> bool:
    """Whether nobody works with it yet: absent, without a table, or migrated without a client and a user."""
    if not path.exists() or path.stat().st_size == 0:
        return True
    with _explained(path), closing(_opened(path)) as one:
        tables = {name for (name,) in one.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if not tables & set(LIVED_IN):
            return not tables
        return not any(
            one.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchone()  # noqa: S608 - names from above
            for table in LIVED_IN
            if table in tables
        )


def seize(path: Path) -> None:
    """Bring all of it into the one file. Raises UnusableDatabase where another process has it open.

    Only who is alone may leave the write-ahead log (sqlite.org/wal.html, section 2), which so tells that we are.
    """
    if not path.exists() or path.stat().st_size == 0:
        return
    with _explained(path), closing(sqlite3.connect(path, timeout=0, isolation_level=None)) as one:
        try:
            one.execute("PRAGMA journal_mode=DELETE").fetchone()
        except sqlite3.OperationalError as error:
            if "locked" not in str(error):
                raise
            raise UnusableDatabase(f"{path} is in use. Stop the service (every process of it) first.") from error


def take_place(fresh: Path, path: Path, aside: Path | None) -> None:
    """Put a file in the seized database's place in one step, the old one kept under another name where one is given."""
    for left in ("-wal", "-shm"):  # of a database that was removed: SQLite would replay it into the new one
        path.with_name(path.name + left).unlink(missing_ok=True)
    if aside is not None:
        try:
            os.link(path, aside)
        except OSError:  # no second names on this file system
            path.replace(aside)
    fresh.replace(path)
    _sync(path.parent)


def _settle(connection: sqlite3.Connection, named: Path) -> None:
    """Leave the write-ahead log, and look over every page."""
    connection.execute("PRAGMA journal_mode=DELETE").fetchone()
    said = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    if said != "ok":
        raise UnusableDatabase(f"{named} is damaged: {said}.")


def _opened(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None)


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise UnusableDatabase(f"{path} cannot be used as an SQLite database: {error}.") from error


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
