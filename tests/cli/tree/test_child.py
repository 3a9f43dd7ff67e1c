"""One child: how long it rests after dying, and that nothing of it stays."""

import os
from pathlib import Path

import pytest

from gatecrash.cli.tree.child import LONGEST_PAUSE, Child, pause


def test_the_pause_doubles_and_is_bounded() -> None:
    assert [pause(deaths) for deaths in (1, 2, 3)] == [0.5, 1.0, 2.0]
    assert pause(1000) == LONGEST_PAUSE


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    (tmp_path / "quick.py").write_text("import sys; sys.exit(7)\n")
    (tmp_path / "stubborn.py").write_text(
        "import os, signal, time\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "os.write(int(os.environ['TOLD']), b'x')\n"
        "while True: time.sleep(60)\n"
    )
    return {**os.environ, "PYTHONPATH": str(tmp_path)}


def test_an_end_is_reported_once_with_its_code(environment: dict[str, str]) -> None:
    child = Child("quick", "quick", (), environment)
    child.start()
    code = None
    while code is None:  # bounded by the test's timeout
        code = child.died()
    assert (code, child.died(), child.deaths, child.pid) == (7, None, 1, None)


def test_what_ignores_the_request_is_killed(environment: dict[str, str]) -> None:
    read, write = os.pipe()
    child = Child("stubborn", "stubborn", (), {**environment, "TOLD": str(write)}, keep=(write,))
    child.start()
    os.read(read, 1)
    child.ask_to_stop()
    child.await_end(deadline=0.0)
    assert child.pid is None
    os.close(read)
    os.close(write)
