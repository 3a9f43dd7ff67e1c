"""One consistent archive of an installation, while it works."""

import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Protocol

from gatecrash import __version__
from gatecrash.control import keys, vault
from gatecrash.control.backup import archive, manifest, sqlite_file
from gatecrash.control.backup.postgresql_server import Server
from gatecrash.control.backup.sqlite_file import UnusableDatabase
from gatecrash.core.errors import UserError


class Progress(Protocol):
    """Whoever tells the user how far it is."""

    def step(self, text: str, total: int | None) -> Callable[[int], None]:
        """A step begins; what it returns is told of the bytes done since the last time. total: None where unknown."""


def make(
    path: Path, *, data_dir: Path, key_dir: Path, database: Mapping[str, Any], with_keys: bool, progress: Progress
) -> manifest.Manifest:
    """Write the archive: whole, 0600, or not at all. database: Django's settings of it.

    Raises UserError where the database cannot be read or the file not be written, TargetError where the server is away.
    """
    with ExitStack() as stack:
        part = stack.enter_context(archive.private_part(path))
        copy = stack.enter_context(archive.private_part(path.with_name(path.name + ".database")))
        kind, server, migrations = _copied(database, copy, progress)
        # Keys are read behind the database: what a rotation meanwhile has sealed opens too.
        ring = keys.ring(data_dir, key_dir)
        files = [(manifest.DATABASE, copy)]
        if with_keys:
            listed = stack.enter_context(archive.private_part(path.with_name(path.name + ".keys")))
            listed.write_text("\n".join(ring) + "\n", encoding="utf-8")
            files += [(manifest.RING, listed), *_secrets(data_dir, key_dir)]
        look = progress.step("Taking checksums", sum(source.stat().st_size for _, source in files))
        told = manifest.Manifest(
            program=__version__,
            made_at=int(time.time()),
            kind=kind,
            server=server,
            migrations=tuple(migrations),
            installation=keys.installation(data_dir),
            vault_keys=tuple(vault.name_of(key) for key in ring),
            with_keys=with_keys,
            files=tuple(archive.entry_of(name, source, look) for name, source in files),
        )
        archive.write(part, told, files, progress.step("Packing", sum(one.size for one in told.files)))
        part.replace(path)
    return told


def _copied(database: Mapping[str, Any], copy: Path, progress: Progress) -> tuple[str, str, list[str]]:
    """Copy the database as it is now: its kind, its server's version, and its migrations."""
    if database["ENGINE"].endswith("sqlite3"):
        source = Path(database["NAME"])
        step = progress.step("Copying the database", source.stat().st_size if source.exists() else None)
        done = 0

        def told(now: int, _total: int) -> None:
            nonlocal done
            step(now - done)
            done = now

        sqlite_file.copy(source, copy, told)
        return "sqlite", sqlite_file.version(), _lived(sqlite_file.migrations(copy), str(source))
    server = Server(database)
    version, migrations = server.version(), _lived(server.migrations(), server.name)
    if server.is_distributed():
        raise UserError(
            f"The rows of {server.name} are distributed over several machines by Citus. Back up the cluster as a whole with "
            "its own means (pg_basebackup of each machine); one database's dump would not be consistent."
        )
    dumped = progress.step("Dumping the database", None)
    server.dump(copy, lambda _: dumped(0))
    return "postgresql", version, migrations


def _lived(migrations: list[str], named: str) -> list[str]:
    if not migrations:
        raise UnusableDatabase(
            f"The database {named} is not one of Gatecrash: it has no migrations. Nothing was written."
        )
    return migrations


def _secrets(data_dir: Path, key_dir: Path) -> list[tuple[str, Path]]:
    """What lets somebody in, besides the keys of the vault, as far as it is there."""
    known = (
        (manifest.SECRET, key_dir / f"secret-{keys.installation(data_dir)}"),
        *((name, target(data_dir, name)) for name in manifest.NAMES if name.startswith("data/")),
    )
    return [(name, path) for name, path in known if path.is_file()]


def target(data_dir: Path, name: str) -> Path:
    """Where a file of the data directory belongs."""
    return data_dir / name.removeprefix("data/")
