"""Vulnerabilities over the API."""

from collections.abc import Callable

from tests.control.calling import Api

from gatecrash.control import wall
from gatecrash.control.findings.bodies import EvidenceView, VulnerabilityView
from gatecrash.control.findings.models import Vulnerability
from gatecrash.fakes.fake_node import FakeNode


def found_one(node: FakeNode, create: Callable[..., dict]) -> dict:
    run = create()
    node.beat()
    node.record(run["id"], 1)
    node.hand_over(run["id"])
    node.claim(run["id"], 1)
    node.finish(run["id"], "failed")
    return run


def test_a_vulnerability_is_listed_and_shown_with_its_proof(
    api: Api, node: FakeNode, create: Callable[..., dict], show: Callable[[str], dict]
) -> None:
    run = found_one(node, create)
    listed = api.get("/v1/vulns")[1]
    (item,) = listed["objects"]
    VulnerabilityView.model_validate(item, strict=True)
    assert show(run["id"])["vulns"] == [{name: item[name] for name in ("id", "threat", "code", "type")}]
    status, shown = api.get(f"/v1/vulns/{item['id']}")
    assert status == 200
    EvidenceView.model_validate(shown, strict=True)
    assert (shown["type"], shown["code"], shown["point"], shown["cwe"]) == ("sqli", "S0001", [["get", "q"]], [89])
    assert shown["remediation"]
    assert shown["owasp"]
    assert "Bearer $TOKEN" in shown["test_request"]
    assert "abcdefghijkl" not in str(shown)
    assert shown["curl"].startswith("curl ")
    assert "syntax error" in shown["test_response"]


def test_vulnerabilities_are_filtered(api: Api, node: FakeNode, create: Callable[..., dict]) -> None:
    run = found_one(node, create)
    assert api.get(f"/v1/vulns?test_run_id={run['id']}")[1]["total"] == 1
    assert api.get("/v1/vulns?test_run_id=tr_none")[1]["total"] == 0
    assert api.get("/v1/vulns?type=sqli&code=S0001")[1]["total"] == 1
    assert api.get("/v1/vulns?type=xss")[1]["total"] == 0


def test_a_type_that_there_is_not_is_refused_unless_it_was_found(
    client_id: str, api: Api, node: FakeNode, create: Callable[..., dict]
) -> None:
    status, body = api.get("/v1/vulns?type=sql")
    assert (status, body["type"]["error"], body["type"]["value"]) == (400, "invalid_value", "sql")
    assert "sqli" in body["type"]["choices"]
    found_one(node, create)
    with wall.client(client_id):
        Vulnerability.objects.update(type="of_an_earlier_version")
    assert api.get("/v1/vulns?type=of_an_earlier_version")[1]["total"] == 1


def test_another_client_sees_nothing(
    api: Api, other_id: str, caller: Callable[..., Api], node: FakeNode, create: Callable[..., dict]
) -> None:
    found_one(node, create)
    vulnerability = api.get("/v1/vulns")[1]["objects"][0]["id"]
    other = caller(other_id)
    assert other.get("/v1/vulns")[1]["total"] == 0
    assert other.get(f"/v1/vulns/{vulnerability}")[0] == 404
