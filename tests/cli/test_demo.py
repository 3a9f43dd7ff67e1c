"""The demo leaves nothing behind when it is interrupted or killed; `tests/demo` tells the story to its end."""

import fcntl
import signal
import subprocess
import sys
from pathlib import Path

from tests.cli.running import CLEAN

COMMAND = [sys.executable, "-m", "gatecrash", "demo"]


def started(folder: Path) -> "subprocess.Popen[str]":
    environment = {**CLEAN, "TMPDIR": str(folder), "HOME": str(folder)}
    demo = subprocess.Popen(COMMAND, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert demo.stdout is not None
    for line in demo.stdout:
        if line.startswith("API "):
            return demo
    raise AssertionError("the demo ended before it started")


def test_an_interrupted_demo_cleans_up(tmp_path: Path) -> None:
    with started(tmp_path) as demo:
        demo.send_signal(signal.SIGINT)
        demo.communicate()
    assert demo.returncode == 130
    assert list(tmp_path.glob("gatecrash-demo-*")) == []


def test_nothing_outlives_a_killed_demo(tmp_path: Path) -> None:
    with started(tmp_path) as demo:
        demo.kill()
        demo.communicate()
    [lock] = tmp_path.glob("gatecrash-demo-*/data/up.lock")
    with lock.open() as file:
        # Every process of the service holds this lock; it can be had when the last one is gone.
        fcntl.flock(file, fcntl.LOCK_EX)
