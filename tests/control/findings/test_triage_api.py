"""States, comments and suppressions over the API."""

from collections.abc import Callable
from typing import Any

import pytest
from tests.control.calling import Api
from tests.control.findings.test_api import found_one

from gatecrash.control.findings.bodies import EvidenceView
from gatecrash.control.findings.triage_api import SuppressionView
from gatecrash.fakes.fake_node import FakeNode


@pytest.fixture
def found(api: Api, node: FakeNode, create: Callable[..., dict]) -> dict[str, Any]:
    found_one(node, create)
    return api.get("/v1/vulns")[1]["objects"][0]


def test_a_decision_is_answered_and_listed(api: Api, found: dict[str, Any]) -> None:
    assert (found["state"], found["suppressed"]) == ("open", False)
    status, body = api.patch(f"/v1/vulns/{found['id']}", {"state": "accepted", "comment": "known"})
    assert status == 200
    EvidenceView.model_validate(body, strict=True)
    assert (body["state"], body["history"][-1]["comment"]) == ("accepted", "known")
    assert body["history"][-1]["actor_name"] == "admin"
    assert api.get("/v1/vulns")[1]["objects"][0]["state"] == "accepted"


@pytest.mark.parametrize(
    ("given", "field", "code"),
    [
        ({"state": "closed"}, "state", "invalid_value"),
        ({"comment": "x" * 4097}, "comment", "too_long"),
        ({"stat": "open"}, "stat", "unknown_field"),
    ],
)
def test_a_faulty_decision_is_refused(api: Api, found: dict[str, Any], given: dict, field: str, code: str) -> None:
    status, body = api.patch(f"/v1/vulns/{found['id']}", given)
    assert (status, body[field]["error"]) == (400, code)


def test_a_suppression_s_life(api: Api, found: dict[str, Any]) -> None:
    status, made = api.post("/v1/suppressions", {"code": found["code"], "reason": "until the release"})
    assert status == 200
    SuppressionView.model_validate(made, strict=True)
    assert api.get("/v1/vulns")[1]["objects"][0]["suppressed"] is True
    assert api.get(f"/v1/suppressions?code={found['code']}")[1] == {"objects": [made], "total": 1}
    assert api.get(f"/v1/suppressions/{made['id']}") == (200, made)
    assert api.delete(f"/v1/suppressions/{made['id']}") == (200, {"id": made["id"]})
    assert api.get("/v1/vulns")[1]["objects"][0]["suppressed"] is False


@pytest.mark.parametrize(
    ("given", "field", "code"),
    [
        ({"code": "S9999"}, "code", "not_found"),
        ({"reason": ""}, "reason", "invalid_value"),
        ({"expires_at": 1}, "expires_at", "out_of_range"),
        ({"expires_at": True}, "expires_at", "invalid_type"),
    ],
)
def test_a_faulty_suppression_is_refused(api: Api, found: dict[str, Any], given: dict, field: str, code: str) -> None:
    status, body = api.post("/v1/suppressions", {"code": found["code"], "reason": "why", **given})
    assert (status, list(body), body[field]["error"]) == (400, [field], code)


def test_viewers_only_read(
    api: Api, client_id: str, other_id: str, caller: Callable[..., Api], found: dict[str, Any]
) -> None:
    made = api.post("/v1/suppressions", {"code": found["code"], "reason": "why"})[1]
    viewer, other = caller(client_id, "viewer"), caller(other_id)
    assert viewer.patch(f"/v1/vulns/{found['id']}", {"state": "fixed"})[0] == 403
    assert viewer.post("/v1/suppressions", {"code": found["code"], "reason": "why"})[0] == 403
    assert viewer.delete(f"/v1/suppressions/{made['id']}")[0] == 403
    assert viewer.get("/v1/suppressions")[1]["total"] == 1
    assert other.get("/v1/suppressions")[1]["total"] == 0
    assert other.post("/v1/suppressions", {"code": found["code"], "reason": "why"})[0] == 400
