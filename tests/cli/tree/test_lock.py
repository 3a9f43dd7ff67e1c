"""The lock on a data directory: one living holder; what a dead one left is waited for."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from gatecrash.cli.tree.lock import DataLock, InUse


def test_a_second_holder_is_told_who_the_first_is(tmp_path: Path) -> None:
    first = DataLock(tmp_path)
    first.acquire()
    with pytest.raises(InUse, match=f"process {os.getpid()}"):
        DataLock(tmp_path).acquire()
    first.release()
    again = DataLock(tmp_path)
    again.acquire()
    again.release()


def test_the_remains_of_a_dead_holder_are_waited_for(tmp_path: Path) -> None:
    """The holder is gone but its child still has the lock; it ends when its input does."""
    code = (
        "import subprocess, sys; from pathlib import Path; from gatecrash.cli.tree.lock import DataLock\n"
        "lock = DataLock(Path(sys.argv[1])); lock.acquire()\n"
        "subprocess.Popen([sys.executable, '-c', 'import sys; sys.stdin.read(1)'], pass_fds=(lock.fileno(),))\n"
    )
    holder = subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], stdin=subprocess.PIPE)
    assert holder.wait() == 0
    lock = DataLock(tmp_path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("gatecrash.cli.tree.lock.PATIENCE_SECONDS", 0.0)
        with pytest.raises(InUse):
            lock.acquire()
    assert holder.stdin is not None
    holder.stdin.close()
    lock.acquire()
    lock.release()
