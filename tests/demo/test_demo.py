"""`gatecrash demo` for real: every planted flaw found, no twin reported, every status right, nothing left behind."""

import re
import signal
import subprocess
import sys
from pathlib import Path

from tests.cli.running import CLEAN

from gatecrash.demo.target.expectations import ENDPOINTS, FLAWS

# Addresses, beneath the commands.
SHOWN_ONLY = re.compile(r"API document|proxy |log ")
COMMAND = [sys.executable, "-m", "gatecrash", "demo"]


def environment(folder: Path) -> dict[str, str]:
    # Another installation's settings are around, and must not matter.
    own = {"GATECRASH_TOKEN": "of-another-installation", "GATECRASH_API": "http://127.0.0.1:9"}
    return {**CLEAN, **own, "TMPDIR": str(folder), "HOME": str(folder)}


def test_the_demo_finds_what_was_planted_and_nothing_else(tmp_path: Path) -> None:
    done = subprocess.run(
        [*COMMAND, "--exit"], env=environment(tmp_path), capture_output=True, text=True, timeout=110, check=False
    )
    said = done.stdout + done.stderr
    assert done.returncode == 0, said
    assert f"All {len(FLAWS)} planted flaws found" in done.stdout
    assert "DEVIATION" not in said
    assert "Traceback" not in said
    shown = dict(re.findall(r"^((?:GET|POST) \S+) +(consistent|partial|missing) ", done.stdout, re.MULTILINE))
    assert {name.replace("{}", ""): status for name, status in shown.items()} == {
        f"{one.method} {one.path}": one.status for one in ENDPOINTS
    }
    assert done.stdout.count("(planted)") == len(FLAWS)
    assert done.stdout.count("  curl   curl ") == len(FLAWS)
    assert '-H "Authorization: Bearer $TOKEN"' in done.stdout, "a shell must put the reader's token there"
    assert done.stdout.count("Cookie-based in cookie teahouse") == 2
    assert re.search(r"\d+ sent, \d+ to go · [\d.]+ a second · .* left · \d+ vulnerab", done.stderr), "progress"
    undecided = next(line for line in done.stdout.splitlines() if "/shipments?ref=SH-1001" in line)
    assert "rce at get/ref: blocked" in undecided
    assert "sqli at get/ref: blocked" in undecided
    assert list(tmp_path.glob("gatecrash-*")) == [], "the scratch directories are gone"


def test_without_exit_it_goes_on_and_every_command_that_it_names_works(tmp_path: Path) -> None:
    with subprocess.Popen(
        COMMAND, env=environment(tmp_path), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as demo:
        assert demo.stdout is not None
        said = ""
        for line in demo.stdout:
            said += line
            if line.startswith("Stop with Ctrl-C"):
                break
        typed = [line[2:] for line in said.partition("Type these")[2].splitlines() if line.startswith("  ")]
        done = subprocess.run(
            [
                "bash",
                "-e",
                "-c",
                "\n".join(line for line in typed if not SHOWN_ONLY.match(line)) + '\ntest -n "$TOKEN"',
            ],
            env={**CLEAN, "HOME": str(tmp_path)},
            capture_output=True,
            text=True,
            check=False,
        )
        demo.send_signal(signal.SIGINT)
        demo.communicate()
    assert demo.returncode == 0
    assert done.returncode == 0, done.stderr + done.stdout
    assert {"/health", "/account", "S0001", "rce"} <= set(re.split(r"\s+", done.stdout))
    assert list(tmp_path.glob("gatecrash-*")) == []
