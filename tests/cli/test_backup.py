"""`backup` and `restore` as they are typed: files, refusals, words; with a service that works, in tests/e2e/test_backup.py."""

import stat
from pathlib import Path

from tests.cli.conftest import Installation

from gatecrash.cli.tree.lock import DataLock


def test_an_installation_is_restored_elsewhere_but_never_where_a_service_runs(
    installation: Installation, empty: Installation, tmp_path: Path
) -> None:
    here = installation
    file = tmp_path / "a backup of ours — ä.tar.gz"
    done = here.run("backup", str(file))
    assert (done.returncode, done.stdout) == (0, "")
    assert "without them the vault cannot be opened" in done.stderr
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    again = here.run("backup", str(file))
    assert (again.returncode, "--overwrite" in again.stderr) == (2, True)
    lock = DataLock(here.folder / "data")  # as `gatecrash up` holds it
    lock.acquire()
    try:
        refused = here.run("restore", "--replace", str(file))
    finally:
        lock.release()
    assert (refused.returncode, "in use by another `gatecrash up`" in refused.stderr) == (2, True)
    restored = empty.run("restore", str(file))
    assert restored.returncode == 0, restored.stderr
    assert "this machine lacks 1 key" in restored.stderr
    assert here.audited()[-1] == "backup.make"
    assert empty.audited()[-1] == "backup.restore"
    assert "backup.make" not in empty.audited(), "a backup does not hold the entry of its own making"
