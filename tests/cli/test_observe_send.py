"""Captured traffic feeds a real service: counted by its parameters, once, and without a value."""

import json
import subprocess
import sys
import time
from pathlib import Path

import httpx
from click.testing import CliRunner
from tests.cli.running import Up
from tests.plain_http import PLAIN

from gatecrash.cli.main import main


def traffic(folder: Path, *, at: int, count: int = 20) -> Path:
    file = folder / f"traffic-{at}.jsonl"
    fields = {
        "method": "GET",
        "url": "http://fed.example/orders/7",
        "headers": {"X-Own": "s3cret-of-mine"},
        "status": 200,
    }
    file.write_text("".join(json.dumps({**fields, "time": at + number}) + "\n" for number in range(count)))
    return file


def send(up: Up, *files: Path, json_too: bool = True) -> "subprocess.CompletedProcess[str]":
    known = up.known()
    command = [
        sys.executable,
        "-m",
        "gatecrash",
        "observe",
        "--send",
        *map(str, files),
        *(["--json"] if json_too else []),
    ]
    environment = {**up.environment, "GATECRASH_API": known["api"], "GATECRASH_TOKEN": known["token"]}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def test_the_service_counts_what_is_sent_by_its_own_parameters_and_once(up: Up, tmp_path: Path) -> None:
    known = up.known()
    headers = {"X-Service-API-Token": known["token"]}
    with httpx.Client(base_url=known["api"], headers=headers, **PLAIN) as api:
        added = api.post(
            f"/v1/clients/{known['client_id']}/apid/config/auth-parameters", json={"point": [["header", "X-OWN"]]}
        )
        assert added.status_code == 200, added.text
        file = traffic(tmp_path, at=int(time.time()) - 600)
        first = send(up, file)
        assert first.returncode == 0, first.stderr
        told = json.loads(first.stdout)
        assert (told["requests"], told["counted"]) == (20, 20)
        assert send(up, file, json_too=False).returncode == 0
        listed = api.get("/v1/endpoints", params={"host": "fed.example"}).json()["body"]
        [endpoint] = [one for one in listed["objects"] if one["host"] == "fed.example"]
        assert (endpoint["path"], endpoint["requests"], endpoint["authenticated"]) == ("/orders/{order_id}", 20, 20)
        stored = b"".join(one.read_bytes() for one in up.data_dir.glob("**/*.sqlite3*"))
        assert b"s3cret-of-mine" not in stored


def test_what_is_older_than_the_window_is_said(up: Up, tmp_path: Path) -> None:
    done = send(up, traffic(tmp_path, at=int(time.time()) - 9 * 86400))
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["late"] >= 1
    assert "window of 7 days" in done.stderr


def test_what_tells_no_moment_counts_as_of_now_and_once(up: Up, tmp_path: Path) -> None:
    file = tmp_path / "traffic.jsonl"
    file.write_text('{"method": "GET", "url": "http://timeless.example/orders/7", "status": 200}\n' * 5)
    for _ in range(2):
        done = send(up, file)
        assert (done.returncode, json.loads(done.stdout)["late"]) == (0, 0), done.stderr
    headers = {"X-Service-API-Token": up.known()["token"]}
    with httpx.Client(base_url=up.known()["api"], headers=headers, **PLAIN) as api:
        listed = api.get("/v1/endpoints", params={"host": "timeless.example"}).json()["body"]["objects"]
    assert [(one["path"], one["requests"]) for one in listed] == [("/orders/{order_id}", 5)]


def test_a_token_that_is_refused_ends_with_4(up: Up, tmp_path: Path) -> None:
    file = traffic(tmp_path, at=int(time.time()))
    result = CliRunner().invoke(
        main, ["observe", "--send", str(file), "--api", up.known()["api"], "--token", "gck_not-known-at-all-anywhere"]
    )
    assert result.exit_code == 4, result.stderr


def test_a_service_that_is_not_there_ends_with_3(tmp_path: Path) -> None:
    file = traffic(tmp_path, at=int(time.time()))
    result = CliRunner().invoke(
        main, ["observe", "--send", str(file), "--api", "http://127.0.0.1:1", "--token", "t" * 40]
    )
    assert result.exit_code == 3, result.stderr


def test_a_har_file_without_credentials_is_not_sent(up: Up, tmp_path: Path) -> None:
    entry = {
        "startedDateTime": "2026-11-20T10:00:00Z",
        "request": {"method": "GET", "url": "https://x.example/a", "headers": []},
        "response": {"status": 200},
    }
    file = tmp_path / "stripped.har"
    file.write_text(json.dumps({"log": {"entries": [entry]}}))
    done = send(up, file)
    assert done.returncode == 2
    assert "Nothing was sent" in done.stderr


def test_its_own_options_do_not_mix(tmp_path: Path) -> None:
    assert CliRunner().invoke(main, ["observe", "--send", "x", "--fail-on", "missing"]).exit_code == 2
