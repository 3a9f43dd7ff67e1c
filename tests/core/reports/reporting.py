"""A report whose every text is hostile to the format that it is written in."""

from typing import Any

import msgspec

from gatecrash.core.reports.report import Report
from gatecrash.core.testing.verdict import NOTHING_FITS

# Markup, a formula, a fence, and a character that XML cannot hold.
HOSTILE = "<script>alert(1)</script>]]>`````\x00|=1+1"

RUN: dict[str, Any] = {
    "id": "tr_1",
    "name": f"nightly {HOSTILE}",
    "state": "failed",
    "start_time": 1_700_000_000,
    "end_time": 1_700_000_090,
    "interrupt_reason": None,
    "domains": ["127.0.0.1:8000"],
    "policy_id": "default",
    "test_record_id": "rec_1",
    "authenticated_share": 0.5,
    "baseline_count": 5,
    "baseline_check_passed_count": 2,
    "baseline_untested_count": 1,
    "baseline_check_fail_count": 1,
    "baseline_check_tech_fail_count": 1,
    "baseline_check_interrupted_count": 0,
    "baseline_skipped_count": 1,
    "inconclusive_count": 2,
    "sended_requests_count": 70,
    "vulns": [{"type": "sqli"}],
}
VULNERABILITY: dict[str, Any] = {
    "id": "vuln_1",
    "code": "S0001",
    "type": "sqli",
    "threat": 90,
    "title": "SQL injection",
    "cwe": [89],
    "owasp": ["A03:2021"],
    "owasp_api": ["API8:2019"],
    "method": "GET",
    "url": f"http://127.0.0.1:8000/a?q={HOSTILE}",
    "endpoint": "GET /a",
    "point": [["get", "q"]],
    "verified_by": "Asked twice.",
    "curl": "=curl 'http://127.0.0.1:8000/a'",
    "remediation": "Bind.",
    "test_request": f"GET /a?q=1 2 HTTP/1.1\r\nHost: h\r\nX-A: 1\r\nX-A: 2\r\n\r\n{HOSTILE}",
    "test_response": "HTTP/1.1 500 Internal Server Error\r\nServer: s\r\n\r\nyou have an error",
    "baseline_request": "GET /a?q=1 HTTP/1.1\r\nHost: h\r\n\r\n",
    "baseline_response": "HTTP/1.1 200 OK\r\n\r\nok",
    "test_run_id": "tr_1",
    "baseline_id": "bl_1",
    "found_at": 1_700_000_050,
}


def baseline(number: int, status: str, **more: Any) -> dict[str, Any]:
    """A baseline as the API lists it."""
    return {
        "id": f"bl_{number}",
        "method": "GET",
        "url": f"http://127.0.0.1:8000/a{number}",
        "status": status,
        "reason": None,
        "detail": "",
        "sent": 10,
        "inconclusive": 0,
        "vulnerabilities": [],
        **more,
    }


BASELINES = [
    baseline(1, "failed", vulnerabilities=["vuln_1"]),
    baseline(2, "passed", inconclusive=2, detail="sqli at get/ref: blocked"),
    baseline(3, "error", reason="auth_failed", detail=HOSTILE),
    baseline(4, "skipped"),
    baseline(5, "passed", sent=0, detail=NOTHING_FITS),
]
REPORT = Report(run=RUN, vulnerabilities=[VULNERABILITY], baselines=BASELINES, version="1.2.3")
# The same run, its one vulnerability accepted by somebody.
SUPPRESSED = Report(
    run=RUN,
    vulnerabilities=[{**VULNERABILITY, "suppressed": True, "suppression_reason": "until spring"}],
    baselines=BASELINES,
    version="1.2.3",
)
EMPTY = Report(
    run={
        **RUN,
        **{name: 0 for name in RUN if name.endswith("count")},
        "state": "interrupted",
        "end_time": None,
        "vulns": [],
        "authenticated_share": None,
        "interrupt_reason": "user",
    },
    vulnerabilities=[],
    baselines=[],
    version="1.2.3",
)


def one_cause(times: int) -> Report:
    """A report of one mistake in verifying tokens, found at so many endpoints."""
    rows = [
        {
            **VULNERABILITY,
            "id": f"vuln_{number}",
            "code": f"S000{number}",
            "type": "auth",
            "title": "Unsigned tokens are taken",
            "point": [["header", "AUTHORIZATION"]],
        }
        for number in range(1, times + 1)
    ]
    return msgspec.structs.replace(REPORT, vulnerabilities=rows)
