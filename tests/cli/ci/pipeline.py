"""One step of a pipeline for tests: `gatecrash ci …` as a process, its variables and what it prints."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tests.cli.running import CLEAN, Up


def variables(up: Up, **more: str) -> dict[str, str]:
    known = up.known()
    return {**CLEAN, "GATECRASH_API": known["api"], "GATECRASH_TOKEN": known["token"], "NO_COLOR": "1", **more}


def step(environment: Mapping[str, str], *arguments: str) -> "subprocess.CompletedProcess[str]":
    """A step to its end."""
    return subprocess.run(command(*arguments), env=dict(environment), capture_output=True, text=True, check=False)


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "gatecrash", "ci", *arguments]


def printed(text: str) -> dict[str, str]:
    """The NAME=value lines."""
    return dict(line.split("=", 1) for line in text.splitlines())


class Recording:
    """A running `ci record`. proxy: where it listens. record_id: as printed."""

    def __init__(self, process: "subprocess.Popen[str]", folder: Path) -> None:
        self._process = process
        self._folder = folder
        assert process.stdout is not None
        self.record_id = printed(process.stdout.readline())["TEST_RECORD_ID"]
        said = self.said()
        while "Recording through " not in said:
            said = self.said()
        self.proxy = f"http://{said.split('Recording through ')[1].split(';')[0]}"

    def said(self) -> str:
        return (self._folder / "recording").read_text()

    def stop(self) -> int:
        """As `timeout` and Ctrl-C do it: the whole process group is told."""
        os.killpg(self._process.pid, signal.SIGTERM)
        return self._process.wait()

    def wait(self) -> int:
        return self._process.wait()


@contextmanager
def recording(environment: Mapping[str, str], folder: Path) -> Iterator[Recording]:
    """Start `ci record` on a free port; it is killed with the test, whatever happens."""
    with (folder / "recording").open("w") as stderr:
        process = subprocess.Popen(
            command("record", "--proxy-listen", "127.0.0.1:0"),
            env=dict(environment),
            stdout=subprocess.PIPE,
            stderr=stderr,
            text=True,
            start_new_session=True,
        )
        try:
            yield Recording(process, folder)
        finally:
            process.kill()
            assert process.stdout is not None
            process.stdout.close()
            process.wait()
