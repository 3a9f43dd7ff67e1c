"""Clients, users, tokens, keys and the check, on a real database in this installation."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.cli.running import CLEAN


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

    def run(self, *arguments: str, given: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "gatecrash", *arguments],
            env={**self.environment, **environment},
            input=given,
            capture_output=True,
            text=True,
            check=False,
        )

    def json(self, *arguments: str) -> Any:
        done = self.run(*arguments, "--json")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    made = Installation(tmp_path_factory.mktemp("installation"))
    assert made.run("db", "migrate").returncode == 0
    assert made.run("client", "create", "First", "--id", "cl_first").stdout == "cl_first\n"
    return made


def test_a_client_can_be_made_listed_and_deleted(installation: Installation) -> None:
    made = installation.json("client", "create", "Second")
    assert {"cl_first", made["id"]} <= {row["id"] for row in installation.json("client", "list")["objects"]}
    assert installation.run("client", "delete", made["id"], given="n\n").returncode == 1
    assert installation.run("client", "delete", made["id"], "--yes").returncode == 0
    assert [row["id"] for row in installation.json("client", "list")["objects"]] == ["cl_first"]


def test_a_client_cannot_be_made_twice_or_without_a_name(installation: Installation) -> None:
    assert installation.run("client", "create", "Again", "--id", "cl_first").returncode == 2
    assert installation.run("client", "create", " ").returncode == 2
    assert installation.run("client", "delete", "cl_unknown", "--yes").returncode == 2


def test_a_token_is_printed_once_and_can_be_revoked(installation: Installation) -> None:
    done = installation.run("token", "create", "pipeline", "--role", "ci", "--expires-in", "90")
    text = done.stdout.strip()
    assert len(text) > 40
    assert text not in done.stderr
    listed = installation.run("token", "list")
    assert text not in listed.stdout
    [row] = [row for row in installation.json("token", "list")["objects"] if row["name"] == "pipeline"]
    assert (row["role"], row["revoked_at"]) == ("ci", None)
    assert row["expires_at"] > row["created_at"] + 89 * 86400
    assert installation.run("token", "revoke", row["id"]).returncode == 0
    assert "revoked" in installation.run("token", "list").stdout
    assert installation.run("token", "revoke", "tok_unknown").returncode == 2


def test_a_user_gets_a_role_and_a_password(installation: Installation) -> None:
    made = installation.json("user", "create", "Ada@Example.com", "--role", "analyst")
    assert (made["email"], made["role"]) == ("ada@example.com", "analyst")
    assert len(made["password"]) >= 16
    assert installation.run("user", "create", "ada@example.com").returncode == 2
    assert "password" not in installation.json("user", "list")["objects"][0]
    changed = installation.run(
        "user", "password", "ada@example.com", "--password-file", "-", given="a long enough one\n"
    )
    assert (changed.returncode, "a long enough one" in changed.stdout + changed.stderr) == (0, False)
    assert (
        installation.run("user", "password", "ada@example.com", "--password-file", "-", given="short\n").returncode == 2
    )
    assert installation.run("user", "remove", "ada@example.com").returncode == 0
    assert installation.json("user", "list")["total"] == 0
    assert installation.run("user", "create", "no address").returncode == 2


def test_several_clients_need_a_choice(installation: Installation) -> None:
    other = installation.json("client", "create", "Other")["id"]
    try:
        refused = installation.run("token", "list")
        assert (refused.returncode, "--client" in refused.stderr) == (2, True)
        assert installation.run("token", "list", GATECRASH_CLIENT=other).returncode == 0
        assert installation.run("token", "list", "--client", "cl_unknown").returncode == 2
    finally:
        installation.run("client", "delete", other, "--yes")


def test_a_rotated_key_stands_before_the_others(installation: Installation) -> None:
    [path] = (installation.folder / "keys").glob("keys-*")
    before = path.read_text().split()
    assert installation.run("key", "rotate").returncode == 0
    assert path.read_text().split()[1:] == before
    assert installation.run("key", "rotate", GATECRASH_KEYS=before[0]).returncode == 2


def test_check_tells_what_is_well_and_what_is_not(installation: Installation) -> None:
    done = installation.run("check", "--offline", "--json")
    assert done.returncode == 0, done.stdout
    states = {one["name"]: one["state"] for one in json.loads(done.stdout)["checks"]}
    assert states["migrations"] == states["keys"] == states["database"] == "ok"
    online = installation.run("check", "--api", "http://127.0.0.1:9", "--token", "x" * 30)
    assert online.returncode == 1
    assert "does not say that it is ready" in online.stdout


def test_check_names_a_missing_directory(tmp_path: Path) -> None:
    done = Installation(tmp_path).run("check", "--offline")
    assert done.returncode == 1
    assert "is missing" in done.stdout
    assert not (tmp_path / "data").exists(), "looking changes nothing"


def test_a_database_that_was_not_migrated_is_explained(tmp_path: Path) -> None:
    done = Installation(tmp_path).run("client", "list")
    assert done.returncode == 3
    assert "gatecrash db migrate" in done.stderr
    assert "Traceback" not in done.stderr
