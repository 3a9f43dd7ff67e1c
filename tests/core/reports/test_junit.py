"""A pipeline reads failures, errors and skips out of it, and nothing a target wrote breaks the XML."""

from typing import Any

import pytest
from lxml import etree
from tests.core.reports.reporting import BASELINES, EMPTY, REPORT, RUN, SUPPRESSED, VULNERABILITY
from tests.core.reports.validating import junit

from gatecrash.core.reports.junit import render
from gatecrash.core.reports.report import Report


def suites() -> Any:
    return junit(render(REPORT))


def test_the_totals_are_those_of_the_cases() -> None:
    root = suites()
    assert {name: root.get(name) for name in ("tests", "failures", "errors", "skipped")} == {
        "tests": "5",
        "failures": "1",
        "errors": "1",
        "skipped": "2",
    }
    (suite,) = root
    assert suite.get("name") == "127.0.0.1:8000"
    assert len(suite.findall("testcase")) == 5
    assert root.get("time") == "90"


def test_a_vulnerability_is_a_failure_with_its_proof() -> None:
    (failure,) = suites().iter("failure")
    assert failure.get("type") == "sqli"
    assert "S0001 SQL injection at get/q (threat 90)" in (failure.get("message") or "")
    assert "Asked twice." in (failure.text or "")


def test_what_could_not_be_tested_is_an_error_and_never_a_pass() -> None:
    (error,) = suites().iter("error")
    assert error.get("type") == "auth_failed"


def test_what_no_check_fits_is_skipped_and_never_a_pass() -> None:
    assert [str(one.get("message")).partition(":")[0] for one in suites().iter("skipped")] == [
        "skipped",
        "nothing was tested",
    ]


@pytest.mark.parametrize(
    ("path", "change", "told"),
    [
        ("testsuite", {"timestamp": "yesterday"}, "timestamp"),
        ("testsuite/testcase", {"colour": "red"}, "colour"),
        ("testsuite", {"tests": "7"}, "7"),
    ],
)
def test_the_schema_finds_what_is_wrong(path: str, change: dict[str, str], told: str) -> None:
    root = suites()
    for name, value in change.items():
        root.find(path).set(name, value)
    with pytest.raises((AssertionError, etree.DocumentInvalid), match=told):
        junit(etree.tostring(root))


def test_checks_that_could_not_decide_are_told() -> None:
    (told,) = suites().iter("system-out")
    assert told.text == "2 checks could not decide: sqli at get/ref: blocked"


def test_characters_that_xml_cannot_hold_are_replaced() -> None:
    name = suites().get("name") or ""
    assert "\x00" not in name
    assert "<script>" in name


def test_nothing_tested_is_a_document_too() -> None:
    assert len(junit(render(EMPTY))) == 0


def test_a_case_with_nothing_but_suppressed_findings_is_skipped() -> None:
    root = junit(render(SUPPRESSED))
    assert (root.get("failures"), root.get("skipped")) == ("0", "3")
    assert [one.get("message") for one in root.iter("skipped")][:2] == ["suppressed: S0001", "skipped"]
    assert "S0001 is suppressed: until spring" in [one.text for one in root.iter("system-out")]


def test_a_suppressed_finding_hides_no_other() -> None:
    both = [*SUPPRESSED.vulnerabilities, {**VULNERABILITY, "id": "vuln_2", "code": "S0002"}]
    root = junit(render(Report(run=RUN, vulnerabilities=both, baselines=BASELINES, version="1")))
    assert root.get("failures") == "1"
    (failure,) = root.iter("failure")
    assert (failure.get("message") or "").startswith("S0002")
