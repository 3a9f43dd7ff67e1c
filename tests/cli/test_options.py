"""Tokens come from options and files, and are never shown."""

from pathlib import Path

from tests.cli.conftest import Invoke
from tests.cli.running import Up


def test_a_bad_token_is_refused_and_never_shown(up: Up, invoke: Invoke) -> None:
    result = invoke("run", "list", "--token", "gck_wrong-and-secret")
    assert result.exit_code == 4
    assert "gck_wrong-and-secret" not in result.output
    assert "gck_wrong-and-secret" not in up.complaints()


def test_a_token_comes_from_a_file_or_standard_input(up: Up, invoke: Invoke, tmp_path: Path) -> None:
    path = tmp_path / "token"
    path.write_text(up.known()["token"] + "\n")
    assert invoke("run", "list", "--token-file", str(path)).exit_code == 0
    assert invoke("run", "list", "--token-file", str(tmp_path / "absent")).exit_code == 2
    assert invoke("run", "list", "--token-file", str(path), "--token", "x").exit_code == 2
