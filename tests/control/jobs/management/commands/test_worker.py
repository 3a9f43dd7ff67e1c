import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.database


def test_sigterm_ends_the_process_in_order(database_url: str, tmp_path: Path) -> None:
    environment = os.environ | {"GATECRASH_DATABASE_URL": database_url, "GATECRASH_DATA_DIR": str(tmp_path)}
    command = [sys.executable, "-m", "gatecrash.control"]
    worker = subprocess.Popen([*command, "worker"], env=environment, stderr=subprocess.PIPE, text=True)
    assert worker.stderr is not None
    try:
        assert "worker started" in worker.stderr.readline()
        worker.send_signal(signal.SIGTERM)
        _, errors = worker.communicate(timeout=60)
        assert worker.returncode == 0
        assert "worker stopped" in errors
    finally:
        worker.kill()
        worker.wait()
