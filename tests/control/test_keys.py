import stat
from pathlib import Path

import pytest

from gatecrash.control import keys
from gatecrash.control.keys import KeyFileError


@pytest.fixture(autouse=True)
def no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GATECRASH_KEYS", "GATECRASH_SECRET_KEY"):
        monkeypatch.delenv(name, raising=False)


def test_keys_are_made_once_private_and_outside_the_data_directory(tmp_path: Path) -> None:
    data, private = tmp_path / "data", tmp_path / "keys"
    first = keys.ring(data, private)
    assert keys.ring(data, private) == first
    path = keys.ring_file(data, private)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [first[0] in file.read_text() for file in data.iterdir()] == [False]


def test_two_installations_of_one_user_have_keys_of_their_own(tmp_path: Path) -> None:
    assert keys.ring(tmp_path / "a", tmp_path / "k") != keys.ring(tmp_path / "b", tmp_path / "k")
    assert keys.secret_key(tmp_path / "a", tmp_path / "k") != keys.secret_key(tmp_path / "b", tmp_path / "k")


def test_a_moved_data_directory_finds_its_keys(tmp_path: Path) -> None:
    made = keys.ring(tmp_path / "a", tmp_path / "k")
    (tmp_path / "a").rename(tmp_path / "b")
    assert keys.ring(tmp_path / "b", tmp_path / "k") == made


def test_a_key_file_that_others_can_read_is_refused(tmp_path: Path) -> None:
    keys.ring(tmp_path, tmp_path / "k")
    keys.ring_file(tmp_path, tmp_path / "k").chmod(0o644)
    with pytest.raises(KeyFileError, match="chmod 600"):
        keys.ring(tmp_path, tmp_path / "k")


def test_an_empty_key_file_is_refused(tmp_path: Path) -> None:
    keys.ring(tmp_path, tmp_path / "k")
    keys.ring_file(tmp_path, tmp_path / "k").write_text("")
    with pytest.raises(KeyFileError, match="empty"):
        keys.ring(tmp_path, tmp_path / "k")


def test_a_folder_that_cannot_be_had_is_told_with_the_way_out(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(KeyFileError, match="GATECRASH_KEY_DIR"):
        keys.ring(tmp_path / "data", tmp_path / "file" / "keys")


def test_rotation_puts_a_new_key_first_and_keeps_the_old_ones(tmp_path: Path) -> None:
    before = keys.ring(tmp_path, tmp_path / "k")
    keys.rotate(tmp_path, tmp_path / "k")
    after = keys.ring(tmp_path, tmp_path / "k")
    assert after[1:] == before
    assert after[0] not in before
    assert stat.S_IMODE(keys.ring_file(tmp_path, tmp_path / "k").stat().st_mode) == 0o600


def test_keys_of_the_environment_come_before_files_and_cannot_be_rotated_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GATECRASH_KEYS", "one, two,")
    monkeypatch.setenv("GATECRASH_SECRET_KEY", "given")
    assert keys.ring(tmp_path, tmp_path / "k") == ["one", "two"]
    assert keys.secret_key(tmp_path, tmp_path / "k") == "given"
    with pytest.raises(KeyFileError, match="GATECRASH_KEYS"):
        keys.rotate(tmp_path, tmp_path / "k")
