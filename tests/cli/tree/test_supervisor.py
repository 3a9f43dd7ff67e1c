"""All children together: restarted, given up on at the start, ended in order."""

import os
import signal
from pathlib import Path

import pytest

from gatecrash.cli.tree import child as child_module
from gatecrash.cli.tree.child import Child
from gatecrash.cli.tree.supervisor import Stopped, Supervisor


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    (tmp_path / "quick.py").write_text("import sys; sys.exit(7)\n")
    (tmp_path / "patient.py").write_text("import time\nwhile True: time.sleep(60)\n")
    return {**os.environ, "PYTHONPATH": str(tmp_path)}


def test_a_child_that_never_stays_is_given_up_on_at_the_start(
    environment: dict[str, str], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(child_module, "FIRST_PAUSE", 0.01)
    quick = Child("quick one", "quick", (), environment)
    with Supervisor([quick]) as supervisor:
        supervisor.start(quick)
        assert not supervisor.until(lambda: False, seconds=100)
        assert supervisor.exhausted is quick
    assert "The quick one ended with exit code 7; it is started again in 0.01 s." in capfd.readouterr().err


def test_a_signal_ends_the_wait_and_every_child(environment: dict[str, str]) -> None:
    children = [Child(name, "patient", (), environment) for name in ("first", "second")]
    before = signal.getsignal(signal.SIGTERM)
    with Supervisor(children) as supervisor:
        supervisor.start(*children)
        assert all(child.pid for child in children)
        os.kill(os.getpid(), signal.SIGTERM)
        with pytest.raises(Stopped):
            supervisor.until(lambda: False, seconds=100)
    assert [child.pid for child in children] == [None, None]
    assert signal.getsignal(signal.SIGTERM) == before


def test_what_is_ready_is_not_waited_for(environment: dict[str, str]) -> None:
    patient = Child("patient", "patient", (), environment)
    with Supervisor([patient]) as supervisor:
        assert supervisor.until(lambda: True, seconds=0)
