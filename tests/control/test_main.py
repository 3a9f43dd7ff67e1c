import subprocess
import sys


def test_management_commands_run_with_our_settings() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "gatecrash.control", "check"], capture_output=True, text=True, timeout=60, check=True
    )
    assert "no issues" in done.stdout
