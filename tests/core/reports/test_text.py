"""The text says what was found and how to see it, what was not tested, and the sums."""

from typing import Any

from gatecrash.core.reports.text import summary
from gatecrash.core.testing.verdict import NOTHING_FITS

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


def test_a_flaw_at_the_requests_of_three_users_is_counted_once() -> None:
    copies = [{**FINDING, "url": f"http://h/a?q={name}"} for name in ("ann", "bert", "cleo")]
    told = summary({**RUN, "vulns": [{"type": "sqli", "code": "S0001"}] * 3}, copies, [])
    assert "Found: 1 sqli." in told
    assert told.count("S0001  sqli") == 1
    assert "also at     GET http://h/a?q=bert, GET http://h/a?q=cleo" in told
    assert told.endswith("3 findings have 1 cause; each is told once, with where else it was found.")


def test_how_to_repeat_is_told_once_where_a_credential_is_missing() -> None:
    masked = {**FINDING, "curl": 'curl -H "Authorization: Bearer $TOKEN" http://h/a'}
    told = summary(RUN, [masked, {**masked, "code": "S0002"}], [])
    assert told.count("To repeat a command: replace each $TOKEN by a valid credential") == 1
    assert "valid credential" not in summary(RUN, [FINDING, {**FINDING, "curl": None, "code": "S0002"}], [])


def test_a_pass_without_any_check_is_no_silent_one() -> None:
    untested = {"method": "GET", "url": "http://h/c", "status": "passed", "reason": None, "detail": NOTHING_FITS}
    told = summary({**RUN, "baseline_check_passed_count": 3, "baseline_untested_count": 2}, [], [untested])
    assert f"GET http://h/c: {NOTHING_FITS}" in told
    assert "1 passed, 2 passed with nothing to test, 1 failed" in told


def test_many_failures_are_counted_instead_of_listed() -> None:
    assert "and 90 more" in summary(RUN, [], failed(100))


def test_nothing_at_all() -> None:
    run = {**dict.fromkeys(RUN, 0), "vulns": []}
    assert summary(run, [], []) == "0 baseline requests: none; 0 test requests sent."


def test_what_is_suppressed_says_why() -> None:
    known = {**FINDING, "suppressed": True, "suppression_reason": "until spring"}
    assert "suppressed  until spring" in summary(RUN, [known], [])


def test_the_worst_is_told_first_and_one_cause_once() -> None:
    login = {**FINDING, "code": "S0002", "threat": 45, "title": "Cross-site request forgery", "type": "csrf"}
    told = summary(RUN, [login, FINDING, FINDING], [])
    assert told.index("S0001") < told.index("S0002")
    assert told.endswith("3 findings have 2 causes; each is told once, with where else it was found.")
