"""What goes into an archive, and what only when it is asked for."""

import tarfile
from pathlib import Path

import pytest
from tests.control.backup.installed import Told, made
from tests.migrated import migrated_file

from gatecrash.control import keys
from gatecrash.control.backup import manifest
from gatecrash.control.backup.sqlite_file import UnusableDatabase


@pytest.fixture
def installation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of an installation with everything that `gatecrash up` makes."""
    monkeypatch.delenv("GATECRASH_SECRET_KEY", raising=False)
    migrated_file(tmp_path / "data" / "gatecrash.sqlite3")
    keys.ring(tmp_path / "data", tmp_path / "keys")
    keys.secret_key(tmp_path / "data", tmp_path / "keys")
    (tmp_path / "data" / "node").mkdir()
    for name in manifest.NAMES:
        if name.startswith("data/"):
            (tmp_path / name).write_text(f"the secret of {name}")
    return tmp_path


def test_nothing_that_opens_anything_is_in_it_unless_asked_for(installation: Path) -> None:
    told = Told()
    path = installation / "without.tar.gz"
    without = made(installation, path, told, with_keys=False)
    assert [one.name for one in without.files] == [manifest.DATABASE]
    with tarfile.open(path) as tar:
        assert tar.getnames() == [manifest.MANIFEST, manifest.DATABASE]
    # Which keys it needs stands in it, by names that say nothing about them.
    [key] = keys.ring(installation / "data", installation / "keys")
    assert len(without.vault_keys) == 1
    assert without.vault_keys[0] not in key
    assert told.steps == ["Copying the database", "Taking checksums", "Packing"]
    assert told.done == 3 * without.files[0].size
    whole = made(installation, installation / "with.tar.gz", told, with_keys=True)
    assert {one.name for one in whole.files} == set(manifest.NAMES)


def test_a_database_of_nobody_is_no_backup(installation: Path) -> None:
    file = installation / "data" / "gatecrash.sqlite3"
    file.unlink()
    with pytest.raises(UnusableDatabase, match="There is no database"):
        made(installation, installation / "none.tar.gz", Told(), with_keys=False)
    file.touch()
    with pytest.raises(UnusableDatabase, match="not one of Gatecrash"):
        made(installation, installation / "none.tar.gz", Told(), with_keys=False)
    assert [one.name for one in installation.iterdir() if "none" in one.name] == []
