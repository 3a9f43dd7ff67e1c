"""`backup` and `restore` as they are typed: files, refusals, words."""

import json
import stat
from pathlib import Path

from tests.cli.conftest import Installation
from tests.cli.running import Up


def test_an_installation_is_backed_up_and_restored_elsewhere(
    installation: Installation, empty: Installation, tmp_path: Path
) -> None:
    file = tmp_path / "a backup of ours — ä.tar.gz"
    done = installation.run("backup", str(file))
    assert (done.returncode, done.stdout) == (0, "")
    assert "without them the vault cannot be opened" in done.stderr
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    again = installation.run("backup", str(file))
    assert (again.returncode, "--overwrite" in again.stderr) == (2, True)
    assert installation.run("backup", str(tmp_path)).returncode == 2
    restored = empty.run("restore", str(file))
    assert restored.returncode == 0, restored.stderr
    assert "this machine lacks 1 key" in restored.stderr
    assert empty.json("client", "list") == installation.json("client", "list")


def test_a_running_service_is_not_restored_over(up: Up, tmp_path: Path) -> None:
    here = Installation(up.folder)
    file = tmp_path / "running.tar.gz"
    assert here.run("backup", str(file)).returncode == 0
    refused = here.run("restore", "--replace", str(file))
    assert (refused.returncode, "in use by another `gatecrash up`" in refused.stderr) == (2, True)
    told = here.run("restore", "--verify", "--json", str(file))
    assert json.loads(told.stdout)["kind"] == "sqlite"
    file.write_bytes(file.read_bytes()[:-20])
    cut = here.run("restore", "--verify", str(file))
    assert (cut.returncode, "Traceback" in cut.stderr) == (2, False)
