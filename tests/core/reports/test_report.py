"""What is no good result is told apart, and the shared words."""

from typing import Any

import pytest
from tests.core.reports.reporting import REPORT, RUN, VULNERABILITY, baseline

from gatecrash.core.reports.report import (
    Report,
    at,
    by_code,
    doubts,
    elsewhere,
    grouped,
    merged,
    none_decided,
    place,
    severity,
    suppression,
    told_at,
    unproven,
    verdict,
    weaknesses,
    why_untested,
)
from gatecrash.core.testing.verdict import NOTHING_FITS


def test_what_was_neither_passed_nor_failed_is_untested() -> None:
    assert [one["id"] for one in REPORT.untested] == ["bl_3", "bl_4", "bl_5"]
    assert [one["id"] for one in unproven(REPORT.baselines)] == ["bl_3", "bl_5"]


def test_what_could_not_be_told_has_a_title_and_a_reason_each() -> None:
    told = dict(doubts(REPORT.baselines, 10))
    assert list(told) == ["Not tested", "Could not decide"]
    assert [line.partition(": ")[0] for line in told["Not tested"]] == [
        "GET http://127.0.0.1:8000/a3",
        "GET http://127.0.0.1:8000/a5",
    ]
    assert told["Could not decide"] == ["GET http://127.0.0.1:8000/a2: sqli at get/ref: blocked"]
    assert dict(doubts(REPORT.baselines * 4, 1))["Could not decide"][1:] == ["and 3 more"]
    assert list(doubts([baseline(1, "passed")], 1)) == []


def test_what_one_row_alone_tells_is_not_left_out_for_what_many_do() -> None:
    gone = [{**baseline(number, "error"), "reason": "connection_failed", "detail": "it is gone"} for number in range(4)]
    last = {**gone[3], "url": "http://127.0.0.1:8000/log", "detail": "it went away under xss at get/bytes"}
    ((_, told),) = doubts([*gone[:3], last], 2)
    assert told == [
        "GET http://127.0.0.1:8000/a0: connection failed (it is gone)",
        "GET http://127.0.0.1:8000/log: connection failed (it went away under xss at get/bytes)",
        "and 2 more",
    ]


def test_what_was_not_tested_is_not_told_as_undecided_as_well() -> None:
    absent = {**baseline(3, "passed"), "inconclusive": 1, "detail": NOTHING_FITS}
    assert [title for title, _ in doubts([absent], 10)] == ["Not tested"]


def test_of_requests_at_one_address_it_is_told_what_they_call() -> None:
    called = {**baseline(3, "error"), "operation": "query Orders"}
    ((_, (line,)),) = doubts([called], 1)
    assert line.startswith("GET http://127.0.0.1:8000/a3 query Orders: ")


@pytest.mark.parametrize(
    ("changes", "baselines", "told"),
    [
        ({"state": "failed"}, [], "vulnerable"),
        ({"state": "interrupted"}, [], "interrupted"),
        ({}, [baseline(1, "passed")], "passed"),
        ({}, [baseline(1, "passed"), baseline(2, "error")], "passed in part"),
        ({"baseline_untested_count": 2}, [], "nothing was tested"),
        ({"baseline_check_passed_count": 0, "baseline_untested_count": 0}, [], "nothing was tested"),
    ],
)
def test_what_a_reader_may_take_home(changes: dict[str, Any], baselines: list[dict[str, Any]], told: str) -> None:
    run = {**RUN, "state": "passed", "baseline_untested_count": 0, **changes}
    assert verdict(Report(run=run, vulnerabilities=[], baselines=baselines, version="1.0.0")) == told


def test_a_point_in_one_word() -> None:
    assert place([["post", "json_doc", "json_obj", "q"]]) == "post/json_doc/json_obj/q"
    assert place([]) == "the whole request"


def test_the_weakness_in_every_list() -> None:
    assert weaknesses(VULNERABILITY) == "CWE-89, API8:2019, A03:2021"


def test_the_reason_has_its_detail_where_there_is_one() -> None:
    assert why_untested(baseline(1, "error", reason="connection_failed", detail="timed out")) == "connection failed (timed out)"  # fmt: skip
    assert why_untested(baseline(1, "interrupted")) == "interrupted"


