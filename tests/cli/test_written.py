"""Files for the user: whole, never half, and nothing replaced that is no file."""

import os
from pathlib import Path

import pytest

from gatecrash.cli.written import refuse_unwritable, save
from gatecrash.core.errors import UserError


def test_a_file_is_replaced_whole(tmp_path: Path) -> None:
    path = tmp_path / "report.txt"
    path.write_bytes(b"before")
    save(path, b"after")
    assert (path.read_bytes(), [one.name for one in tmp_path.iterdir()]) == (b"after", ["report.txt"])


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    path = tmp_path / "none" / "x.txt"
    with pytest.raises(UserError, match="cannot be written: No such file"):
        save(path, b"x")
    with pytest.raises(UserError, match="there is no folder"):
        refuse_unwritable(path)


def test_a_folder_is_no_place_for_a_report(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="it is a folder"):
        refuse_unwritable(tmp_path)
    (tmp_path / "folder").mkdir()
    with pytest.raises(UserError, match="cannot be written"):
        save(tmp_path / "folder", b"x")
    assert [(one.name, one.is_dir()) for one in tmp_path.iterdir()] == [("folder", True)]


def test_a_pipe_is_written_to_and_stays_one(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    reading = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        save(path, b"through")
        assert os.read(reading, 100) == b"through"
    finally:
        os.close(reading)
    assert path.is_fifo()
