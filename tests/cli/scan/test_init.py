"""`gatecrash scan` on real traffic with the tea shop: what is planted is found, no twin is reported, nobody else is asked."""

import json
from typing import Any

import pytest
from click.testing import CliRunner, Result
from tests.cli.capturing import Browser, har
from tests.cli.scan.scanning import Scan, of_path, scanned

from gatecrash.cli.main import main
from gatecrash.demo.comparison import shape
from gatecrash.demo.target.expectations import FLAWS
from gatecrash.demo.target.store import USERS
from gatecrash.demo.traffic import Step

RUN_FIELDS = {
    "id", "name", "vulns", "clientid", "state", "simple_state", "allowed_actions",
    "baseline_check_all_terminated_count", "baseline_check_fail_count", "baseline_check_tech_fail_count",
    "baseline_check_passed_count", "baseline_check_running_count", "baseline_check_interrupted_count",
    "baseline_check_waiting_count", "sended_requests_count", "planing_requests_count", "start_time", "end_time",
    "domains", "baseline_count", "test_record_id", "current_rps", "avg_rps", "estimated_time_to_completion",
}  # fmt: skip
FINDING_FIELDS = {
    "id", "code", "type", "threat", "cwe", "owasp_api", "owasp", "method", "url", "endpoint", "point", "title",
    "verified_by", "curl", "test_request", "test_response", "baseline_request", "remediation",
}  # fmt: skip


@pytest.fixture(scope="module")
def whole(entries: list[dict[str, Any]], tmp_path_factory: pytest.TempPathFactory) -> Result:
    """The tour scanned with everything as it is by default, told in JSON."""
    return scanned(har(entries, tmp_path_factory.mktemp("whole") / "session.har"), "--json")


def test_every_planted_flaw_is_found_and_no_twin_is_reported(whole: Result) -> None:
    body = json.loads(whole.stdout)
    found = {
        (one["type"], one["method"], shape(one["endpoint"].partition(" ")[2]), *map(tuple, one["point"]))
        for one in body["vulnerabilities"]
    }
    planted = {
        (flaw.type, flaw.method, shape(flaw.path), *([tuple(flaw.point)] if flaw.point else [])) for flaw in FLAWS
    }
    assert found == planted
    assert whole.exit_code == 1
    assert "VULNERABLE: " in whole.stderr
    assert set(body["test_run"]) >= RUN_FIELDS
    assert {frozenset(one) for one in body["vulnerabilities"]} == {frozenset(FINDING_FIELDS)}


def test_the_document_adds_up_and_holds_no_credential(whole: Result, entries: list[dict[str, Any]]) -> None:
    text = whole.stdout
    body = json.loads(text)
    run, baselines = body["test_run"], body["baselines"]
    assert run["state"] == "failed"
    assert run["sended_requests_count"] == sum(one["sent"] for one in baselines) > 0
    assert run["planing_requests_count"] == 0
    assert run["baseline_count"] == len(baselines) == len(entries)
    failed = {one["id"] for one in baselines if one["status"] == "failed"}
    assert len(failed) == run["baseline_check_fail_count"]
    listed = [name for one in baselines for name in one["vulnerabilities"]]
    assert (
        sorted(listed) == sorted(one["id"] for one in body["vulnerabilities"]) == sorted(v["id"] for v in run["vulns"])
    )
    header = of_path(entries, "/orders")["request"]["headers"]
    token = next(pair["value"] for pair in header if pair["name"] == "authorization").partition(" ")[2]
    assert token not in text
    assert "$TOKEN" in text


def test_the_same_capture_gives_the_same_codes(whole: Result, scan: Scan) -> None:
    def codes(result: Result) -> list[tuple[str, str, str]]:
        found = json.loads(result.stdout)["vulnerabilities"]
        return [(one["code"], one["type"], one["endpoint"]) for one in found]

    assert codes(scan("--json")) == codes(whole) != []


def test_standard_input_may_be_zipped_json_lines(address: str) -> None:
    import gzip

    line = json.dumps({"method": "GET", "url": f"{address}/reviews?tea_id=1", "status": 200}).encode()
    login, password = USERS[0]
    with Browser(address) as browser:
        answer = browser.ask(Step("POST", "/login", body={"login": login, "password": password}))
        token = answer.json()["token"]
    line = json.dumps({**json.loads(line), "headers": {"Authorization": f"Bearer {token}"}}).encode()
    result = CliRunner().invoke(main, ["scan", "-", "--json", "--types", "sqli"], input=gzip.compress(line))
    assert [one["type"] for one in json.loads(result.stdout)["vulnerabilities"]] == ["sqli"]
