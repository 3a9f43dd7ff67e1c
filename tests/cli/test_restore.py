"""What `restore` tells of a file, with no installation at all; the rest is in test_backup.py."""

import json
from pathlib import Path

from click.testing import CliRunner, Result
from tests.control.backup.test_archive import packed

from gatecrash.cli.main import main
from gatecrash.control.backup.manifest import DATABASE


def restore(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["restore", *arguments])


def test_a_file_that_is_no_backup_is_wrong_usage(tmp_path: Path) -> None:
    absent = restore("--verify", str(tmp_path / "absent"))
    assert (absent.exit_code, "No such file" in absent.stderr) == (2, True)
    assert restore("--verify", str(tmp_path)).exit_code == 2
    (tmp_path / "text").write_text("hello")
    assert restore("--verify", "--json", str(tmp_path / "text")).stdout == ""
    assert restore("--json", str(tmp_path / "text")).exit_code == 2


def test_a_backup_is_verified_and_told(tmp_path: Path) -> None:
    whole = packed(tmp_path, {DATABASE: b"a database"})
    told = restore("--verify", "--json", str(whole))
    assert (told.exit_code, json.loads(told.stdout)["kind"]) == (0, "sqlite")
    assert "is whole" in restore("--verify", str(whole)).stderr
    whole.write_bytes(whole.read_bytes()[:-20])
    assert restore("--verify", str(whole)).exit_code == 2
