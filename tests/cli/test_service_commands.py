"""The commands that talk to the service, against a real one: exit codes, streams, the JSON of the contract."""

import json
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from tests.cli.running import CLEAN, Up

from gatecrash.cli.main import main

Invoke = Callable[..., Result]


@pytest.fixture(scope="module")
def up(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Up]:
    with Up(tmp_path_factory.mktemp("service"), "--no-node") as running:
        yield running


@pytest.fixture
def invoke(up: Up, monkeypatch: pytest.MonkeyPatch) -> Invoke:
    monkeypatch.setenv("GATECRASH_API", up.known()["api"])
    monkeypatch.setenv("GATECRASH_TOKEN", up.known()["token"])
    monkeypatch.setenv("NO_COLOR", "1")

    def run(*arguments: str) -> Result:
        result = CliRunner().invoke(main, list(arguments))
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exc_info
        return result

    return run


def document(result: Result) -> Any:
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def test_parameters_can_be_listed_added_and_removed(invoke: Invoke) -> None:
    assert len(document(invoke("auth-params", "list", "--json"))["parameters"]) == 34
    added = document(invoke("auth-params", "add", "header:x-partner", "--json"))
    assert added["point"] == [["header", "X-PARTNER"]]
    assert f"{added['id']}  custom   header:X-PARTNER" in invoke("auth-params", "list").stdout
    again = invoke("auth-params", "add", '["header", "X-Partner"]')
    assert (again.exit_code, again.stdout) == (4, "")
    assert "point: exists already" in again.stderr
    assert invoke("auth-params", "remove", added["id"]).exit_code == 0
    assert len(document(invoke("auth-params", "list", "--json"))["parameters"]) == 34
    assert invoke("auth-params", "add", "nonsense").exit_code == 2


def test_a_run_can_be_created_steered_and_ended(invoke: Invoke) -> None:
    created = document(invoke("run", "create", "first", "--rps", "50", "--tag", "a", "--tag", "b", "--json"))
    assert (created["name"], created["state"], created["rps"], created["tags"]) == ("first", "running", 50, ["a", "b"])
    run = created["id"]
    assert document(invoke("run", "pause", run, "--json"))["state"] == "paused"
    assert document(invoke("run", "resume", run, "--json"))["state"] == "running"
    refused = invoke("run", "resume", run)
    assert refused.exit_code == 4
    assert "is not allowed in the run's state" in refused.stderr
    assert invoke("run", "interrupt", run).exit_code == 0
    shown = document(invoke("run", "show", run, "--json"))
    assert shown["state"] == "interrupted"
    assert "INTERRUPTED" in invoke("run", "show", run).stdout
    listed = document(invoke("run", "list", "--name", "first", "--json"))
    assert run in [one["id"] for one in listed["objects"]]
    waited = invoke("run", "wait", run)
    assert (waited.exit_code, waited.stdout) == (1, "")
    assert "INTERRUPTED" in waited.stderr
    assert document(invoke("record", "show", created["test_record_id"], "--json"))["name"] == "first"
    assert created["test_record_id"] in invoke("record", "list").stdout


def test_a_run_s_identifier_is_alone_on_standard_output(invoke: Invoke) -> None:
    created = invoke("run", "create", "second")
    run = created.stdout.strip()
    assert run.startswith("tr_")
    waited = invoke("run", "wait", run, "--timeout", "0")
    assert (waited.exit_code, "it goes on" in waited.stderr) == (1, True)
    assert invoke("run", "interrupt", run).exit_code == 0


def test_every_faulty_field_is_told(invoke: Invoke) -> None:
    refused = invoke("run", "create", "third", "--rps", "1001", "--rps-per-baseline", "0", "--policy", "fast")
    assert (refused.exit_code, refused.stdout) == (4, "")
    assert "rps: is out of range (given: 1001); 1 to 1000 is allowed" in refused.stderr
    assert "rps_per_baseline: is out of range (given: 0); 1 to 500 is allowed" in refused.stderr
    assert "policy_id: does not exist (given: fast)" in refused.stderr


def test_copying_a_record_that_still_records_leads_to_stop(invoke: Invoke) -> None:
    created = document(invoke("run", "create", "fourth", "--json"))
    refused = invoke("run", "copy", "fifth", "--record", created["test_record_id"])
    assert refused.exit_code == 4
    assert "gatecrash run stop" in refused.stderr
    invoke("run", "interrupt", created["id"])


def test_what_does_not_exist_is_refused(invoke: Invoke) -> None:
    for command in (("run", "show"), ("record", "show"), ("vuln", "show"), ("endpoints", "show")):
        refused = invoke(*command, "no_such/thing")
        assert (refused.exit_code, refused.stdout) == (4, ""), command


def test_empty_listings_are_documents_too(invoke: Invoke) -> None:
    assert document(invoke("vuln", "list", "--json")) == {"objects": [], "total": 0}
    assert document(invoke("endpoints", "--auth", "missing", "--json")) == {"objects": [], "total": 0}
    assert invoke("endpoints").stdout == ""


def test_a_bad_token_is_refused_and_never_shown(up: Up, invoke: Invoke) -> None:
    result = invoke("run", "list", "--token", "gck_wrong-and-secret")
    assert result.exit_code == 4
    assert "gck_wrong-and-secret" not in result.output
    assert "gck_wrong-and-secret" not in up.complaints()


def test_a_token_comes_from_a_file_or_standard_input(up: Up, invoke: Invoke, tmp_path: Path) -> None:
    path = tmp_path / "token"
    path.write_text(up.known()["token"] + "\n")
    assert invoke("run", "list", "--token-file", str(path)).exit_code == 0
    assert invoke("run", "list", "--token-file", str(tmp_path / "absent")).exit_code == 2
    assert invoke("run", "list", "--token-file", str(path), "--token", "x").exit_code == 2


def test_a_service_that_is_away_is_3(invoke: Invoke) -> None:
    result = invoke("run", "list", "--api", "http://127.0.0.1:9")
    assert (result.exit_code, "was not reached" in result.stderr) == (3, True)


def test_what_answers_but_is_no_gatecrash_is_3(invoke: Invoke) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=_answer_once, args=(server,))
        thread.start()
        result = invoke("run", "list", "--api", f"http://127.0.0.1:{server.getsockname()[1]}")
        thread.join()
    assert (result.exit_code, "not as Gatecrash does" in result.stderr) == (3, True)


def test_an_interruption_by_the_user_is_130(up: Up) -> None:
    environment = {**CLEAN, "GATECRASH_API": up.known()["api"], "GATECRASH_TOKEN": up.known()["token"]}
    run = subprocess.run(
        [sys.executable, "-m", "gatecrash", "run", "create", "sixth"],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    command = [sys.executable, "-m", "gatecrash", "run", "wait", run]
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as waiting:
        assert waiting.stderr is not None
        assert "running" in waiting.stderr.readline()
        waiting.send_signal(2)
        said = waiting.stderr.read()
    assert waiting.returncode == 130
    assert f"gatecrash run interrupt {run}" in said


def test_check_finds_the_service_well(up: Up) -> None:
    environment = {**up.environment, "GATECRASH_DATA_DIR": str(up.data_dir)}
    command = [sys.executable, "-m", "gatecrash", "check", "--json"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert {one["state"] for one in json.loads(done.stdout)["checks"]} == {"ok"}


def _answer_once(server: socket.socket) -> None:
    connection, _ = server.accept()
    with connection:
        connection.recv(65536)
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi")
