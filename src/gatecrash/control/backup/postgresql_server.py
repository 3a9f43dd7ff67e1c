"""A database on a server: dumped by PostgreSQL's own program, and restored beside the old one, which it then replaces.

The dump goes into a database of a name of its own, so that whatever fails, the one in use is as it was; two names are
then changed in one transaction.
"""

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo

from gatecrash.control.backup.sqlite_file import LIVED_IN, UnusableDatabase
from gatecrash.core.errors import TargetError, UserError

_MAINTENANCE = "postgres"
_LONGEST_NAME = 63
_LOOK_SECONDS = 0.5
_MAJOR = re.compile(r"\(PostgreSQL\) (\d+)")


class ProgramMissing(UserError):
    """pg_dump or pg_restore is not here, or too old for the server."""


class Server:
    """The server and the database of Django's settings. Raises TargetError where it is not reached."""

    def __init__(self, database: Mapping[str, Any]) -> None:
        options = {name: value for name, value in database["OPTIONS"].items() if name != "pool"}
        named = {"host": database["HOST"], "port": database["PORT"], "user": database["USER"]}
        self.name = str(database["NAME"])
        self._password = str(database["PASSWORD"])
        self._where = {**options, **{name: value for name, value in named.items() if value}}

    def version(self) -> str:
        """The server's, as `15.18`."""
        with self._connected(_MAINTENANCE, self.name) as connection:
            return str(_one(connection, "SHOW server_version")).split()[0]

    def exists(self) -> bool:
        """Whether the database is there."""
        with self._connected(_MAINTENANCE, self.name) as connection:
            return _one(connection, "SELECT 1 FROM pg_database WHERE datname = %s", self.name) is not None

    def migrations(self) -> list[str]:
        """Those applied, in their order, as `app.name`."""
        with self._connected(self.name) as connection:
            if _one(connection, "SELECT to_regclass('django_migrations')") is None:
                return []
            return [
                f"{app}.{name}"
                for app, name in connection.execute("SELECT app, name FROM django_migrations ORDER BY id")
            ]

    def size(self) -> int:
        """Bytes on the server's disk; a dump is smaller."""
        with self._connected(self.name) as connection:
            return int(str(_one(connection, "SELECT pg_database_size(current_database())")))

    def is_distributed(self) -> bool:
        """Whether Citus keeps a part of the rows on other machines, where a dump of one database would be half of it."""
        with self._connected(self.name) as connection:
            if _one(connection, "SELECT to_regclass('pg_dist_partition')") is None:
                return False
            return _one(connection, "SELECT 1 FROM pg_dist_partition LIMIT 1") is not None

    def is_empty(self) -> bool:
        """Whether nobody works with it yet: absent, without a table, or migrated without a client and a user."""
        if not self.exists():
            return True
        with self._connected(self.name) as connection:
            here = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"
            tables = {name for (name,) in connection.execute(here)}
            if not tables & set(LIVED_IN):
                return not tables
            rows = (sql.SQL("SELECT 1 FROM {} LIMIT 1").format(sql.Identifier(name)) for name in LIVED_IN)
            return not any(connection.execute(one).fetchone() for one in rows)

    def refuse_in_use(self) -> None:
        """Raise UnusableDatabase where somebody is connected to it."""
        with self._connected(_MAINTENANCE, self.name) as connection:
            busy = "SELECT count(*) FROM pg_stat_activity WHERE datname = %s AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
            count = _one(connection, busy, self.name)
        if count:
            raise UnusableDatabase(
                f"The database {self.name} is in use ({count} connections). Stop the service, every process of it, first."
            )

    def dump(self, target: Path, told: Callable[[int], None]) -> None:
        """Write a dump of one moment into a file. told: its size so far. Raises ProgramMissing, UnusableDatabase."""
        program = self._program("pg_dump", _major(self.version()))
        arguments = ["--format=custom", "--compress=1", "--no-owner", "--no-privileges", f"--file={target}"]
        self._run([program, *arguments, f"--dbname={self._address(self.name)}"], lambda: told(target.stat().st_size))

    def restore(self, dump: Path, name: str) -> None:
        """Make a database of that name out of a dump. Raises UnusableDatabase; the database may then be there, unfinished."""
        program = self._program("pg_restore", _major(self.version()))
        with self._connected(_MAINTENANCE) as connection:
            try:
                made = sql.SQL("CREATE DATABASE {} TEMPLATE template0 ENCODING 'UTF8'").format(sql.Identifier(name))
                connection.execute(made)
            except psycopg.errors.InsufficientPrivilege as error:
                user = self._where.get("user", "the user")
                raise UnusableDatabase(
                    f"{user} may not make databases, and a backup is restored beside the old one first: "
                    f"ALTER ROLE {user} CREATEDB, or restore as another user."
                ) from error
        arguments = ["--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges"]
        self._run([program, *arguments, f"--dbname={self._address(name)}", str(dump)], lambda: None)

    def take_place(self, fresh: str, aside: str | None) -> None:
        """Give a database the name of ours in one step; the old one keeps another name, or goes where none is given."""
        old = aside or self.beside("emptied")
        with self._connected(_MAINTENANCE) as connection:
            there = _one(connection, "SELECT 1 FROM pg_database WHERE datname = %s", self.name) is not None
            with connection.transaction():
                if there:
                    _rename(connection, self.name, old)
                _rename(connection, fresh, self.name)
        if there and aside is None:
            self.drop(old)

    def drop(self, name: str) -> None:
        """Remove a database if it is there."""
        with self._connected(_MAINTENANCE) as connection:
            connection.execute(sql.SQL("DROP DATABASE IF EXISTS {}").format(sql.Identifier(name)))

    def beside(self, word: str) -> str:
        """A name for another database beside ours."""
        return f"{self.name[: _LONGEST_NAME - len(word) - 1]}_{word}"

    @contextmanager
    def _connected(self, *names: str) -> Iterator["psycopg.Connection[Any]"]:
        """A connection to the first of the databases that lets us in; statements of their own transactions."""
        password = self._password or None
        *others, last = names
        for name in others:
            try:
                connection = psycopg.connect(self._address(name), autocommit=True, password=password)
                break
            except psycopg.OperationalError:
                continue  # not everybody may use the maintenance database
        else:
            try:
                connection = psycopg.connect(self._address(last), autocommit=True, password=password)
            except psycopg.OperationalError as error:
                raise TargetError(f"The database server was not reached: {str(error).strip()}") from error
        with connection:
            yield connection

    def _address(self, name: str) -> str:
        """Of a database, without the password: others can see the arguments of a program."""
        return make_conninfo("", dbname=name, **self._where)

    def _run(self, command: list[str], told: Callable[[], None]) -> None:
        environment = {**os.environ, **({"PGPASSWORD": self._password} if self._password else {})}
        process = subprocess.Popen(  # noqa: S603 - our own arguments, and no shell
            command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )
        try:
            while True:
                try:
                    _, said = process.communicate(timeout=_LOOK_SECONDS)
                    break
                except subprocess.TimeoutExpired:
                    told()
        finally:
            if process.poll() is None:  # interrupted
                process.terminate()
                process.wait()
        if process.returncode:
            words = said.decode(errors="replace").strip() or f"it ended with {process.returncode}"
            raise UnusableDatabase(f"{Path(command[0]).name} failed: {words}")

    @staticmethod
    def _program(name: str, wanted: int) -> str:
        """The program of this major version or a later one: an older one does not know the server's tables."""
        folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
        found = [shutil.which(name), *(str(folder / name) for folder in folders if (folder / name).exists())]
        seen = []
        for program in filter(None, found):
            asked = [program, "--version"]
            told = subprocess.run(asked, capture_output=True, text=True, check=False).stdout  # noqa: S603 - no shell
            if _major_of(told) >= wanted:
                return program
            seen.append(told.strip())
        here = f"; here is only {', '.join(seen)}" if seen else " and was not found"
        raise ProgramMissing(
            f"{name} of PostgreSQL {wanted} or later is needed{here}. It comes with PostgreSQL's client programs "
            f"(on Debian: postgresql-client-{wanted})."
        )


def _major(version: str) -> int:
    return int(version.partition(".")[0])


def _major_of(told: str) -> int:
    found = _MAJOR.search(told)
    return int(found[1]) if found else 0


def _one(connection: "psycopg.Connection[Any]", statement: str, *values: object) -> object:
    row = connection.execute(statement.encode(), values or None).fetchone()
    return row[0] if row else None


def _rename(connection: "psycopg.Connection[Any]", old: str, new: str) -> None:
    connection.execute(sql.SQL("ALTER DATABASE {} RENAME TO {}").format(sql.Identifier(old), sql.Identifier(new)))
