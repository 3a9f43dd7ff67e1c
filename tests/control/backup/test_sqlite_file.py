"""A database in a file is copied as of one moment while it is written to, and exchanged in one step."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from gatecrash.control.backup import sqlite_file
from gatecrash.control.backup.sqlite_file import UnusableDatabase


@pytest.fixture
def used(tmp_path: Path) -> Iterator[tuple[Path, sqlite3.Connection]]:
    """A database of 12 MiB in use, with its write-ahead log."""
    path = tmp_path / "used.sqlite3"
    with closing(sqlite3.connect(path, isolation_level=None, timeout=60)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("CREATE TABLE accounts_client (number integer, filling text)")
        connection.execute("BEGIN")
        connection.executemany("INSERT INTO accounts_client VALUES (?, ?)", ((n, "x" * 1000) for n in range(12_000)))
        connection.execute("COMMIT")
        yield path, connection


def filled(path: Path, rows: int) -> Path:
    """A database that somebody works with."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE accounts_client (number integer)")
        connection.executemany("INSERT INTO accounts_client VALUES (?)", ((n,) for n in range(rows)))
        connection.commit()
    return path


def count(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        return int(connection.execute("SELECT count(*) FROM accounts_client").fetchone()[0])


def test_a_copy_is_of_one_moment_though_each_step_meets_a_write(
    used: tuple[Path, sqlite3.Connection], tmp_path: Path
) -> None:
    path, writer = used
    target = tmp_path / "copy"
    target.touch()
    steps: list[tuple[int, int]] = []

    def told(done: int, total: int) -> None:
        steps.append((done, total))
        writer.execute("INSERT INTO accounts_client VALUES (-1, 'meanwhile')")

    sqlite_file.copy(path, target, told)
    assert count(target) == 12_000
    assert count(path) == 12_000 + len(steps)
    # It never began anew, or it would not end on a busy service.
    assert steps == sorted(steps)
    assert len(steps) > 1
    assert sorted(one.name for one in tmp_path.glob("copy*")) == ["copy"]


def test_a_damaged_database_is_not_taken_for_a_backup(used: tuple[Path, sqlite3.Connection], tmp_path: Path) -> None:
    path, writer = used
    writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    with path.open("r+b") as file:
        file.seek(40 * 4096)
        file.write(b"\xff" * 4096 * 4)
    (tmp_path / "copy").touch()
    with pytest.raises(UnusableDatabase):
        sqlite_file.copy(path, tmp_path / "copy", lambda *_: None)


def test_a_database_that_somebody_has_open_is_not_seized(used: tuple[Path, sqlite3.Connection]) -> None:
    path, writer = used
    with pytest.raises(UnusableDatabase, match="is in use"):
        sqlite_file.seize(path)
    writer.close()
    sqlite_file.seize(path)
    assert [one.name for one in path.parent.iterdir()] == [path.name]


def test_empty_is_what_nobody_works_with(used: tuple[Path, sqlite3.Connection], tmp_path: Path) -> None:
    path, writer = used
    assert not sqlite_file.is_empty(path)
    writer.execute("DELETE FROM accounts_client")
    assert sqlite_file.is_empty(path)
    writer.execute("ALTER TABLE accounts_client RENAME TO of_another_program")
    assert not sqlite_file.is_empty(path)
    assert sqlite_file.is_empty(tmp_path / "absent")
    (tmp_path / "text").write_text("no database at all, but somebody's")
    with pytest.raises(UnusableDatabase):
        sqlite_file.is_empty(tmp_path / "text")


def test_the_old_database_is_kept_and_a_log_without_its_database_is_not_replayed(tmp_path: Path) -> None:
    path, fresh, aside = tmp_path / "db", tmp_path / "fresh", tmp_path / "aside"
    path.write_bytes(b"old")
    fresh.write_bytes(b"new")
    path.with_name("db-wal").write_bytes(b"of a database that was removed")
    sqlite_file.take_place(fresh, path, aside)
    assert (path.read_bytes(), aside.read_bytes(), fresh.exists()) == (b"new", b"old", False)
    assert not path.with_name("db-wal").exists()


def test_migrations_are_read_in_their_order(used: tuple[Path, sqlite3.Connection]) -> None:
    path, writer = used
    assert sqlite_file.migrations(path) == []
    writer.execute("CREATE TABLE django_migrations (id integer PRIMARY KEY, app text, name text)")
    writer.execute("INSERT INTO django_migrations VALUES (2, 'a', '0002_b'), (1, 'a', '0001_a')")
    assert sqlite_file.migrations(path) == ["a.0001_a", "a.0002_b"]
    assert sqlite_file.version().startswith("3.")
