"""A browser that is named has to be there, before anything is sent or started."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from gatecrash.cli.main import main


@pytest.mark.parametrize("by", ["option", "environment"])
@pytest.mark.parametrize("command", [["scan", "http://127.0.0.1:9/"], ["up", "--no-node"]])
def test_one_that_is_not_there_is_told(command: list[str], by: str, tmp_path: Path) -> None:
    given = ["--browser", "no-such-program"] if by == "option" else []
    environment = {"GATECRASH_BROWSER": "no-such-program"} if by == "environment" else {}
    environment["GATECRASH_DATA_DIR"] = str(tmp_path / "data")
    told = CliRunner().invoke(main, [*command, *given], env=environment)
    assert told.exit_code == 2
    assert "no-such-program is no program that can be started" in told.output
    assert not (tmp_path / "data").exists()
