"""Reports from the command line: to a file, to standard output, never half."""

import json
from pathlib import Path

import pytest
from tests.cli.conftest import Invoke


@pytest.fixture
def run(invoke: Invoke) -> str:
    made = invoke("run", "create", "--no-wait", "reported").stdout.strip()
    invoke("run", "interrupt", made)
    return made


def test_to_standard_output_and_to_a_file(invoke: Invoke, run: str, tmp_path: Path) -> None:
    shown = invoke("run", "report", run, "--format", "json")
    assert json.loads(shown.stdout)["test_run"]["id"] == run
    path = tmp_path / "report.html"
    assert invoke("run", "report", run, "--format", "html", "--output", str(path)).exit_code == 0
    assert path.read_text().startswith("<!doctype html>")
    assert [one.name for one in tmp_path.iterdir()] == ["report.html"]


def test_an_unknown_run_is_told_and_nothing_is_written(invoke: Invoke, tmp_path: Path) -> None:
    refused = invoke("run", "report", "tr_none", "--output", str(tmp_path / "x"))
    assert (refused.exit_code, list(tmp_path.iterdir())) == (4, [])


def test_a_folder_that_is_not_there_is_named_before_the_service_is_asked(invoke: Invoke, tmp_path: Path) -> None:
    refused = invoke("run", "report", "tr_none", "--output", str(tmp_path / "none" / "x.txt"))
    assert refused.exit_code == 2
    assert f"there is no folder {tmp_path / 'none'}" in refused.stderr
