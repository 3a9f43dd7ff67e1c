"""Reports of a run that another step made."""

import json
from pathlib import Path

from tests.cli.ci.pipeline import step, variables
from tests.cli.conftest import Invoke
from tests.cli.running import Up


def test_reports_of_a_run_that_was_interrupted_fail_the_step(up: Up, invoke: Invoke, tmp_path: Path) -> None:
    run_id = invoke("run", "create", "--no-wait", "to report").stdout.strip()
    going_on = step(variables(up, TEST_RUN_ID=run_id, REPORT_DIR=str(tmp_path)), "report")
    assert (going_on.returncode, "is still running" in going_on.stderr) == (1, True)
    invoke("run", "interrupt", run_id)
    done = step(variables(up, TEST_RUN_ID=run_id, REPORT_DIR=str(tmp_path)), "report")
    assert (done.returncode, "INTERRUPTED" in done.stderr) == (1, True)
    assert json.loads((tmp_path / "gatecrash-report.json").read_text())["test_run"]["state"] == "interrupted"


def test_an_unknown_run_and_a_missing_name(up: Up) -> None:
    assert step(variables(up, TEST_RUN_ID="tr_none"), "report").returncode == 4
    missing = step(variables(up), "report")
    assert (missing.returncode, "TEST_RUN_ID is not set" in missing.stderr) == (2, True)
