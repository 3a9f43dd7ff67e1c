"""Test records from the command line."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import Invoke


def test_a_run_s_record_is_listed_and_shown(invoke: Invoke, document: Callable[..., Any]) -> None:
    run = document("run", "create", "--no-wait", "recorded", "--record-name", "its record")
    record = run["test_record_id"]
    assert document("record", "show", record)["name"] == "its record"
    assert f"{record}  its record" in invoke("record", "list").stdout
    assert "its record" in invoke("record", "show", record).stdout
    assert invoke("run", "interrupt", run["id"]).exit_code == 0


def test_an_unknown_one_is_refused(invoke: Invoke) -> None:
    assert invoke("record", "show", "rec_none").exit_code == 4


CAPTURE = "\n".join(
    f'{{"method": "GET", "url": "http://127.0.0.1:9/{path}", "status": 200, "response_body": "{{}}"}}'
    for path in ("a", "b", "a")
)


def test_a_capture_becomes_a_record_that_can_be_tested(
    document: Callable[..., Any], invoke: Invoke, tmp_path: Path
) -> None:
    file = tmp_path / "capture.jsonl"
    file.write_text(CAPTURE + "\nbroken\n")
    body = document("record", "import", "--name", "imported", str(file))
    assert (body["imported"], body["skipped"]["duplicate"], body["skipped"]["malformed"]) == (2, 1, 1)
    record = document("record", "show", body["test_record_id"])
    assert (record["name"], record["baseline_count"], record["ready_for_cloning"]) == ("imported", 2, True)
    again = invoke("record", "import", record["id"], str(file))
    assert again.exit_code == 4
    assert "recording is over" in again.stderr.lower()


@pytest.mark.parametrize("options", [(), ("--json",)])
@pytest.mark.parametrize(
    ("content", "told"),
    [
        ('{"log": {"version": "1.2", "entries": []}}', ""),
        ('{"log": {"version": "1.2", "entries": [7]}}', "entry 1 was passed over"),
    ],
)
def test_a_capture_of_nothing_is_refused_and_leaves_no_record(
    invoke: Invoke, document: Callable[..., Any], tmp_path: Path, content: str, told: str, options: tuple[str, ...]
) -> None:
    file = tmp_path / "nothing.har"
    file.write_text(content)
    before = document("record", "list")
    result = invoke("record", "import", *options, str(file))
    assert (result.exit_code, result.stdout) == (2, "")
    assert "Nothing was imported, so no record was made." in result.stderr
    assert told in result.stderr
    assert document("record", "list") == before


def test_an_open_record_takes_more(document: Callable[..., Any], invoke: Invoke, tmp_path: Path) -> None:
    run = document("run", "create", "--no-wait", "recorded")
    file = tmp_path / "capture.jsonl"
    file.write_text(CAPTURE)
    result = invoke("record", "import", run["test_record_id"], str(file))
    assert (result.exit_code, result.stdout.strip()) == (0, run["test_record_id"])
    assert "2 exchanges imported; skipped: 1 duplicate." in result.stderr
    assert document("run", "show", run["id"])["baseline_count"] == 2
    assert invoke("run", "interrupt", run["id"]).exit_code == 0


def test_more_than_the_body_of_other_calls_is_taken(document: Callable[..., Any], tmp_path: Path) -> None:
    file = tmp_path / "large.jsonl"
    line = '{"method": "GET", "url": "http://127.0.0.1:9/%d", "status": 200, "response_body": "%s"}\n'
    with file.open("w") as written:
        for number in range(40):
            written.write(line % (number, "x" * 500_000))
    assert document("record", "import", "--name", "large", str(file))["imported"] == 40


def test_a_file_alone_becomes_a_record_of_its_name(document: Callable[..., Any], tmp_path: Path) -> None:
    file = tmp_path / "session.jsonl"
    file.write_text(CAPTURE)
    made = document("record", "import", str(file))["test_record_id"]
    record = document("record", "show", made)
    assert (record["name"], record["ready_for_cloning"]) == ("session.jsonl", True)


def test_a_file_may_begin_as_the_name_of_a_record_does(
    document: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "rec_anna.jsonl").write_text(CAPTURE)
    monkeypatch.chdir(tmp_path)
    made = document("record", "import", "rec_anna.jsonl")["test_record_id"]
    assert document("record", "show", made)["name"] == "rec_anna.jsonl"


def test_several_files_become_one_record_and_each_is_told(
    document: Callable[..., Any], invoke: Invoke, tmp_path: Path
) -> None:
    anna, bert = tmp_path / "anna.jsonl", tmp_path / "bert.jsonl"
    anna.write_text(CAPTURE + "\nbroken\n")
    bert.write_text('{"method": "GET", "url": "http://127.0.0.1:9/bert", "status": 200}\n' + CAPTURE)
    body = document("record", "import", str(anna), str(bert))
    assert (body["imported"], body["skipped"]["duplicate"], body["skipped"]["malformed"]) == (3, 4, 1)
    assert [one["file"] for one in body["problems"]] == [str(anna)]
    record = document("record", "show", body["test_record_id"])
    assert (record["name"], record["baseline_count"], record["ready_for_cloning"]) == (
        "anna.jsonl, bert.jsonl",
        3,
        True,
    )
    told = invoke("record", "import", "--name", "both", str(anna), str(bert)).stderr
    assert "anna.jsonl: 2 exchanges imported" in told
    assert "bert.jsonl: 1 exchange imported" in told


def test_a_file_that_is_no_capture_leaves_no_empty_record(
    document: Callable[..., Any], invoke: Invoke, tmp_path: Path
) -> None:
    file = tmp_path / "broken-capture"
    file.write_text("<html>")
    refused = invoke("record", "import", str(file))
    assert (refused.exit_code, "neither HAR nor JSON lines" in refused.stderr) == (4, True)
    assert file.name not in [one["name"] for one in document("record", "list")["objects"]]


def test_what_is_imported_must_be_named_with_its_place(invoke: Invoke, tmp_path: Path) -> None:
    assert invoke("record", "import", str(tmp_path)).exit_code == 2
    assert invoke("record", "import", "rec_1").exit_code == 2
    assert invoke("record", "import", "--name", "new", "rec_1", str(tmp_path / "absent.har")).exit_code == 2
    assert "once only" in invoke("record", "import", "-", "-").stderr
    assert invoke("record", "import", "rec_1", str(tmp_path / "absent.har")).exit_code == 2


def test_a_description_is_imported_for_a_target_exported_as_har_and_deleted(
    document: Callable[..., Any], invoke: Invoke, tmp_path: Path
) -> None:
    file = tmp_path / "api.yaml"
    file.write_text("openapi: 3.1.0\npaths: {'/a/{id}': {get: {}, delete: {}}}\n")
    unplaced = invoke("record", "import", "--name", "nowhere", str(file))
    assert unplaced.exit_code == 4
    assert "does not say where the API is" in unplaced.stderr
    body = document("record", "import", "--name", "described", "--target", "http://127.0.0.1:9", str(file))
    record = body["test_record_id"]
    assert body["imported"] == 2
    exported = json.loads(invoke("record", "export", record).stdout)
    assert [one["request"]["url"] for one in exported["log"]["entries"]] == ["http://127.0.0.1:9/a/1"] * 2
    output = tmp_path / "out.har"
    told = invoke("record", "export", record, "--output", str(output))
    assert (told.exit_code, "credentials are masked" in told.stderr) == (0, True)
    assert json.loads(output.read_text()) == exported
    assert invoke("record", "export", record, "--output", str(tmp_path / "no" / "out.har")).exit_code == 2
    assert invoke("record", "delete", record).exit_code == 0
    assert invoke("record", "export", record).exit_code == 4


def test_a_record_that_is_recorded_is_not_deleted(document: Callable[..., Any], invoke: Invoke) -> None:
    run = document("run", "create", "--no-wait", "recorded")
    refused = invoke("record", "delete", run["test_record_id"])
    assert (refused.exit_code, "being recorded or tested" in refused.stderr) == (4, True)
    assert invoke("run", "interrupt", run["id"]).exit_code == 0
