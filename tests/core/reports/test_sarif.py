"""The document is SARIF 2.1.0 as its standard demands, whatever a target wrote into it."""

from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

import orjson
import pytest
from tests.core.reports.reporting import EMPTY, HOSTILE, REPORT, RUN, SUPPRESSED, VULNERABILITY
from tests.core.reports.validating import sarif

from gatecrash.core.reports.report import Report
from gatecrash.core.reports.sarif import render


def written(report: Report) -> dict[str, Any]:
    (run,) = sarif(render(report))["runs"]
    return run


@pytest.mark.parametrize("report", [REPORT, EMPTY, SUPPRESSED], ids=["hostile", "empty", "suppressed"])
def test_every_object_holds_what_the_standard_wants_and_nothing_else(report: Report) -> None:
    assert sarif(render(report))["version"] == "2.1.0"


@pytest.mark.parametrize(
    ("place", "wrong", "told"),
    [
        (("results", 0, "rank"), 101.0, "results/0/rank"),
        (("results", 0, "level"), "fatal", "results/0/level"),
        (("results", 0, "colour"), "red", "colour"),
        (("results", 0, "locations", 0, "physicalLocation", "artifactLocation", "uri"), "a b", "uri"),
        (("invocations", 0, "startTimeUtc"), "yesterday", "startTimeUtc"),
        (("tool", "driver", "rules"), [], "out of range"),
    ],
)
def test_the_schema_finds_what_is_wrong(place: tuple[Any, ...], wrong: Any, told: str) -> None:
    document = orjson.loads(render(REPORT))
    holder = document["runs"][0]
    for step in place[:-1]:
        holder = holder[step]
    holder[place[-1]] = wrong
    with pytest.raises((AssertionError, IndexError), match=told):
        sarif(orjson.dumps(document))


def test_a_result_points_to_its_rule_and_its_place() -> None:
    run = written(REPORT)
    (result,) = run["results"]
    assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"] == "sqli"
    assert result["level"] == "error"
    assert result["rank"] == 90.0
    assert result["properties"]["code"] == "S0001"
    assert result["properties"]["url"] == VULNERABILITY["url"]
    assert result["locations"][0]["logicalLocations"][0]["fullyQualifiedName"] == "GET /a"


def test_a_result_names_the_one_that_its_cause_is_told_at() -> None:
    cors = {**VULNERABILITY, "type": "cors", "title": "Permissive cross-origin sharing", "point": []}
    found = [cors, {**cors, "code": "S0002", "url": "http://127.0.0.1:8000/b"}]
    first, second = written(Report(run=RUN, vulnerabilities=found, baselines=[], version="1.0.0"))["results"]
    assert "cause" not in first["properties"]
    assert second["properties"]["cause"] == "S0001"


def test_a_rule_is_tagged_by_what_was_found_and_never_by_more_than_forges_take() -> None:
    def tags(*numbers: int) -> list[str]:
        found = [{**VULNERABILITY, "type": "auth", "cwe": [number]} for number in numbers]
        report = Report(run=RUN, vulnerabilities=found, baselines=[], version="1.0.0")
        return list(written(report)["tool"]["driver"]["rules"][0]["properties"]["tags"])

    assert tags(306, 306) == ["security", "A07:2021", "API2:2023", "external/cwe/cwe-306"]
    assert len(tags(*range(1, 40))) == 20


def location(**more: Any) -> dict[str, Any]:
    """Where the one result of a report says that its finding is."""
    one = {**VULNERABILITY, **more}
    (result,) = written(Report(run=RUN, vulnerabilities=[one], baselines=[], version="1.0.0"))["results"]
    found: dict[str, Any] = result["locations"][0]["physicalLocation"]
    return found


@pytest.mark.parametrize(
    ("url", "endpoint", "uri"),
    [
        ("http://127.0.0.1:8000/a?q=<script>", "GET /a", "127.0.0.1_8000/a"),
        ("http://h/items/7", "GET /items/{item_id}", "h/items/%7Bitem_id%7D"),
        ("http://h/graphql", "POST /graphql query Users", "h/graphql"),
        ("http://[::1]:80/a[0]", "GET /a[0]", "__1_80/a%5B0%5D"),
        ("http://h/100%/%2f", "GET /100%/%2f", "h/100%25/%2f"),
        ("http://h/a:b#c?d", "GET /a:b#c?d", "h/a%3Ab%23c%3Fd"),
        ("http://h/\u00e9", "GET /\u00e9", "h/%C3%A9"),
        ("http://h/../a//./b", "GET /../a//./b", "h/a/b"),
        ("http://h?q=1", "GET /", "h"),
    ],
)
def test_a_forge_is_given_a_path_and_no_address(url: str, endpoint: str, uri: str) -> None:
    told = location(url=url, endpoint=endpoint)
    assert told == {"artifactLocation": {"uri": uri}, "region": {"startLine": 1}}
    assert not urlsplit(uri).scheme


def fingerprints(**more: Any) -> dict[str, str]:
    """Of the one result of a report."""
    one = {**VULNERABILITY, **more}
    (result,) = written(Report(run=RUN, vulnerabilities=[one], baselines=[], version="1.0.0"))["results"]
    found: dict[str, str] = result["partialFingerprints"]
    return found


def test_the_same_flaw_has_the_same_fingerprint_in_the_next_scan_and_another_has_another() -> None:
    told = fingerprints()
    assert set(told) == {"gatecrashFinding/v1", "primaryLocationLineHash"}
    assert told == fingerprints(id="vuln_2", code="S0009", url="http://127.0.0.1:8000/a?q=other")
    others = [{"type": "xss"}, {"endpoint": "POST /a"}, {"point": [["get", "p"]]}, {"url": "http://127.0.0.1:81/a"}]
    for other in others:
        assert not set(told.values()) & set(fingerprints(**other).values())


def test_an_upload_has_no_category_of_its_own() -> None:
    assert "automationDetails" not in written(REPORT)


def test_the_exchange_is_taken_apart_into_the_standards_parts() -> None:
    (result,) = written(REPORT)["results"]
    assert result["webRequest"]["method"] == "GET"
    assert result["webRequest"]["target"] == "/a?q=1 2"
    assert result["webRequest"]["headers"] == {"Host": "h", "X-A": "1, 2"}
    assert result["webResponse"]["statusCode"] == 500
    assert result["webResponse"]["reasonPhrase"] == "Internal Server Error"
    assert result["webResponse"]["body"]["text"] == "you have an error"


def test_what_was_not_tested_is_a_notification() -> None:
    told, nothing = written(REPORT)["invocations"][0]["toolExecutionNotifications"]
    assert (told["level"], nothing["level"]) == ("warning", "note")
    assert "no check of the policy fits" in nothing["message"]["text"]
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
    (result,) = written(Report(run=REPORT.run, vulnerabilities=[bare], baselines=[], version="1.0.0"))["results"]
    assert "webRequest" not in result
    assert HOSTILE not in result["message"]["text"]


def test_a_suppressed_result_says_so_and_then_every_other_says_that_it_is_not() -> None:
    (known,) = written(SUPPRESSED)["results"]
    assert known["suppressions"] == [{"kind": "external", "status": "accepted", "justification": "until spring"}]
    plain = Report(run=RUN, vulnerabilities=[{**VULNERABILITY, "suppressed": False}], baselines=[], version="1.0.0")
    assert written(plain)["results"][0]["suppressions"] == []


def test_where_nobody_knows_of_suppressions_nothing_is_said_of_them() -> None:
    assert "suppressions" not in written(REPORT)["results"][0]
