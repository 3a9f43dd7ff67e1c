"""Making a backup of a folder, and hearing what its user is told."""

from pathlib import Path
from typing import Any

from gatecrash.control.backup.making import make
from gatecrash.control.backup.manifest import Manifest


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


def made(home: Path, archive: Path, database: dict[str, Any], told: Told, *, with_keys: bool) -> Manifest:
    """Back up the installation below a folder, whose rows are in this database."""
    return make(
        archive,
        data_dir=home / "data",
        key_dir=home / "keys",
        database=database,
        with_keys=with_keys,
        progress=told,
    )
