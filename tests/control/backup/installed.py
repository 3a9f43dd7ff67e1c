"""Making a backup of a folder, and hearing what its user is told."""

from pathlib import Path
from typing import Any

from gatecrash.control.backup.making import make
from gatecrash.control.backup.manifest import Manifest
from gatecrash.control.database import parse_url
from gatecrash.control.places import sqlite_url


class Told:
    """What the user was told."""

    def __init__(self) -> None:
        self.steps: list[str] = []
        self.done = 0

    def step(self, text: str, total: int | None) -> "Told":
        self.steps.append(text)
        return self

    def __call__(self, count: int) -> None:
        self.done += count


def made(home: Path, archive: Path, told: Told, *, with_keys: bool, database: dict[str, Any] | None = None) -> Manifest:
    """Back up the installation below a folder. database: where its rows are, unless they are in that folder too."""
    return make(
        archive,
        data_dir=home / "data",
        key_dir=home / "keys",
        database=database or parse_url(sqlite_url(home / "data" / "gatecrash.sqlite3")),
        with_keys=with_keys,
        progress=told,
    )
