"""The way into the command line: quick, complete, helpful."""

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from gatecrash import __version__
from gatecrash.cli.main import COMMANDS, Commands, main


def test_help_lists_every_sub_command_without_loading_one() -> None:
    code = "import sys; sys.argv = ['gatecrash', '--help']\nfrom gatecrash.cli.main import main\ntry: main()\nexcept SystemExit: pass\n"
    code += (
        "print(*sorted(name for name in sys.modules if name.split('.')[0] in ('httpx', 'rich', 'django', 'asyncio')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    assert lines[-1] == "", "nothing heavy is imported for the help"
    assert [line.split()[0] for line in lines if line.startswith("  ") and line.split()[0] in COMMANDS] == list(
        COMMANDS
    )


@pytest.mark.parametrize("name", COMMANDS)
def test_every_sub_command_has_help_and_an_example(name: str) -> None:
    result = CliRunner().invoke(main, [name, "--help"])
    assert result.exit_code == 0, result.output
    assert "Example" in result.output
    assert f"gatecrash {name}" in result.output


def test_every_command_below_a_group_has_help_and_an_example() -> None:
    assert isinstance(main, Commands)
    groups = {name: group for name in COMMANDS if hasattr(group := main.get_command(None, name), "commands")}  # type: ignore[arg-type]
    assert {"run", "record", "token", "client", "user"} <= set(groups)
    for name, group in groups.items():
        for below in group.commands:  # type: ignore[union-attr]
            output = CliRunner().invoke(main, [name, below, "--help"]).output
            heading, _, examples = output.rpartition("Example")
            assert heading, f"{name} {below} has no example"
            assert f"gatecrash {name} {below}" in examples
            assert all(line.count(f"gatecrash {name} {below}") < 2 for line in examples.splitlines()), examples


def test_the_version_is_the_package_s() -> None:
    assert CliRunner().invoke(main, ["--version"]).output.strip().endswith(__version__)


def test_a_mistyped_name_is_met_with_the_nearest() -> None:
    result = CliRunner().invoke(main, ["endpoint"])
    assert result.exit_code == 2
    assert "'endpoints'" in result.output


def test_an_unknown_option_is_wrong_usage() -> None:
    assert CliRunner().invoke(main, ["run", "list", "--colour", "blue"]).exit_code == 2


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_ends_a_command_in_one_line() -> None:
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", "gatecrash", "completion", "bash"]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "Error: No space left on device.\n")


_INTERRUPTED_WITHIN_AN_EXEC = """
import gatecrash.__main__ as command_line

def main(prog_name):
    try:
        exec("raise KeyboardInterrupt")
    except KeyboardInterrupt:
        raise SystemExit(130)

command_line.main = main
command_line.run()
"""


def test_an_interrupt_of_an_import_ends_with_the_exit_code_as_any_other(tmp_path: Path) -> None:
    (tmp_path / "interrupted.py").write_text(_INTERRUPTED_WITHIN_AN_EXEC)
    done = subprocess.run([sys.executable, "-m", "interrupted"], cwd=tmp_path, check=False)
    assert done.returncode == 130
