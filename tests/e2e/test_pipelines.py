"""The pipeline files of deploy/: their own shell steps, run against a real service, a real node and an application."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
import yaml
from tests.absent import require
from tests.cli.running import CLEAN, Up
from tests.core.reports.validating import junit, sarif
from tests.plain_http import PLAIN

from gatecrash.cli.tree.ports import free_port
from gatecrash.demo.launch import target

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"
# The requests that the application's own tests send; what is given is the target behind the address.
CLIENT = """
import sys, time, urllib.request
for attempt in range(100):
    try:
        urllib.request.urlopen(sys.argv[1], timeout=60).read()
        break
    except OSError:
        time.sleep(0.1)
else:
    sys.exit("the application was not reached")
"""


def github() -> tuple[list[str], dict[str, str]]:
    """Each step is a shell of its own; what is written to GITHUB_ENV is set in those that follow."""
    job = yaml.safe_load((DEPLOY / "github" / "gatecrash.yml").read_text())["jobs"]["api-security"]
    steps = [step["run"] for step in job["steps"] if "run" in step and step["name"] != "Install"]
    return steps, {name: value for name, value in job["env"].items() if "${{" not in value}


def gitlab() -> tuple[list[str], dict[str, str]]:
    """All lines of a job's script are one shell."""
    document = yaml.safe_load((DEPLOY / "gitlab" / "gatecrash.gitlab-ci.yml").read_text())
    return ["\n".join(document["gatecrash"]["script"])], dict(document["variables"])


def jenkins() -> tuple[list[str], dict[str, str]]:
    """The text in triple quotes is one shell."""
    text = (DEPLOY / "jenkins" / "Jenkinsfile").read_text()
    values = dict(re.findall(r"^ {4}(\w+) = '([^']*)'$", text, re.MULTILINE))
    return re.findall(r"sh '''(?:#![^\n]*)?(.*?)'''", text, re.DOTALL), values


PIPELINES = {"github": github, "gitlab": gitlab, "jenkins": jenkins}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Up, str]]:
    with target() as shop, Up(tmp_path_factory.mktemp("service"), "--no-node") as up:
        yield up, shop


class Pipeline:
    """The steps of one file in a folder of their own. codes: what each ended with."""

    def __init__(self, name: str, folder: Path, service: tuple[Up, str], path: str) -> None:
        up, shop = service
        steps, given = PIPELINES[name]()
        assert steps
        assert {"START_COMMAND", "TEST_COMMAND", "REPORT_DIR", "PROXY", "ALLOWED_HOSTS"} <= given.keys()
        (folder / "client.py").write_text(CLIENT)
        known = up.known()
        self.folder = folder
        self.codes: list[int] = []
        self.said = ""
        self._environment = {
            **CLEAN,
            **given,
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(folder),
            "NO_COLOR": "1",
            "GATECRASH_API": known["api"],
            "GATECRASH_TOKEN": known["token"],
            "GITHUB_ENV": str(folder / "github.env"),
            "BUILD_ID": f"build-{name}-{folder.name}",
            "TEST_RECORD_NAME": f"from {name}",
            "TEST_RUN_POLICY_ID": "quick",
            "PROXY": f"127.0.0.1:{free_port()}",
            "START_COMMAND": "sleep 3",
            "TEST_COMMAND": f"{sys.executable} client.py '{shop}{path}'",
        }
        for step in steps:
            self._run(step)
            if self.codes[-1]:
                break

    def _run(self, step: str) -> None:
        written = self.folder / "github.env"
        set_before = dict(line.split("=", 1) for line in written.read_text().splitlines()) if written.exists() else {}
        # Output to a file, for what a step leaves in the background would hold a pipe open.
        with (self.folder / "said").open("a") as said:
            done = subprocess.run(
                ["bash", "-e", "-c", step],
                cwd=self.folder,
                env={**self._environment, **set_before},
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=said,
                check=False,
                timeout=100,
            )
        self.codes.append(done.returncode)
        self.said = (self.folder / "said").read_text()


@pytest.fixture(autouse=True)
def bash() -> None:
    require(shutil.which("bash"), "bash is absent")
    require(shutil.which("gatecrash", path=str(Path(sys.executable).parent)), "the command is not installed")


@pytest.mark.parametrize("name", PIPELINES)
def test_the_steps_record_test_and_fail_with_the_flaw_in_every_report(
    name: str, service: tuple[Up, str], tmp_path: Path
) -> None:
    pipeline = Pipeline(name, tmp_path, service, "/pages/search?q=green")
    assert pipeline.codes[-1] == 1, pipeline.said
    assert not any(pipeline.codes[:-1]), pipeline.said
    assert "1 baseline request recorded" in pipeline.said
    assert "VULNERABLE" in pipeline.said
    reports = {path.suffix for path in (tmp_path / "gatecrash-reports").iterdir()}
    assert {".sarif", ".xml", ".html", ".json"} <= reports
    folder = tmp_path / "gatecrash-reports"
    assert junit((folder / "gatecrash-report.xml").read_bytes()).findall(".//failure")
    assert sarif((folder / "gatecrash-report.sarif").read_bytes())["runs"][0]["results"]


@pytest.mark.soak
def test_the_applications_own_failure_fails_the_pipeline_before_anything_is_attacked(
    service: tuple[Up, str], tmp_path: Path
) -> None:
    pipeline = Pipeline("github", tmp_path, service, "/no-such-page")
    assert pipeline.codes == [0, 1], pipeline.said
    assert not (tmp_path / "gatecrash-reports").exists()


@pytest.mark.parametrize("name", PIPELINES)
def test_no_file_holds_a_secret_and_each_names_where_it_comes_from(name: str) -> None:
    (file,) = [path for path in (DEPLOY / name).iterdir() if path.is_file()]
    text = file.read_text()
    assert "GATECRASH_TOKEN" in text
    assert not re.search(r"GATECRASH_TOKEN\s*[:=]\s*['\"]?gc", text)


def test_the_reports_that_the_files_pick_up_are_those_that_are_written() -> None:
    from gatecrash.core.reports.formats import FORMATS

    written = {f"gatecrash-report.{one.suffix}" for one in FORMATS.values()}
    for file in (DEPLOY / "github" / "gatecrash.yml", DEPLOY / "gitlab" / "gatecrash.gitlab-ci.yml"):
        picked = re.findall(r"gatecrash-reports/(gatecrash-report\.\w+)", file.read_text())
        assert picked
        assert set(picked) <= written


def test_the_service_is_still_there(service: tuple[Up, str]) -> None:
    assert httpx.get(service[0].known()["api"] + "/healthz", **PLAIN).status_code == 200
