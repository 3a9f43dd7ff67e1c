"""The node's command: its settings are checked before it starts, its token is never shown."""

import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from tests.cli.running import CLEAN, Up

from gatecrash.cli.node import command, number_from
from gatecrash.node.settings import NodeSettings


@pytest.mark.parametrize(("given", "expected"), [(None, 10), ("", 10), ("1", 1), ("1000", 1000)])
def test_workers_come_from_the_environment(given: str | None, expected: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WORKERS", raising=False)
    if given is not None:
        monkeypatch.setenv("WORKERS", given)
    assert number_from("WORKERS", 10, 1000) == expected


@pytest.mark.parametrize(("variable", "most"), [("WORKERS", 1000), ("PROCESSES", 64)])
@pytest.mark.parametrize("given", ["0", "1001", "-1", "ten"])
def test_another_number_is_wrong_usage(given: str, variable: str, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(variable, given)
    with pytest.raises(click.UsageError, match=variable):
        number_from(variable, 1, most)


def run_node(up: Up, *arguments: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    data_dir = str(up.folder / "a-node")
    command = [sys.executable, "-m", "gatecrash", "node", "--data-dir", data_dir, *arguments]
    env = {**CLEAN, "HOME": str(up.folder), "GATECRASH_API": up.known()["api"], **environment}
    return subprocess.run(command, env=env, capture_output=True, text=True, check=False)


def test_a_refused_token_ends_it_at_once(up: Up) -> None:
    secret = "gck_this-token-is-not-known-anywhere"
    done = run_node(up, "--proxy-listen", "127.0.0.1:0", GATECRASH_TOKEN=secret)
    assert done.returncode == 2
    assert "401" in done.stderr
    assert secret not in done.stdout + done.stderr


def test_without_a_token_it_says_where_to_put_one(up: Up) -> None:
    done = run_node(up)
    assert (done.returncode, "--token-file" in done.stderr) == (2, True)


def test_an_address_that_is_none_is_refused(up: Up) -> None:
    done = run_node(up, "--proxy-listen", "nowhere", GATECRASH_TOKEN=up.known()["token"])
    assert (done.returncode, "nowhere" in done.stderr) == (2, True)


@pytest.mark.parametrize(("words", "listens"), [((), True), (("--oob-listen", ""), False)])
def test_what_targets_on_its_machine_are_made_to_call_is_listened_for(
    words: tuple[str, ...], listens: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    started: list[NodeSettings] = []
    monkeypatch.setattr("gatecrash.node.__main__.run_process", started.append)
    given = ["--api", "http://127.0.0.1:1", "--token", "gck_x", "--data-dir", str(tmp_path), *words]
    CliRunner().invoke(command, given, catch_exceptions=False)
    [settings] = started
    assert (settings.oob is not None) == listens
    assert settings.oob is None or (settings.oob.host, settings.oob.grace) == ("127.0.0.1", 30.0)


def test_the_ca_is_printed_or_written_and_stays_the_same(tmp_path: Path) -> None:
    folder = tmp_path / "node"
    printed = CliRunner().invoke(command, ["ca", "--data-dir", str(folder)]).output
    assert printed.startswith("-----BEGIN CERTIFICATE-----\n")
    written = CliRunner().invoke(command, ["ca", "--data-dir", str(folder), "--out", str(tmp_path / "ca.pem")])
    assert (written.exit_code, written.output) == (0, "")
    assert (tmp_path / "ca.pem").read_text() == printed == (folder / "ca.pem").read_text()
