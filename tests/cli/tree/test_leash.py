"""Whoever is on the leash ends with its supervisor."""

import os
import sys
from pathlib import Path

import pytest

from gatecrash.cli.tree.child import Child


@pytest.fixture
def stubborn(tmp_path: Path) -> dict[str, str]:
    """The environment in which a module `stubborn` ignores SIGTERM and says when it does."""
    (tmp_path / "stubborn.py").write_text(
        "import os, signal, time\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "os.write(int(os.environ['TOLD']), b'x')\n"
        "while True: time.sleep(60)\n"
    )
    return {**os.environ, "PYTHONPATH": str(tmp_path)}


@pytest.mark.skipif(sys.platform == "win32", reason="process groups")
def test_the_leash_ends_even_what_ignores_a_request(stubborn: dict[str, str]) -> None:
    read, write = os.pipe()
    child = Child("stubborn", "stubborn", (), {**stubborn, "TOLD": str(write)}, keep=(write,))
    child.start()
    os.close(write)
    os.read(read, 1)
    process = child._process
    assert process is not None
    assert process.stdin is not None
    process.stdin.close()  # as the kernel does when the supervisor dies
    assert os.read(read, 1) == b"", "the child's copy of the pipe is closed: it has ended"
    assert process.wait() == -9
    os.close(read)
