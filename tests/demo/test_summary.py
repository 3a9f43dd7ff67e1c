"""The summary says what was shown, what was proven, and what was not decided."""

import io
from pathlib import Path
from typing import Any

from rich.console import Console

from gatecrash.demo import summary
from gatecrash.demo.launch import Service

RUN: dict[str, Any] = {
    "id": "tr_1",
    "state": "failed",
    "baseline_check_all_terminated_count": 2,
    "sended_requests_count": 30,
    "test_record_id": "rec_1",
    "vulns": [{"id": "vuln_1"}],
}
FINDING: dict[str, Any] = {
    "code": "S0001",
    "type": "sqli",
    "threat": 90,
    "method": "GET",
    "url": "http://127.0.0.1:4000/reviews?tea_id=1",
    "point": [["get", "tea_id"]],
    "verified_by": "Seen twice.",
    "curl": "curl 'http://127.0.0.1:4000/reviews?tea_id=1%27'",
}


def told(write: Any, *arguments: Any) -> str:
    stream = io.StringIO()
    write(Console(file=stream, width=140), *arguments)
    return stream.getvalue()


def test_an_endpoint_is_a_row_with_its_keys() -> None:
    parameters = [
        {"type": "api_key", "key": "X-API-KEY", "context": "header"},
        {"type": "api_key", "key": "k", "context": "query"},
    ]
    one = {
        "method": "GET",
        "path": "/a/{b}",
        "status": "partial",
        "coverage": 94.96,
        "requests": 3,
        "types": ["api_key"],
    }
    text = told(
        summary.inventory,
        [{**one, "parameters": parameters}, {**one, "status": None, "coverage": None, "parameters": []}],
    )
    assert "GET /a/{b}  partial 94.9%" in text
    assert "API key in X-API-KEY, API key in query k" in text
    assert "no traffic" in text


def test_a_finding_has_place_proof_and_a_command() -> None:
    text = told(summary.findings, RUN, [FINDING], [])
    assert "S0001  sqli  threat 90  (planted)" in text
    assert "at get tea_id" in text
    assert f"curl   {FINDING['curl']}" in text
    assert "Undecided" not in text


def test_what_nobody_planted_is_said_to_be_so() -> None:
    assert "(NOT planted)" in told(summary.findings, RUN, [{**FINDING, "type": "xss"}], [])


def test_what_could_not_be_decided_is_named() -> None:
    baseline = {"method": "GET", "url": "http://x/y", "inconclusive": 1, "detail": "blocked"}
    assert "GET http://x/y (1): blocked" in told(summary.findings, RUN, [], [baseline])


def test_deviations_are_loud_and_none_is_said_too() -> None:
    assert "DEVIATION: odd" in told(summary.verdict, ["odd"])
    assert "none of" in told(summary.verdict, [])


def test_the_next_steps_can_be_typed() -> None:
    service = Service("http://a", "http://p", "token-never-shown", "cl_1", Path("log"), "o@x", "its-password")
    text = told(summary.look_next, service, RUN, "http://t", Path("/scratch"), "gatecrash")
    assert "export GATECRASH_DATA_DIR=/scratch/data" in text
    assert "gatecrash run show tr_1" in text
    assert "gatecrash vuln show vuln_1" in text
    assert "http://a/   sign in as o@x, password its-password" in text
    assert "token-never-shown" not in text
