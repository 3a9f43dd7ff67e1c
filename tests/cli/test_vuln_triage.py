"""Deciding about real findings from the command line, and what a suppression does to the exit codes of a pipeline."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click
import httpx
import pytest
from tests.cli.ci.pipeline import printed, recording, step, variables
from tests.cli.conftest import Invoke
from tests.cli.running import Up
from tests.core.reports.validating import junit, sarif
from tests.plain_http import PLAIN

from gatecrash.cli.vuln_triage import end_of, end_to_come
from gatecrash.demo.launch import target

Document = Callable[..., Any]


@pytest.fixture(scope="module")
def shop() -> Iterator[str]:
    with target() as address:
        yield address


@pytest.fixture(scope="module")
def run_id(up: Up, shop: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A run that found one kind of weakness at one request."""
    with recording(variables(up, TEST_RECORD_NAME="triage"), tmp_path_factory.mktemp("record")) as made:
        with httpx.Client(proxy=made.proxy, **PLAIN) as shopper:
            assert shopper.get(f"{shop}/pages/search?q=green").status_code == 200
        assert made.stop() == 0, made.said()
    known = up.known()
    narrow = httpx.post(
        f"{known['api']}/v1/policy",
        headers={"X-Service-API-Token": known["token"]},
        json={"name": "narrow", "types": ["xss", "sqli"]},
        **PLAIN,
    ).json()["body"]["id"]
    done = step(variables(up, TEST_RECORD_ID=made.record_id, TEST_RUN_POLICY_ID=narrow), "test")
    assert (done.returncode, "VULNERABLE" in done.stderr) == (1, True), done.stderr
    return printed(done.stdout.splitlines()[0])["TEST_RUN_ID"]


@pytest.fixture
def codes(run_id: str, document: Document) -> list[str]:
    return sorted({one["code"] for one in document("run", "show", run_id)["vulns"]})


def test_a_suppression_changes_exit_codes_and_reports_and_no_state(
    up: Up, run_id: str, codes: list[str], invoke: Invoke, document: Document, tmp_path: Path
) -> None:
    assert invoke("run", "wait", run_id).exit_code == 1
    for code in codes:
        made = document("vuln", "suppress", code.lower(), "--reason", "until the release", "--until", "2099-12-31")
        assert (made["code"], made["active"], made["expires_at"]) == (code, True, 4102444799)
    waited = invoke("run", "wait", run_id, "--allow", "inconclusive")
    assert (waited.exit_code, "SUPPRESSED" in waited.stderr) == (0, True), waited.stderr
    shown = invoke("run", "show", run_id).stdout
    assert "failed" in shown
    assert "SUPPRESSED" in shown
    reported = step(variables(up, TEST_RUN_ID=run_id, REPORT_DIR=str(tmp_path)), "report")
    assert reported.returncode == 0, reported.stderr
    whole = json.loads((tmp_path / "gatecrash-report.json").read_text())
    assert whole["test_run"]["state"] == "failed"
    assert {one["suppressed"] for one in whole["vulnerabilities"]} == {True}
    for result in sarif((tmp_path / "gatecrash-report.sarif").read_bytes())["runs"][0]["results"]:
        assert [one["justification"] for one in result["suppressions"]] == ["until the release"]
    cases = junit((tmp_path / "gatecrash-report.xml").read_bytes())
    assert (cases.get("failures"), cases.get("skipped")) == ("0", "1")

    listed = document("vuln", "suppressions")["objects"]
    assert {one["code"] for one in listed} == set(codes)
    assert "until the release" in invoke("vuln", "suppressions").stdout
    for code in codes:
        assert f"{code} fails pipelines again." in invoke("vuln", "unsuppress", code).stderr
    assert invoke("run", "wait", run_id).exit_code == 1
    assert "was not suppressed" in invoke("vuln", "unsuppress", codes[0]).stderr


def test_a_suppression_is_removed_by_its_own_identifier_too(
    codes: list[str], invoke: Invoke, document: Document
) -> None:
    newest = document("vuln", "list", "--code", codes[0])["objects"][0]["id"]
    made = document("vuln", "suppress", newest, "--reason", "known")
    assert (made["code"], made["expires_at"]) == (codes[0], None)
    assert invoke("vuln", "unsuppress", made["id"]).exit_code == 0
    assert made["id"] not in [one["id"] for one in document("vuln", "suppressions")["objects"]]


def test_a_state_holds_for_the_code_and_stands_in_its_history(
    codes: list[str], invoke: Invoke, document: Document
) -> None:
    decided = document("vuln", "state", codes[0], "accepted", "--comment", "behind the VPN")
    assert decided["state"] == "accepted"
    shown = invoke("vuln", "show", codes[0]).stdout
    assert "behind the VPN" in shown
    assert {one["state"] for one in document("vuln", "list", "--code", codes[0])["objects"]} == {"accepted"}
    said = invoke("vuln", "state", decided["id"], "false_positive").stderr
    assert f"{codes[0]} is false positive now." in said
    assert invoke("vuln", "state", codes[0], "maybe").exit_code == 2


def test_a_retest_is_a_run_of_its_own_over_the_one_request(
    up: Up, run_id: str, codes: list[str], invoke: Invoke, document: Document
) -> None:
    again = invoke("vuln", "retest", codes[0])
    made = again.stdout.strip()
    assert again.exit_code == 0, again.stderr
    assert made.startswith("tr_")
    run = document("run", "show", made)
    assert (run["name"], run["tags"]) == (f"Retest of {codes[0]}", ["retest", codes[0]])
    invoke("run", "interrupt", made)
    # The retest was cut short, so the flaw is neither there nor mended: nobody looked.
    compared = document("run", "compare", made, run_id)
    assert [len(compared[name]) for name in ("new", "persisting", "fixed")] == [0, 0, 0]
    assert sorted(one["code"] for one in compared["not_tested"]) == codes
    told = invoke("run", "compare", made, run_id)
    assert f"{len(codes)} are not tested" in told.stderr or "1 is not tested" in told.stderr
    assert codes[0] in told.stdout


def test_a_code_that_nothing_has_is_named(invoke: Invoke) -> None:
    for words in (("show", "S9999"), ("state", "S9999", "open"), ("retest", "S9999")):
        refused = invoke("vuln", *words)
        assert (refused.exit_code, "No vulnerability has the code S9999" in refused.stderr) == (2, True)
    assert invoke("vuln", "suppress", "S9999", "--reason", "x").exit_code == 4
    assert invoke("vuln", "unsuppress", "sup_none").exit_code == 4


@pytest.mark.parametrize(
    ("given", "seconds"),
    [
        ("1970-01-01", 86399),
        ("1970-01-01T00:00", 0),
        ("1970-01-01T01:00:00+01:00", 0),
        (None, None),
    ],
)
def test_a_day_lasts_to_its_end_and_a_moment_without_a_zone_is_utc(given: str | None, seconds: int | None) -> None:
    assert end_of(None, None, given) == seconds


def test_no_time_at_all_is_refused() -> None:
    with pytest.raises(click.BadParameter, match="no day like 2030-01-31"):
        end_of(None, None, "next week")


def test_a_suppression_that_would_be_over_at_once_is_refused() -> None:
    with pytest.raises(click.BadParameter, match="'2020-01-31' is over"):
        end_to_come(None, None, "2020-01-31")
    assert end_to_come(None, None, "9999-01-31") == end_of(None, None, "9999-01-31")
    assert end_to_come(None, None, None) is None
