"""`gatecrash` for many commands on one installation: all is imported and set up once, and each command is a fork of that.

What a process of its own costs more than the command itself is Python's start, and Django's. As a program this is the
process that forks; `ReadyProcess` asks it.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


class ReadyProcess:
    """The process, for one environment, with a folder in which the streams of its commands may lie."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self.streams = [folder / name for name in ("given", "said", "complained")]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.cli.ready_process"],
            env={
                **environment,
                "PYTHONPATH": os.pathsep.join((str(ROOT / "src"), str(ROOT))),
                "DJANGO_SETTINGS_MODULE": "gatecrash.control.settings",
            },
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def run(self, *arguments: str, given: str = "") -> "subprocess.CompletedProcess[str]":
        """What one command said, and its exit code."""
        stdin, stdout, stderr = self.streams
        stdin.write_text(given)
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        asked = {"arguments": arguments, "streams": [str(each) for each in self.streams]}
        self.process.stdin.write(json.dumps(asked) + "\n")
        self.process.stdin.flush()
        code = int(self.process.stdout.readline())
        return subprocess.CompletedProcess(arguments, code, stdout.read_text(), stderr.read_text())

    def close(self) -> None:
        self.process.communicate()


def main() -> None:
    """Run the command of each line in a fork, and answer with its exit code."""
    import django

    import gatecrash.__main__ as program

    django.setup()
    for line in sys.stdin:
        asked = json.loads(line)
        child = os.fork()
        if not child:
            for number, name in enumerate(asked["streams"]):
                os.dup2(os.open(name, os.O_RDWR | (os.O_CREAT | os.O_TRUNC if number else 0)), number)
            sys.argv = ["gatecrash", *asked["arguments"]]
            program.run()  # raises SystemExit
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


if __name__ == "__main__":
    main()
