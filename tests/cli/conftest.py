"""What the tests of the command line share: a running service, an installation, and a way to call commands on each."""

import json
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from tests.cli.ready_process import ReadyProcess
from tests.cli.running import CLEAN, Up
from tests.migrated import migrated_file

from gatecrash.cli.main import main

Invoke = Callable[..., Result]


@pytest.fixture(scope="session")
def up(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Up]:
    """A running service without a node."""
    with Up(tmp_path_factory.mktemp("service"), "--no-node") as running:
        yield running


@pytest.fixture
def invoke(up: Up, monkeypatch: pytest.MonkeyPatch) -> Invoke:
    """Run a command in this process, as the owner of the running service."""
    monkeypatch.setenv("GATECRASH_API", up.known()["api"])
    monkeypatch.setenv("GATECRASH_TOKEN", up.known()["token"])
    monkeypatch.setenv("NO_COLOR", "1")

    def run(*arguments: str) -> Result:
        result = CliRunner().invoke(main, list(arguments))
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exc_info
        return result

    return run


@pytest.fixture
def document(invoke: Invoke) -> Callable[..., Any]:
    """Run a command with --json that must succeed; its document."""

    def read(*arguments: str) -> Any:
        result = invoke(*arguments, "--json")
        assert result.exit_code == 0, result.stderr
        return json.loads(result.stdout)

    return read


class Installation:
    """A data directory, and `gatecrash` run on it in processes of their own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.environment = {
            **CLEAN,
            "HOME": str(folder),
            "GATECRASH_DATA_DIR": str(folder / "data"),
            "GATECRASH_KEY_DIR": str(folder / "keys"),
        }

    def run(self, *arguments: str, given: str = "", **environment: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, "-m", "gatecrash", *arguments],
            env={**self.environment, **environment},
            input=given,
            capture_output=True,
            text=True,
            check=False,
        )

    def audited(self) -> list[str]:
        """What its audit log tells, the oldest first."""
        with closing(sqlite3.connect(self.folder / "data" / "gatecrash.sqlite3")) as connection:
            return [
                action for (action,) in connection.execute("SELECT action FROM accounts_auditentry ORDER BY number")
            ]

    def json(self, *arguments: str) -> Any:
        done = self.run(*arguments, "--json")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)


class ReadyInstallation(Installation):
    """The same, without the start of a process for each command."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._ready = ReadyProcess(folder, self.environment)

    def run(self, *arguments: str, given: str = "", **environment: str) -> "subprocess.CompletedProcess[str]":
        """In a fork, but where the environment is another: settings are read when a process starts."""
        if environment:
            return super().run(*arguments, given=given, **environment)
        return self._ready.run(*arguments, given=given)

    def close(self) -> None:
        self._ready.close()


@pytest.fixture(scope="session")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """An installation with one client, `cl_first`."""
    folder = tmp_path_factory.mktemp("installation")
    migrated_file(folder / "data" / "gatecrash.sqlite3")
    with closing(ReadyInstallation(folder)) as made:
        assert made.run("client", "create", "First", "--id", "cl_first").stdout == "cl_first\n"
        yield made


@pytest.fixture
def unused(tmp_path: Path) -> Installation:
    """An installation with a database that nobody has used yet."""
    made = Installation(tmp_path)
    migrated_file(tmp_path / "data" / "gatecrash.sqlite3")
    return made


@pytest.fixture
def empty(tmp_path: Path) -> Installation:
    """An installation of which nothing exists yet."""
    return Installation(tmp_path)
