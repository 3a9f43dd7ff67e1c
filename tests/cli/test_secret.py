"""Secrets are read from files and standard input, first line only."""

import io
from pathlib import Path

import pytest

from gatecrash.cli.secret import read_secret
from gatecrash.cli.settings import Unusable


def test_the_first_line_counts_without_blanks(tmp_path: Path) -> None:
    (tmp_path / "token").write_text("  abc \nmore\n")
    assert read_secret(tmp_path / "token", "token") == "abc"


def test_a_dash_is_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("abc\nrest"))
    assert read_secret(Path("-"), "token") == "abc"


def test_absent_empty_and_binary_files_are_named(tmp_path: Path) -> None:
    (tmp_path / "empty").write_text("\n")
    (tmp_path / "binary").write_bytes(b"\xff\xfe")
    for name, words in (("absent", "cannot be read"), ("empty", "is empty"), ("binary", "cannot be read")):
        with pytest.raises(Unusable, match=f"token file .*{name} {words}"):
            read_secret(tmp_path / name, "token")
