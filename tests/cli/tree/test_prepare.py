"""What is made before the tree starts: once, and again only where it is no longer valid."""

import json
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from typing import Any

import pytest
from tests.cli.conftest import Installation

from gatecrash.control.chosen_database import FILE


def prepare(installation: Installation, **environment: str) -> Any:
    command = [sys.executable, "-m", "gatecrash.cli.tree.prepare"]
    env = {**installation.environment, **environment}
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


@pytest.mark.database
def test_the_first_start_makes_what_later_ones_keep(empty: Installation, empty_database_url: str) -> None:
    first = prepare(empty, GATECRASH_DATABASE_URL=empty_database_url)
    assert first["first"]
    assert len(first["token"]) > 40
    path = empty.folder / "data" / "node.token"
    token = path.read_text()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    second = prepare(empty, GATECRASH_DATABASE_URL=empty_database_url)
    assert second == {"client_id": first["client_id"], "first": False, "owner": None, "password": None, "token": None}
    assert path.read_text() == token, "the node keeps its identity"
    assert (empty.folder / "data" / FILE).exists() == empty_database_url.startswith("postgresql")


def test_a_node_token_that_is_not_valid_any_more_is_replaced(unused: Installation) -> None:
    prepare(unused)
    path = unused.folder / "data" / "node.token"
    before = path.read_text()
    [row] = [one for one in unused.json("token", "list")["objects"] if one["role"] == "node"]
    assert unused.run("token", "revoke", row["id"]).returncode == 0
    prepare(unused)
    assert path.read_text() != before


def test_the_operator_s_own_credentials_are_not_told_back(unused: Installation) -> None:
    token = "a-token-of-the-operators-own-choice-1234"
    made = prepare(
        unused, GATECRASH_API_TOKEN=token, GATECRASH_OWNER_PASSWORD="a long password", GATECRASH_CLIENT_ID="cl_x"
    )
    assert (made["token"], made["password"], made["client_id"]) == (None, None, "cl_x")


def test_a_database_of_a_later_version_is_left_alone(unused: Installation) -> None:
    prepare(unused)
    with closing(sqlite3.connect(unused.folder / "data" / "gatecrash.sqlite3")) as database, database:
        row = ("testruns", "0999_later", "2030-01-01")
        database.execute("INSERT INTO django_migrations (app, name, applied) VALUES (?, ?, ?)", row)
    command = [sys.executable, "-m", "gatecrash.cli.tree.prepare"]
    done = subprocess.run(command, env=unused.environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "does not know its migration testruns.0999_later" in done.stderr
    checked = unused.run("check", "--offline")
    assert checked.returncode == 1
    assert "testruns.0999_later is of a later version" in checked.stdout
