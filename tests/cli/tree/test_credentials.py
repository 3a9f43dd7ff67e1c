"""Files with secrets are private from their first byte and never half written."""

import stat
from pathlib import Path

from gatecrash.cli.tree.credentials import read_owner, write_owner, write_private


def test_a_private_file_is_its_owner_s_alone(tmp_path: Path) -> None:
    path = tmp_path / "secret"
    path.write_text("old, and readable by all")
    path.chmod(0o644)
    write_private(path, "new")
    assert (path.read_text(), stat.S_IMODE(path.stat().st_mode)) == ("new", 0o600)
    assert list(tmp_path.iterdir()) == [path], "no draft stays"


def test_the_owner_s_access_comes_back(tmp_path: Path) -> None:
    known = {"api": "http://127.0.0.1:1", "token": "t", "client_id": "cl_1"}
    assert read_owner(tmp_path) == {}
    write_owner(tmp_path, known)
    assert read_owner(tmp_path) == known
    (tmp_path / "credentials.json").write_text("[")
    assert read_owner(tmp_path) == {}
