"""The document is SARIF 2.1.0 as its standard demands, whatever a target wrote into it."""

from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

import orjson
from tests.core.reports.reporting import EMPTY, HOSTILE, REPORT, RUN, SUPPRESSED, VULNERABILITY

from gatecrash.core.reports.report import Report
from gatecrash.core.reports.sarif import render

# What the standard lets these objects hold (sections 3.13 to 3.58), as far as we write them; a name beside these is a mistake.
MEMBERS = {
    "run": {"tool", "automationDetails", "invocations", "results"},
    "driver": {"name", "semanticVersion", "rules"},
    "rule": {"id", "shortDescription", "fullDescription", "help", "defaultConfiguration", "properties"},
    "result": {
        "ruleId",
        "ruleIndex",
        "level",
        "rank",
        "message",
        "locations",
        "partialFingerprints",
        "webRequest",
        "webResponse",
        "suppressions",
        "properties",
    },
    "location": {"physicalLocation", "logicalLocations"},
    "webRequest": {"protocol", "version", "target", "method", "headers", "body"},
    "webResponse": {"protocol", "version", "statusCode", "reasonPhrase", "headers", "body"},
    "invocation": {"executionSuccessful", "startTimeUtc", "endTimeUtc", "toolExecutionNotifications", "properties"},
}


def written(report: Report) -> dict[str, Any]:
    document = orjson.loads(render(report))
    assert document["version"] == "2.1.0"
    (run,) = document["runs"]
    return run


def test_every_object_holds_only_what_the_standard_knows() -> None:
    run = written(REPORT)
    assert set(run) <= MEMBERS["run"]
    assert set(run["tool"]["driver"]) <= MEMBERS["driver"]
    assert all(set(rule) <= MEMBERS["rule"] for rule in run["tool"]["driver"]["rules"])
    assert all(set(one) <= MEMBERS["invocation"] for one in run["invocations"])
    for result in run["results"]:
        assert set(result) <= MEMBERS["result"]
        assert set(result["webRequest"]) <= MEMBERS["webRequest"]
        assert set(result["webResponse"]) <= MEMBERS["webResponse"]
        assert all(set(location) <= MEMBERS["location"] for location in result["locations"])


def test_a_result_points_to_its_rule_and_its_place() -> None:
    run = written(REPORT)
    (result,) = run["results"]
    assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"] == "sqli"
    assert result["level"] == "error"
    assert result["rank"] == 90.0
    assert result["partialFingerprints"] == {"gatecrashCode/v1": "S0001"}
    assert result["locations"][0]["logicalLocations"][0]["fullyQualifiedName"] == "GET /a"


def test_the_uri_is_one_whatever_the_payload_was() -> None:
    uri = written(REPORT)["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert urlsplit(uri).netloc == "127.0.0.1:8000"
    assert not set(uri) & set('<>"{}|\\^` \x00')
    assert uri.isascii()


def test_the_exchange_is_taken_apart_into_the_standards_parts() -> None:
    (result,) = written(REPORT)["results"]
    assert result["webRequest"]["method"] == "GET"
    assert result["webRequest"]["target"] == "/a?q=1 2"
    assert result["webRequest"]["headers"] == {"Host": "h", "X-A": "1, 2"}
    assert result["webResponse"]["statusCode"] == 500
    assert result["webResponse"]["reasonPhrase"] == "Internal Server Error"
    assert result["webResponse"]["body"]["text"] == "you have an error"


def test_what_was_not_tested_is_a_notification() -> None:
    (told,) = written(REPORT)["invocations"][0]["toolExecutionNotifications"]
    assert told["level"] == "warning"
    assert "auth failed" in told["message"]["text"]
    assert "script" in told["message"]["text"]


def test_an_interrupted_run_was_no_success_and_has_no_end_before_it_ended() -> None:
    run = written(EMPTY)
    assert run["results"] == []
    (invocation,) = run["invocations"]
    assert invocation["executionSuccessful"] is False
    assert "endTimeUtc" not in invocation
    assert datetime.fromisoformat(invocation["startTimeUtc"]).timestamp() == 1_700_000_000


def test_a_finding_without_evidence_is_a_result_all_the_same() -> None:
    bare = {**VULNERABILITY, "test_request": None, "test_response": None, "curl": None}
    (result,) = written(Report(run=REPORT.run, vulnerabilities=[bare], baselines=[], version="1"))["results"]
    assert "webRequest" not in result
    assert HOSTILE not in result["message"]["text"]


def test_a_suppressed_result_says_so_and_then_every_other_says_that_it_is_not() -> None:
    (known,) = written(SUPPRESSED)["results"]
    assert known["suppressions"] == [{"kind": "external", "status": "accepted", "justification": "until spring"}]
    assert set(known) <= MEMBERS["result"]
    plain = Report(run=RUN, vulnerabilities=[{**VULNERABILITY, "suppressed": False}], baselines=[], version="1")
    assert written(plain)["results"][0]["suppressions"] == []


def test_where_nobody_knows_of_suppressions_nothing_is_said_of_them() -> None:
    assert "suppressions" not in written(REPORT)["results"][0]
