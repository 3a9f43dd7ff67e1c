"""A real `gatecrash up` for tests: started, waited for by its own words, ended, and its processes counted."""

import fcntl
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.migrated import migrated_file

CLEAN = {name: value for name, value in os.environ.items() if not name.startswith(("GATECRASH_", "XDG_"))}


class Up:
    """One `gatecrash up` on free ports, in a folder of its own."""

    def __init__(self, folder: Path, *arguments: str, migrated: bool = True, **environment: str) -> None:
        self.folder = folder
        self.data_dir = folder / "data"
        if migrated and not self.data_dir.exists():  # a first start all the same: there is no client in it
            migrated_file(self.data_dir / "gatecrash.sqlite3")
        self.ready_file = folder / "ready.json"
        self.environment = {**CLEAN, "GATECRASH_KEY_DIR": str(folder / "keys"), "HOME": str(folder), **environment}
        self._stderr = (folder / "stderr").open("a+")
        self.process = subprocess.Popen(
            self.command(*arguments),
            env=self.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._stderr,
            text=True,
        )
        self.said = ""

    def command(self, *arguments: str) -> list[str]:
        ports = [] if "--port" in arguments else ["--port", "0"]
        ports += [] if {"--no-node", "--proxy-port"} & set(arguments) else ["--proxy-port", "0"]
        ports += [] if {"--no-node", "--collector-port"} & set(arguments) else ["--collector-port", "0"]
        known = ["--data-dir", str(self.data_dir), "--ready-file", str(self.ready_file)]
        return [sys.executable, "-m", "gatecrash", "up", *known, *ports, *arguments]

    def __enter__(self) -> "Up":
        return self.ready()

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.terminate()
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            pipe.close()
        self.process.wait()
        self._stderr.close()

    def ready(self) -> "Up":
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said += line
            if "Stop with Ctrl-C" in line:
                return self
        raise AssertionError(f"up ended with {self.process.wait()}:\n{self.complaints()}")

    def known(self) -> dict[str, Any]:
        return json.loads(self.ready_file.read_text())

    def complaints(self) -> str:
        return (self.folder / "stderr").read_text()

    def end(self, number: int = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        return self.process.wait()

    def await_last_process(self) -> None:
        """Block until nothing of the tree is left: each of its processes holds the lock."""
        with (self.data_dir / "up.lock").open() as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)

    def processes(self) -> set[int]:
        """Every process that works on this data directory, by its environment."""
        wanted = f"GATECRASH_DATA_DIR={self.data_dir}".encode()
        found = set()
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                try:
                    environment = (entry / "environ").read_bytes().split(b"\0")
                except OSError:
                    continue
                if wanted in environment:
                    found.add(int(entry.name))
        return found
