"""What `restore` refuses before it looks at any installation; the rest is in test_backup.py."""

from pathlib import Path

from tests.cli.conftest import Invoke


def test_a_file_that_is_no_backup_is_wrong_usage(invoke: Invoke, tmp_path: Path) -> None:
    absent = invoke("restore", "--verify", str(tmp_path / "absent"))
    assert (absent.exit_code, "No such file" in absent.stderr) == (2, True)
    assert invoke("restore", "--verify", str(tmp_path)).exit_code == 2
    (tmp_path / "text").write_text("hello")
    assert invoke("restore", "--verify", "--json", str(tmp_path / "text")).stdout == ""
    assert invoke("restore", "--json", str(tmp_path / "text")).exit_code == 2
