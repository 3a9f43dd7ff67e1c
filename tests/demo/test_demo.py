"""`gatecrash demo` for real: every planted flaw found, no twin reported, every status right, nothing left behind."""

import re
import signal
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner
from tests.cli.running import CLEAN

from gatecrash.cli.main import main
from gatecrash.demo import launch, story
from gatecrash.demo.target.expectations import ENDPOINTS, FLAWS

# Addresses, beneath the commands.
SHOWN_ONLY = re.compile(r"in a browser|API document|proxy |log ")
COMMAND = [sys.executable, "-m", "gatecrash", "demo"]


def environment(folder: Path) -> dict[str, str]:
    # Another installation's settings are around, and must not matter.
    own = {"GATECRASH_TOKEN": "of-another-installation", "GATECRASH_API": "http://127.0.0.1:9"}
    return {**CLEAN, **own, "TMPDIR": str(folder), "HOME": str(folder)}


@pytest.mark.timeout(600)
def test_the_demo_finds_what_was_planted_and_every_command_that_it_names_works(tmp_path: Path) -> None:
    with (
        (tmp_path / "stderr").open("w+") as stderr,
        subprocess.Popen(COMMAND, env=environment(tmp_path), stdout=subprocess.PIPE, stderr=stderr, text=True) as demo,
    ):
        assert demo.stdout is not None
        said = ""
        for line in demo.stdout:
            said += line
            if line.startswith("Stop with Ctrl-C"):
                break
        done = every_command_in(said, tmp_path)
        signed_in = its_pages_let_in(said)
        demo.send_signal(signal.SIGINT)
        demo.communicate()
        stderr.seek(0)
        complaints = stderr.read()
    assert demo.returncode == 0, said + complaints
    assert "Traceback" not in said + complaints
    assert re.search(r"\d+ sent, \d+ to go · [\d.]+ a second · .* left · \d+ vulnerab", complaints), "progress"
    all_is_found_in(said)
    assert done.returncode == 0, done.stderr + done.stdout
    assert {"/health", "/account", "S0001", "rce"} <= set(re.split(r"\s+", done.stdout))
    assert "/teas/by-origin" in signed_in
    assert list(tmp_path.glob("gatecrash-*")) == [], "the scratch directories are gone"


def all_is_found_in(said: str) -> None:
    """Every planted flaw, no twin, each endpoint's status, and what could not be decided."""
    assert f"All {len(FLAWS)} planted flaws found" in said
    assert "DEVIATION" not in said
    shown = dict(re.findall(r"^((?:GET|POST) \S+) +(consistent|partial|missing) ", said, re.MULTILINE))
    assert {name.replace("{}", ""): status for name, status in shown.items()} == {
        f"{one.method} {one.path}": one.status for one in ENDPOINTS
    }
    assert said.count("(planted)") == len(FLAWS)
    assert said.count("  curl   curl ") == len(FLAWS)
    assert '-H "Authorization: Bearer $TOKEN"' in said, "a shell must put the reader's token there"
    assert said.count("Cookie-based in cookie teahouse") == 2
    undecided = next(line for line in said.splitlines() if "/shipments?ref=SH-1001" in line)
    blocked = re.search(r"([a-z, ]+) at get/ref: blocked", undecided)
    assert blocked is not None, undecided
    assert {"rce", "sqli"} <= set(blocked[1].strip().split(", ")), undecided


def its_pages_let_in(said: str) -> str:
    """Sign in as the summary says; the page of vulnerabilities that is shown."""
    told = re.search(r"in a browser +(\S+)/   sign in as (\S+), password (\S+)", said)
    assert told is not None
    address, owner, password = told.groups()
    with httpx.Client(base_url=address, follow_redirects=True) as browser:
        hidden = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', browser.get("/sign-in/").text)
        assert hidden is not None
        form = {"login": owner, "password": password, "csrfmiddlewaretoken": hidden[1]}
        browser.post("/sign-in/", data=form, headers={"Origin": address})
        return browser.get("/vulnerabilities/").text


def every_command_in(said: str, home: Path) -> "subprocess.CompletedProcess[str]":
    """Type what it says to type, all in one shell."""
    typed = [line[2:] for line in said.partition("Type these")[2].splitlines() if line.startswith("  ")]
    script = "\n".join(line for line in typed if not SHOWN_ONLY.match(line)) + '\ntest -n "$TOKEN"'
    return subprocess.run(
        ["bash", "-e", "-c", script], env={**CLEAN, "HOME": str(home)}, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(("deviating", "code"), [([], 0), (["a flaw was not found"], 1)])
def test_with_exit_it_ends_when_all_is_told(monkeypatch: pytest.MonkeyPatch, deviating: list[str], code: int) -> None:
    """Its processes and its story are those of the test above; here they are told at once."""
    service = launch.Service("http://127.0.0.1:9", "http://127.0.0.1:9", "t", "cl_1", Path("the.log"), "o@x", "p")
    monkeypatch.setattr(launch, "target", lambda: nullcontext("http://127.0.0.1:9"))
    monkeypatch.setattr(launch, "service", lambda *_: nullcontext(service))
    monkeypatch.setattr(story.Story, "tell", lambda _: ({}, deviating))
    before = signal.getsignal(signal.SIGTERM)
    try:
        assert CliRunner().invoke(main, ["demo", "--exit"]).exit_code == code
    finally:
        signal.signal(signal.SIGTERM, before)
