"""A record is tested to its end by the step's own node, and only a run that can be trusted ends with 0."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from xml.etree.ElementTree import parse

import httpx
import pytest
from tests.cli.ci.pipeline import command, printed, recording, step, variables
from tests.cli.running import Up
from tests.plain_http import PLAIN

from gatecrash.core.reports.formats import FORMATS


@pytest.fixture(scope="module")
def record_id(up: Up, shop: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A record of one vulnerable request and one sound one."""
    environment = variables(up, TEST_RECORD_NAME="shop")
    with recording(environment, tmp_path_factory.mktemp("record")) as made:
        with httpx.Client(proxy=made.proxy, **PLAIN) as shopper:
            assert shopper.get(f"{shop}/pages/search?q=green").status_code == 200
            assert shopper.get(f"{shop}/health").status_code == 200
        assert made.stop() == 0, made.said()
    return made.record_id


def test_a_vulnerability_fails_the_step_and_every_report_is_written(up: Up, record_id: str, tmp_path: Path) -> None:
    wanted = variables(up, TEST_RECORD_NAME="shop", TEST_RUN_NAME="nightly", REPORT_DIR=str(tmp_path / "reports"))
    done = step(wanted, "test")
    assert done.returncode == 1, done.stderr
    # A pipeline may append all of standard output to its variables.
    assert printed(done.stdout).keys() == {"TEST_RUN_ID"}
    run_id = printed(done.stdout)["TEST_RUN_ID"]
    assert "VULNERABLE" in done.stderr
    written = {path.name for path in (tmp_path / "reports").iterdir()}
    assert written == {f"gatecrash-report.{one.suffix}" for one in FORMATS.values()}
    whole = json.loads((tmp_path / "reports" / "gatecrash-report.json").read_text())
    assert (whole["test_run"]["id"], whole["test_run"]["name"]) == (run_id, "nightly")
    assert whole["test_run"]["test_record_id"] == record_id
    assert int(parse(tmp_path / "reports" / "gatecrash-report.xml").getroot().get("failures", "0")) >= 1


def test_settings_reach_the_run(up: Up, record_id: str) -> None:
    wanted = variables(
        up,
        TEST_RECORD_ID=record_id,
        TEST_RUN_DESC="about",
        TEST_RUN_RPS="200",
        TEST_RUN_POLICY_ID="quick",
        TEST_RUN_STOP_ON_FIRST_FAIL="yes",
        FILE_EXTENSIONS_TO_EXCLUDE="js|css",
        BUILD_ID="build-7",
    )
    done = step(wanted, "test")
    run_id = printed(done.stdout.splitlines()[0])["TEST_RUN_ID"]
    known = up.known()
    run = httpx.get(
        f"{known['api']}/v1/test_run/{run_id}", headers={"X-Service-API-Token": known["token"]}, **PLAIN
    ).json()["body"]
    told = ("name", "desc", "rps", "policy_id", "stop_on_first_fail", "file_extensions_to_exclude")
    assert [run[name] for name in told] == ["build-7", "about", 200, "quick", True, "js|css"]


def test_nothing_tested_is_no_success(up: Up, record_id: str) -> None:
    done = step(variables(up, TEST_RECORD_ID=record_id, TEST_RUN_URI="http://127.0.0.1:1"), "test")
    assert done.returncode == 1
    assert "NOT TESTED" in done.stderr


def test_an_empty_record_is_a_test_of_nothing_and_a_refusal_names_the_variable(up: Up, record_id: str) -> None:
    known = up.known()
    with httpx.Client(base_url=known["api"], headers={"X-Service-API-Token": known["token"]}, **PLAIN) as owner:
        made = owner.post("/v1/test_record", json={"name": "hollow", "inactivity_timeout": 691_200}).json()["body"]
        owner.post(f"/v1/test_record/{made['id']}/action/stop", json={})
    hollow = step(variables(up, TEST_RECORD_NAME="hollow"), "test")
    assert (hollow.returncode, hollow.stdout) == (1, "")
    assert "NOTHING WAS TESTED" in hollow.stderr
    refused = step(variables(up, TEST_RECORD_ID=record_id, TEST_RUN_URI="nonsense"), "test")
    assert (refused.returncode, refused.stdout) == (4, "")
    assert "TEST_RUN_URI: cannot be used" in refused.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="finds the node in /proc")
@pytest.mark.parametrize(("ending", "code"), [pytest.param("step", 130, marks=pytest.mark.soak), ("node", 1)])
def test_an_end_before_the_end_interrupts_the_run_and_reports_it(
    up: Up, record_id: str, tmp_path: Path, ending: str, code: int
) -> None:
    """SIGTERM to the step, as a pipeline sends it; or its node dies, for which nobody would else wait in vain for long."""
    given = variables(up, TEST_RECORD_ID=record_id, TEST_RUN_RPS="1", REPORT_DIR=str(tmp_path))
    with subprocess.Popen(
        command("test"), env=given, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        try:
            assert process.stdout is not None
            run_id = printed(process.stdout.readline())["TEST_RUN_ID"]
            if ending == "step":
                process.terminate()
            else:
                [node] = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
                os.kill(int(node), signal.SIGKILL)
            process.communicate(timeout=100)
        finally:
            process.kill()
    assert process.returncode == code
    report = json.loads((tmp_path / "gatecrash-report.json").read_text())["test_run"]
    assert (report["id"], report["state"]) == (run_id, "interrupted")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "TEST_RECORD_NAME is not set"),
        ({"TEST_RECORD_NAME": "nobody's"}, "there is no such test record"),
        ({"TEST_RECORD_ID": "x", "TEST_RUN_RPS": "1001"}, "TEST_RUN_RPS=1001 is no whole number from 1 to 1000"),
        ({"TEST_RECORD_ID": "x", "ALLOWED_HOSTS": "~("}, "ALLOWED_HOSTS: `~(` is no regular expression"),
    ],
)
def test_a_wrong_setting_is_named(up: Up, given: dict[str, str], said: str) -> None:
    done = step(variables(up, **given), "test")
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
