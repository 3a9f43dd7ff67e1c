"""Shells learn our sub-commands."""

import subprocess
import sys

import pytest
from click.testing import CliRunner

from gatecrash.cli.main import main


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_a_script(shell: str) -> None:
    result = CliRunner().invoke(main, ["completion", shell])
    assert result.exit_code == 0
    assert "_GATECRASH_COMPLETE" in result.stdout


def test_the_shell_gets_sub_commands_offered() -> None:
    environment = {
        "_GATECRASH_COMPLETE": "bash_complete",
        "COMP_WORDS": "gatecrash run w",
        "COMP_CWORD": "2",
        "PATH": "",
    }
    done = subprocess.run(
        [sys.executable, "-m", "gatecrash"], env=environment, capture_output=True, text=True, check=False
    )
    assert "wait" in done.stdout
