"""A worker of its own works until it is told to stop."""

import signal
import subprocess
import sys

from tests.cli.conftest import Installation


def test_a_worker_starts_and_ends_with_a_signal(installation: Installation) -> None:
    command = [sys.executable, "-m", "gatecrash", "worker"]
    with subprocess.Popen(command, env=installation.environment, stderr=subprocess.PIPE, text=True) as worker:
        assert worker.stderr is not None
        assert "worker started" in worker.stderr.readline()
        worker.send_signal(signal.SIGTERM)
        worker.stderr.read()
    assert worker.returncode == 0
