"""The text says what was found and how to see it, what was not tested, and the sums."""

from typing import Any

from gatecrash.core.reports.text import summary

RUN: dict[str, Any] = {
    "baseline_count": 4,
    "baseline_check_passed_count": 1,
    "baseline_check_fail_count": 1,
    "baseline_check_tech_fail_count": 1,
    "baseline_check_interrupted_count": 0,
    "baseline_skipped_count": 1,
    "sended_requests_count": 70,
    "vulns": [{"type": "sqli"}],
}
FINDING: dict[str, Any] = {
    "code": "S0001",
    "type": "sqli",
    "threat": 90,
    "title": "SQL injection",
    "method": "GET",
    "url": "http://h/a?q=1",
    "endpoint": "GET /a",
    "point": [["get", "q"]],
    "cwe": [89],
    "owasp_api": ["API8:2019"],
    "owasp": [],
    "verified_by": "Asked twice.",
    "curl": "curl http://h/a",
    "remediation": "Bind.",
}


def failed(number: int) -> list[dict[str, Any]]:
    one = {"method": "GET", "url": "http://h/b", "status": "error", "reason": "auth_failed", "detail": "refused now"}
    return [one] * number


def test_a_finding_its_proof_and_the_sums() -> None:
    told = summary(RUN, [FINDING], failed(1))
    for words in (
        "S0001  sqli",
        "CWE-89, API8:2019",
        "get/q",
        "curl http://h/a",
        "GET http://h/b: auth failed (refused now)",
    ):
        assert words in told
    assert "4 baseline requests: 1 passed, 1 failed, 1 not tested, 1 skipped; 70 test requests sent." in told
    assert told.endswith("Found: 1 sqli.")


def test_many_failures_are_counted_instead_of_listed() -> None:
    assert "and 90 more" in summary(RUN, [], failed(100))


def test_nothing_at_all() -> None:
    run = {**dict.fromkeys(RUN, 0), "vulns": []}
    assert summary(run, [], []) == "0 baseline requests: none; 0 test requests sent."


def test_what_is_suppressed_says_why() -> None:
    known = {**FINDING, "suppressed": True, "suppression_reason": "until spring"}
    assert "suppressed  until spring" in summary(RUN, [known], [])
