"""The comparison notices everything that deviates, and nothing that does not."""

from typing import Any

import pytest

from gatecrash.demo.comparison import deviations, missing, planted, shape
from gatecrash.demo.target.expectations import ENDPOINTS, FLAWS, TWINS


def shown_endpoints() -> list[dict[str, Any]]:
    return [
        {
            "method": one.method,
            "path": one.path.replace("order_id", "id"),
            "status": one.status,
            "coverage": 100.0,
            "types": list(one.types),
            "parameters": [{"key": key, "context": "header"} for key in one.keys],
        }
        for one in ENDPOINTS
    ]


def shown_findings() -> list[dict[str, Any]]:
    return [
        {
            "type": flaw.type,
            "method": flaw.method,
            "url": "http://127.0.0.1:4000" + flaw.path.replace("{customer_id}", "1") + "?x=1",
            "point": [list(flaw.point)] if flaw.point else [],
        }
        for flaw in FLAWS
    ]


def test_what_is_as_planted_deviates_nowhere() -> None:
    assert deviations(shown_endpoints(), shown_findings()) == []
    assert missing(shown_endpoints()) == []
    assert all(planted(one) for one in shown_findings())


@pytest.mark.parametrize("index", range(len(FLAWS)))
def test_a_flaw_that_was_not_found_is_named(index: int) -> None:
    findings = shown_findings()
    del findings[index]
    [line] = deviations(shown_endpoints(), findings)
    assert FLAWS[index].path in line
    assert "was not found" in line


def test_a_flaw_at_another_point_is_not_the_planted_one() -> None:
    findings = shown_findings()
    findings[0]["point"] = [["header", "X-A"]]
    assert len(deviations(shown_endpoints(), findings)) == 2


@pytest.mark.parametrize("twin", TWINS)
def test_a_reported_twin_is_named_with_its_likeness(twin: Any) -> None:
    url = "http://127.0.0.1:4000" + twin.path.replace("{order_id}", "12")
    finding = {"type": "sqli", "method": twin.method, "url": url, "point": []}
    [line] = deviations(shown_endpoints(), [*shown_findings(), finding])
    assert "safe twin" in line
    assert twin.likeness in line


def test_a_finding_elsewhere_deviates_too() -> None:
    finding = {"type": "xss", "method": "GET", "url": "http://127.0.0.1:4000/health", "point": []}
    [line] = deviations(shown_endpoints(), [*shown_findings(), finding])
    assert line == "xss in GET /health was reported, but no flaw was planted there."


@pytest.mark.parametrize(
    ("field", "value", "word"),
    [("status", "missing", "status"), ("types", ["basic"], "types"), ("parameters", [], "keys")],
)
def test_a_wrong_endpoint_deviates(field: str, value: Any, word: str) -> None:
    endpoints = shown_endpoints()
    [orders] = [one for one in endpoints if one["path"] == "/orders"]
    orders[field] = value
    [line] = deviations(endpoints, shown_findings())
    assert line.startswith("GET /orders shows")
    assert word in line or field == "status"


def test_missing_and_foreign_endpoints_deviate() -> None:
    endpoints = shown_endpoints()
    endpoints[0] = {**endpoints[0], "path": "/elsewhere"}
    assert missing(endpoints) == ["GET /health"]
    assert sorted(deviations(endpoints, shown_findings())) == [
        "GET /elsewhere is in the inventory and not of the shop.",
        "GET /health is missing from the inventory.",
    ]


def test_names_of_placeholders_do_not_matter() -> None:
    assert shape("/a/{x}/b/{y_id}") == shape("/a/{}/b/{z}") == "/a/{}/b/{}"
