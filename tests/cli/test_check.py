"""The check tells what is well, what is not, and the way out."""

import errno
import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.cli.conftest import Installation
from tests.cli.running import Up

from gatecrash.cli import check
from gatecrash.control.chosen_database import remember


def test_check_tells_what_is_well_and_what_is_not(installation: Installation) -> None:
    done = installation.run("check", "--offline", "--json")
    assert done.returncode == 0, done.stdout
    states = {one["name"]: one["state"] for one in json.loads(done.stdout)["checks"]}
    assert states["migrations"] == states["keys"] == states["database"] == "ok"
    online = installation.run("check", "--api", "http://127.0.0.1:9", "--token", "x" * 30)
    assert online.returncode == 1
    assert "does not say that it is ready" in online.stdout


@pytest.mark.parametrize(("free", "state"), [(0, "wrong"), (50 * 10**6, "warning"), (5 * 10**9, "ok")])
def test_a_disk_that_is_full_or_nearly_so_is_told(free: int, state: str) -> None:
    found = check.room(free)
    assert found.state == state
    assert ("make room" in found.detail) == (state != "ok")


def test_a_full_disk_leaves_the_other_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setenv("GATECRASH_LOG_LEVEL", "WARNING")  # the command sets it where nobody has
    monkeypatch.setattr(check, "opened", full)
    done = CliRunner().invoke(check.command, ["--offline", "--data-dir", str(tmp_path)])
    assert done.exit_code == 1
    assert "room" in done.output
    assert "cannot be opened: No space left on device" in done.output


def test_check_names_a_missing_directory(empty: Installation) -> None:
    done = empty.run("check", "--offline")
    assert done.returncode == 1
    assert "is missing" in done.stdout
    assert not (empty.folder / "data").exists(), "looking changes nothing"


def test_check_takes_no_empty_file_for_an_installation_that_is_on_a_server(empty: Installation) -> None:
    data = empty.folder / "data"
    data.mkdir(mode=0o700)
    remember(data, "postgresql://anna@db.example/gate")
    done = empty.run("check", "--offline")
    assert done.returncode == 1
    assert "GATECRASH_DATABASE_URL" in done.stdout
    token = empty.run("token", "create", "x")
    assert token.returncode != 0
    assert "keeps its data in PostgreSQL at db.example/gate" in token.stderr
    assert not (data / "gatecrash.sqlite3").exists()


def test_check_finds_the_service_well(up: Up) -> None:
    environment = {**up.environment, "GATECRASH_DATA_DIR": str(up.data_dir)}
    command = [sys.executable, "-m", "gatecrash", "check", "--json"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert {one["state"] for one in json.loads(done.stdout)["checks"]} == {"ok"}
