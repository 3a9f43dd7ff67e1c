"""The steps of a pipeline, each with a help that names its variables."""

import pytest
from click.testing import CliRunner

from gatecrash.cli.main import main


@pytest.mark.parametrize(
    ("step", "names"),
    [
        ("record", {"TEST_RECORD_NAME", "INACTIVITY_TIMEOUT", "BUILD_ID", "ALLOWED_HOSTS", "WORKERS", "PROCESSES"}),
        ("test", {"TEST_RECORD_ID", "TEST_RUN_NAME", "TEST_RUN_RPS", "TEST_RUN_URI", "REPORT_DIR"}),
        ("report", {"TEST_RUN_ID", "REPORT_DIR"}),
    ],
)
def test_each_step_names_its_variables(step: str, names: set[str]) -> None:
    shown = CliRunner().invoke(main, ["ci", step, "--help"])
    assert shown.exit_code == 0
    assert {name for name in names if name in shown.output} == names
