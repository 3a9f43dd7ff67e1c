"""A sealed baseline opens only with its key and in its row; the key lies elsewhere, and goes with the last baseline."""

from pathlib import Path

import pytest

from gatecrash.node.sealing import CannotOpen, Seal, key_dir


@pytest.fixture
def keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GATECRASH_KEY_DIR", str(tmp_path / "keys"))
    return tmp_path / "keys"


def test_what_is_sealed_opens_in_the_next_process_and_in_its_own_row_only(tmp_path: Path, keys: Path) -> None:
    sealed = Seal(tmp_path, "sp_1").seal(b"Bearer secret", "bl_1")
    assert b"secret" not in sealed
    again = Seal(tmp_path, "sp_1")
    assert again.open(sealed, "bl_1") == b"Bearer secret"
    for wrong in (lambda: again.open(sealed, "bl_2"), lambda: again.open(sealed[:-1] + bytes([sealed[-1] ^ 1]), "bl_1"), lambda: again.open(b"", "bl_1")):  # fmt: skip
        with pytest.raises(CannotOpen):
            wrong()
    [key] = keys.iterdir()
    assert key.stat().st_mode & 0o077 == 0
    assert keys not in (tmp_path / "x").parents


def test_without_its_key_nothing_opens(tmp_path: Path, keys: Path) -> None:
    seal = Seal(tmp_path, "sp_1")
    sealed = seal.seal(b"x", "bl_1")
    seal.forget()
    assert list(keys.iterdir()) == []
    with pytest.raises(CannotOpen, match="is gone"):
        seal.open(sealed, "bl_1")


def test_where_no_key_can_be_written_it_lies_beside_the_spool_and_that_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("GATECRASH_KEY_DIR", str(tmp_path / "file" / "keys"))
    sealed = Seal(tmp_path, "sp_1").seal(b"x", "bl_1")
    assert Seal(tmp_path, "sp_1").open(sealed, "bl_1") == b"x"
    assert "GATECRASH_KEY_DIR" in caplog.text


def test_keys_are_in_the_users_configuration_unless_told_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GATECRASH_KEY_DIR")
    monkeypatch.setenv("XDG_CONFIG_HOME", "/somewhere")
    assert key_dir() == Path("/somewhere/gatecrash")
