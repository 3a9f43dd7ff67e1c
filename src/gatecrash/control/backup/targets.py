"""Where a backup is restored to, on either kind of database: looked at first, filled aside, exchanged in one step."""

import time
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import quote, urlsplit

from gatecrash.control.backup import sqlite_file
from gatecrash.control.backup.manifest import Manifest
from gatecrash.control.backup.postgresql_server import Server
from gatecrash.control.backup.sqlite_file import UnusableDatabase
from gatecrash.control.database import parse_url
from gatecrash.control.places import sqlite_url


class Target(Protocol):
    """kind: as in a manifest. folder: on whose file system files are put aside; None: anywhere."""

    kind: str
    folder: Path | None

    def refuse(self, manifest: Manifest, replace: bool) -> None:
        """Raise UnusableDatabase where it must not be restored to. May be asked again."""

    def stage(self, content: Path) -> str:
        """Fill a database that nobody uses; its address."""

    def take_place(self, now: int) -> str | None:
        """Put it in the place of the one in use; where the old one is kept, if there was one."""

    def discard(self) -> None:
        """Remove what was staged and is not in its place."""


def target_of(database_url: str) -> Target:
    """The target of a database's address. Raises InvalidDatabaseAddress."""
    settings = parse_url(database_url, pool_size=0)
    if settings["ENGINE"].endswith("sqlite3"):
        return SqliteTarget(Path(settings["NAME"]).absolute())
    return PostgresqlTarget(database_url, settings)


class SqliteTarget:
    """A file, exchanged by its name."""

    kind = "sqlite"

    def __init__(self, path: Path) -> None:
        self._path = path
        self._staged: Path | None = None
        self.folder: Path | None = path.parent

    def refuse(self, manifest: Manifest, replace: bool) -> None:  # noqa: ARG002 - every SQLite 3 reads the files of every other
        """As Target."""
        sqlite_file.seize(self._path)
        if not replace:
            _refuse_filled(sqlite_file.is_empty(self._path), str(self._path))

    def stage(self, content: Path) -> str:
        """As Target: the unpacked file itself, once it is looked over."""
        sqlite_file.check(content)
        self._staged = content
        return sqlite_url(content)

    def take_place(self, now: int) -> str | None:
        """As Target."""
        assert self._staged is not None
        sqlite_file.seize(self._path)
        sqlite_file.seize(self._staged)  # it was migrated: all of it must be in the one file that moves
        stamp = time.strftime("%Y%m%d-%H%M%S", time.gmtime(now))
        kept = not sqlite_file.is_empty(self._path)
        aside = self._path.with_name(f"{self._path.name}.before-restore-{stamp}") if kept else None
        sqlite_file.take_place(self._staged, self._path, aside)
        return str(aside) if aside else None

    def discard(self) -> None:
        """As Target: its folder goes with everything in it."""


class PostgresqlTarget:
    """A database on a server, exchanged by its name."""

    kind = "postgresql"
    folder: Path | None = None

    def __init__(self, url: str, settings: dict[str, Any]) -> None:
        self._url = url
        self._server = Server(settings)
        self._staged: str | None = None

    def refuse(self, manifest: Manifest, replace: bool) -> None:
        """As Target."""
        here, there = self._server.version(), manifest.server
        if int(here.partition(".")[0]) < int(there.partition(".")[0]):
            raise UnusableDatabase(
                f"The backup is of PostgreSQL {there}, and this server is {here}: restore it to {there.partition('.')[0]} or later."
            )
        self._server.refuse_in_use()
        if not replace:
            _refuse_filled(self._server.is_empty(), self._server.name)

    def stage(self, content: Path) -> str:
        """As Target."""
        self._staged = self._server.beside("restoring")
        self._server.drop(self._staged)  # of a restore that was killed
        self._server.restore(content, self._staged)
        return urlsplit(self._url)._replace(path="/" + quote(self._staged, safe="")).geturl()

    def take_place(self, now: int) -> str | None:
        """As Target."""
        assert self._staged is not None
        self._server.refuse_in_use()
        stamp = time.strftime("before_restore_%Y%m%d_%H%M%S", time.gmtime(now))
        aside = None if self._server.is_empty() else self._server.beside(stamp)
        self._server.take_place(self._staged, aside)
        self._staged = None
        return aside

    def discard(self) -> None:
        """As Target."""
        if self._staged is not None:
            self._server.drop(self._staged)


def _refuse_filled(empty: bool, named: str) -> None:
    if not empty:
        raise UnusableDatabase(
            f"{named} is not empty. --replace puts the backup in its place and keeps the old one under another name."
        )
