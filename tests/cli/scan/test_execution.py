"""A scan from its plan to its exit code: what fails it, what ends it early, what is written then."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.cli.capturing import har
from tests.cli.scan.scanning import Listener, Scan, moved, of_path

from gatecrash.core.reports.formats import FORMATS


def test_a_sound_part_passes_with_0_and_a_report(scan: Scan, entries: list[dict[str, Any]], tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    sound = [of_path(entries, "/wallet"), of_path(entries, "/suppliers")]
    result = scan("--types", "auth", "--report", f"json={report}", of=sound)
    assert result.exit_code == 0, result.stderr
    assert "2 baseline requests: 2 passed" in result.stdout
    written = json.loads(report.read_text())
    assert [one["status"] for one in written["baselines"]] == ["passed", "passed"]
    assert written["vulnerabilities"] == []


def test_what_is_accepted_fails_nothing_and_what_is_not_does(
    scan: Scan, entries: list[dict[str, Any]], tmp_path: Path
) -> None:
    reviews, report, listed = of_path(entries, "/reviews"), tmp_path / "old.json", tmp_path / "accepted.yaml"
    assert scan("--types", "sqli", f"--report=json={report}", of=[reviews]).exit_code == 1
    known = scan("--types", "sqli", "--accepted", str(report), "--json", of=[reviews])
    assert known.exit_code == 0, known.stderr
    assert "SUPPRESSED: 1 vulnerability of S0001" in known.stderr
    (one,) = json.loads(known.stdout)["vulnerabilities"]
    assert (one["suppressed"], one["suppression_reason"]) == (True, "known from old.json")
    listed.write_text("- {type: sqli, endpoint: GET /elsewhere, reason: written wrongly}")
    other = scan("--types", "sqli", "--accepted", str(listed), of=[reviews])
    assert other.exit_code == 1
    assert "Accepted and not found this time: sqli at any point of GET /elsewhere." in other.stderr


def test_a_target_that_is_away_is_3(scan: Scan, entries: list[dict[str, Any]], listener: Listener) -> None:
    result = scan("--types", "auth", of=[moved(of_path(entries, "/wallet"), f"http://127.0.0.1:{listener.port}/w")])
    assert result.exit_code == 3, result.stderr
    assert f"TARGET NOT REACHED: http://127.0.0.1:{listener.port} gave no answer at all." in result.stderr
    assert "connection failed" in result.stdout
    assert listener.connections > 0


def test_the_first_finding_ends_it_where_that_is_wanted(scan: Scan) -> None:
    run = json.loads(scan("--json", "--types", "auth", "--stop-on-first-fail", "--workers", "1").stdout)["test_run"]
    assert (run["state"], run["baseline_check_fail_count"]) == ("failed", 1)
    assert run["baseline_check_interrupted_count"] > 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interruption_ends_with_130_and_every_report_holds_what_was_found_so_far(
    entries: list[dict[str, Any]], tmp_path: Path, number: int
) -> None:
    file = har(entries, tmp_path / "session.har")
    reports = [f"--report={name}={tmp_path / name}" for name in FORMATS]
    process = subprocess.Popen(
        [sys.executable, "-m", "gatecrash", "scan", str(file), "--json", "--rps", "5", *reports],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "NO_COLOR": "1"},
    )
    assert process.stderr is not None
    assert "running" in process.stderr.readline()
    process.send_signal(number)
    told, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    run = json.loads(told)["test_run"]
    assert (run["state"], run["interrupt_reason"], run["planing_requests_count"]) == ("interrupted", "requested", 0)
    assert all((tmp_path / name).stat().st_size for name in FORMATS)
    assert json.loads((tmp_path / "json").read_text()) == json.loads(told)
