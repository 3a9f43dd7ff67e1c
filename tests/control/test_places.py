"""Where an installation lies."""

from pathlib import Path

import pytest

from gatecrash.control import places
from gatecrash.control.database import parse_url


def test_marks_of_an_address_in_a_folders_name_name_the_same_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "100%25 of #1?"
    monkeypatch.setenv("GATECRASH_DATA_DIR", str(folder))
    monkeypatch.delenv("GATECRASH_DATABASE_URL", raising=False)
    assert parse_url(places.database_url())["NAME"] == str(folder / "gatecrash.sqlite3")


def test_keys_lie_outside_the_data_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GATECRASH_DATA_DIR", "GATECRASH_KEY_DIR", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert not places.key_dir().is_relative_to(places.data_dir())
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "c"))
    assert places.key_dir() == tmp_path / "c" / "gatecrash"
