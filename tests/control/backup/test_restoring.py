"""Whatever fails while a backup is restored, the installation is as it was."""

import shutil
from pathlib import Path

import pytest
from tests.control.backup.installed import Told, made
from tests.control.backup.test_archive import changed, other_bytes
from tests.control.backup.test_sqlite_file import count, filled
from tests.migrated import migrated_file

from gatecrash.control import keys
from gatecrash.control.backup import restoring
from gatecrash.control.backup.restoring import Restored, restore
from gatecrash.control.places import sqlite_url
from gatecrash.core.errors import UserError


@pytest.fixture
def backup(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A backup, without keys, of an installation in `original`."""
    monkeypatch.delenv("GATECRASH_KEYS", raising=False)
    home = tmp_path / "original"
    migrated_file(home / "data" / "gatecrash.sqlite3")
    keys.ring(home / "data", home / "keys")
    made(home, tmp_path / "backup.tar.gz", Told(), with_keys=False)
    return tmp_path / "backup.tar.gz"


def restored(path: Path, home: Path, *, replace: bool = False, key_dir: Path | None = None) -> Restored:
    return restore(
        path,
        data_dir=home / "data",
        key_dir=key_dir or home / "keys",
        database_url=sqlite_url(home / "data" / "db"),
        replace=replace,
        progress=Told(),
    )


def everything(home: Path) -> dict[str, bytes]:
    return {str(one.relative_to(home)): one.read_bytes() for one in home.rglob("*") if one.is_file()}


def test_what_is_refused_changes_nothing(backup: Path, tmp_path: Path) -> None:
    home = tmp_path / "other"
    (home / "data").mkdir(parents=True)
    filled(home / "data" / "db", 3)
    before = everything(home)
    with pytest.raises(UserError, match="not empty"):
        restored(backup, home)
    truncated = tmp_path / "truncated"
    truncated.write_bytes(backup.read_bytes()[:-100])
    tampered = shutil.copy(backup, tmp_path / "tampered")
    changed(tampered, other_bytes)
    for damaged in (truncated, tampered):
        with pytest.raises(UserError):
            restored(damaged, home, replace=True)
        with pytest.raises(UserError):
            restoring.verify(damaged, Told())
    with pytest.raises(UserError, match="kind sqlite"):
        restore(
            backup,
            data_dir=home / "data",
            key_dir=home / "keys",
            database_url="postgresql://nobody@127.0.0.1:9/none",
            replace=True,
            progress=Told(),
        )
    assert everything(home) == before


def test_keys_of_this_machine_are_found_and_others_are_named(backup: Path, tmp_path: Path) -> None:
    """An installation that is replaced keeps its own keys: the database that was put aside needs them."""
    home = tmp_path / "other"
    own = keys.ring(home / "data", home / "keys")
    filled(home / "data" / "db", 3)
    (home / "data" / ".restoring-killed").mkdir()
    lacking = restored(backup, home, replace=True)
    assert lacking.missing == lacking.manifest.vault_keys
    assert lacking.aside is not None
    assert count(Path(lacking.aside)) == 3
    assert not list((home / "data").glob(".restoring*"))
    assert keys.ring(home / "data", home / "keys") == own
    original = tmp_path / "original" / "keys" / f"keys-{lacking.manifest.installation}"
    shutil.copy(original, home / "keys")
    found = restored(backup, home, replace=True)
    assert found.missing == ()
    assert keys.ring(home / "data", home / "keys") == [*own, original.read_text().strip()]
