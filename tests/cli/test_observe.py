"""`gatecrash observe`, as a user of a captured file runs it."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from gatecrash.cli.main import main

HOUR = 3600
NOW = 1_795_168_800


def line(path: str = "/a", *, token: str = "", status: int = 200, time: int = NOW) -> str:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return json.dumps(
        {"method": "GET", "url": f"http://api.example.com{path}", "headers": headers, "status": status, "time": time}
    )


def har(*headers: tuple[str, str]) -> str:
    listed = [{"name": name, "value": value} for name, value in headers]
    entry = {
        "startedDateTime": "2026-11-20T10:00:00Z",
        "request": {"method": "GET", "url": "https://x.example/a", "headers": listed},
        "response": {"status": 200},
    }
    return json.dumps({"log": {"entries": [entry]}})


def observe(tmp_path: Path, text: str, *options: str) -> Result:
    file = tmp_path / "capture"
    file.write_text(text)
    return CliRunner().invoke(main, ["observe", str(file), *options], catch_exceptions=False)


def read(result: Result) -> dict[str, Any]:
    body = json.loads(result.stdout)
    assert isinstance(body, dict)
    return body


def test_the_document_has_the_shape_of_the_command_line_reference(tmp_path: Path) -> None:
    lines = [line(f"/users/{n}", token="s3cret-token-value") for n in range(19)] + [line("/users/99", token="null")]
    result = observe(tmp_path, "\n".join(lines), "--json")
    assert result.exit_code == 0
    assert read(result) == {
        "endpoints": [
            {
                "protocol": "rest",
                "method": "GET",
                "host": "api.example.com",
                "path": "/users/{user_id}",
                "requests": 20,
                "authenticated": 19,
                "refused": 0,
                "status": "consistent",
                "coverage": 95.0,
                "types": ["bearer"],
                "parameters": [
                    {
                        "type": "bearer",
                        "coverage": 95.0,
                        "key": "AUTHORIZATION",
                        "context": "header",
                        "point": [["header", "AUTHORIZATION"]],
                        "seen": 20,
                        "valid": 19,
                    }
                ],
            }
        ],
        "skipped": {"malformed": 0},
    }


def test_the_window_ends_at_the_newest_request(tmp_path: Path) -> None:
    lines = [
        line(time=NOW),
        line(token="s3cret-token-value", time=NOW - 167 * HOUR),
        line(token="s3cret-token-value", time=NOW - 168 * HOUR),
    ]
    (endpoint,) = read(observe(tmp_path, "\n".join(lines), "--json"))["endpoints"]
    assert (endpoint["requests"], endpoint["authenticated"], endpoint["status"]) == (2, 1, "partial")


def test_a_custom_parameter_counts(tmp_path: Path) -> None:
    text = json.dumps(
        {"method": "GET", "url": "http://a.example/x", "headers": {"X-Odd": "7"}, "status": 200, "time": NOW}
    )
    assert read(observe(tmp_path, text, "--json"))["endpoints"][0]["status"] == "missing"
    assert read(observe(tmp_path, text, "--json", "--param", "header:x-odd"))["endpoints"][0]["status"] == "consistent"
    (endpoint,) = read(observe(tmp_path, text, "--json", "--param", '["header","x-odd"]'))["endpoints"]
    assert (endpoint["status"], endpoint["types"], endpoint["parameters"][0]["point"]) == (
        "consistent",
        ["api_key"],
        [["header", "X-ODD"]],
    )


@pytest.mark.parametrize(
    ("fail_on", "token", "code"), [("missing", "", 1), ("missing", "s3cret-token-value", 0), ("partial", "", 1)]
)
def test_fail_on_decides_the_exit_code(tmp_path: Path, fail_on: str, token: str, code: int) -> None:
    assert observe(tmp_path, line(token=token), "--fail-on", fail_on).exit_code == code


def test_a_har_file_without_credentials_claims_no_status(tmp_path: Path) -> None:
    result = observe(tmp_path, har(("Accept", "*/*")), "--json")
    body = read(result)
    assert result.exit_code == 2
    assert body["credentials_stripped"] is True
    assert [endpoint["status"] for endpoint in body["endpoints"]] == [None]
    assert "Export it again with sensitive data" in result.stderr


def test_a_har_file_with_credentials_is_believed(tmp_path: Path) -> None:
    body = read(observe(tmp_path, har(("Authorization", "Basic dTpw")), "--json"))
    assert "credentials_stripped" not in body
    assert body["endpoints"][0]["types"] == ["basic"]


def test_what_cannot_be_read_is_counted_and_said(tmp_path: Path) -> None:
    result = observe(tmp_path, line() + "\nnope\n", "--json")
    assert read(result)["skipped"] == {"malformed": 1}
    assert "entry 2 was passed over" in result.stderr


@pytest.mark.parametrize(
    ("text", "options", "why"),
    [
        ("<a/>", (), "neither HAR nor JSON lines"),
        ("", (), "empty"),
        (line(), ("--param", "[]"), "--param []"),
        (line(), ("--param", "nope"), "--param nope"),
        (line(), ("--send", "--fail-on", "missing"), "--send judges nothing"),
        (line(), ("--send", "--param", '["get","k"]'), "gatecrash auth-params add"),
    ],
)
def test_what_cannot_be_used_is_refused_with_the_way_out(
    tmp_path: Path, text: str, options: tuple[str, ...], why: str
) -> None:
    result = observe(tmp_path, text, *options)
    assert result.exit_code == 2
    assert why in result.stderr


def test_standard_input_is_read_and_no_secret_is_printed() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "gatecrash", "observe", "-"],
        input=line(token="s3cret-token-value"),
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0
    assert "consistent" in done.stdout
    assert "s3cret" not in done.stdout + done.stderr


def test_a_file_without_requests_says_so_and_one_without_credentials_claims_no_coverage(tmp_path: Path) -> None:
    assert "The capture holds no requests." in observe(tmp_path, '{"log": {"entries": []}}').output
    row = observe(tmp_path, har(("Accept", "*/*"))).output.splitlines()[-1].split()
    assert row == ["GET", "x.example", "/a", "1", "-", "-", "-", "-"]


def test_a_broken_har_file_is_told_in_one_line(tmp_path: Path) -> None:
    told = observe(tmp_path, '{"log":{"entries":[{"request":{').output
    assert "broken after entry 0" in told
    assert len(told.strip().splitlines()) == 1


def test_a_file_of_which_nothing_can_be_read_is_no_empty_one(tmp_path: Path) -> None:
    """A pipeline that compares with it would take every endpoint for gone."""
    result = observe(tmp_path, "{bad", "--json")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "No entry can be read" in result.stderr
    good = tmp_path / "good.jsonl"
    good.write_text(line(token="s3cret-token-value"))
    (tmp_path / "bad.jsonl").write_text("{bad")
    compared = CliRunner().invoke(main, ["observe", "--diff", str(good), str(tmp_path / "bad.jsonl")])
    assert compared.exit_code == 2
    assert observe(tmp_path, "{bad\n" + line()).exit_code == 0, "one entry that can be read is a capture"


def test_a_pipeline_whose_capture_holds_nothing_does_not_pass(tmp_path: Path) -> None:
    result = observe(tmp_path, '{"log": {"entries": []}}', "--fail-on", "missing")
    assert result.exit_code == 1
    assert "NOTHING WAS OBSERVED" in result.stderr


def test_requests_that_the_window_leaves_out_are_told(tmp_path: Path) -> None:
    undated = json.dumps({"method": "GET", "url": "http://api.example.com/b", "status": 200})
    result = observe(tmp_path, "\n".join([line(), line("/old", time=NOW - 169 * HOUR), undated]), "--json")
    assert [endpoint["path"] for endpoint in read(result)["endpoints"]] == ["/a", "/b"]
    assert "7 days before the newest one count for nothing: 1." in result.stderr