@pytest.mark.parametrize(
    ("reason", "detail", "told"),
    [
        ("connection_failed", "no_control: none was recorded", "no check could decide (no_control: none was recorded)"),
        ("connection_failed", "blocked", "no check could decide (blocked)"),
        ("connection_failed", "connection: timed out", "connection failed (connection: timed out)"),
        ("connection_failed", "", "connection failed"),
        ("auth_failed", "session: refused", "auth failed (session: refused)"),
    ],
)
def test_what_was_answered_and_not_decided_is_no_failed_connection(reason: str, detail: str, told: str) -> None:
    one = baseline(1, "error", reason=reason, detail=detail)
    assert why_untested(one) == told
    assert none_decided(one) == told.startswith("no check")


@pytest.mark.parametrize(
    ("threat", "word"),
    [(1, "low"), (39, "low"), (40, "medium"), (69, "medium"), (70, "high"), (89, "high"), (90, "critical")],
)
def test_the_bands_of_severity(threat: int, word: str) -> None:
    assert severity(threat) == word


def test_what_fails_no_pipeline_has_a_reason() -> None:
    assert suppression(VULNERABILITY) is None
    assert suppression({"suppressed": False, "suppression_reason": None}) is None
    assert suppression({"suppressed": True, "suppression_reason": "until spring"}) == "until spring"


def test_a_flaw_found_at_several_requests_is_one_with_its_other_places() -> None:
    def found(code: str, url: str) -> dict[str, Any]:
        return {**VULNERABILITY, "code": code, "method": "POST", "url": url}

    (first, others), (second, none) = grouped(
        [found("S0001", "/login"), found("S0002", "/b"), found("S0001", "/login"), found("S0001", "/login?x")]
    )
    assert (first["code"], others, second["code"], none) == ("S0001", ["POST /login", "POST /login?x"], "S0002", [])
    assert elsewhere(["POST /login", "POST /login"]) == "POST /login (2 times)"
    assert elsewhere(f"GET /{number}" for number in range(7)).endswith("GET /4 and 2 more")


def test_findings_of_one_code_are_one_vulnerability_and_those_without_stand_alone() -> None:
    rows = [{"code": "S0002"}, {}, {"code": "S0001"}, {"code": "S0002", "id": "later"}, {}]
    assert by_code(rows) == [[rows[0], rows[3]], [{}], [rows[2]], [{}]]


def test_one_cause_at_several_endpoints_is_told_with_their_codes() -> None:
    forged = {
        **VULNERABILITY,
        "type": "auth",
        "title": "Unsigned tokens are taken",
        "point": [["header", "AUTHORIZATION"]],
    }
    rows = [{**forged, "code": f"S000{number}", "url": f"http://h/{number}"} for number in range(3)]
    ((first, others),) = grouped(rows)
    assert (first["code"], others) == ("S0000", ["GET http://h/1 (S0001)", "GET http://h/2 (S0002)"])
    assert at(first, others) == "GET /a and 2 more"
    assert at(first, ["GET http://h/0?x=1"]) == "GET /a"


def test_a_finding_names_the_one_that_its_cause_is_told_at_and_that_one_names_none() -> None:
    cors = {**VULNERABILITY, "type": "cors", "title": "Permissive cross-origin sharing", "point": [], "threat": 35}
    rows = [
        {**cors, "code": "S0001", "url": "http://a.example/1"},
        {**cors, "code": "S0002", "url": "http://a.example/2", "threat": 60},
        {**cors, "code": "S0003", "url": "http://b.example/1"},
        {**cors, "code": "S0004", "url": "http://a.example/3", "type": "sqli", "title": "SQL injection"},
        {**cors, "code": "S0002", "url": "http://a.example/2?again"},
    ]
    assert told_at(rows) == ["S0002", "", "", "", ""]
    assert told_at([]) == []


def test_the_worst_is_told_first_and_codes_keep_their_order_among_equals() -> None:
    threats = {"S0001": 45, "S0002": 90, "S0003": 45, "S0004": 90}
    rows = [{**VULNERABILITY, "code": code, "threat": threat} for code, threat in threats.items()]
    assert [one["code"] for one, _ in grouped(rows)] == ["S0002", "S0004", "S0001", "S0003"]


def test_fewer_flaws_than_findings_are_said_to_be_so() -> None:
    assert merged(7, 7) == ""
    assert merged(19, 3).startswith("19 findings have 3 causes; ")
    assert merged(2, 1).startswith("2 findings have 1 cause; ")
