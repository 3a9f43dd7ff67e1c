"""Pages of vulnerabilities: what is decided on one holds for its code, and a suppression ends when it says."""

from collections.abc import Callable
from typing import Any

import pytest
from tests.control.browsing import Person
from tests.control.calling import Api

from gatecrash.fakes.fake_node import FakeNode

Sign = Callable[..., Person]


@pytest.fixture
def found(api: Api, node: FakeNode, create: Callable[..., dict]) -> dict[str, Any]:
    """A vulnerability of a run."""
    run = create()
    node.beat()
    node.record(run["id"], 1)
    node.hand_over(run["id"])
    node.claim(run["id"], 1)
    node.finish(run["id"], "failed")
    one: dict[str, Any] = api.get(f"/v1/vulns?test_run_id={run['id']}")[1]["objects"][0]
    return one


def test_it_is_listed_and_shown_with_its_proof(person: Sign, found: dict[str, Any]) -> None:
    viewer = person("viewer")
    assert found["title"] in viewer.text("/vulnerabilities/")
    assert found["title"] in viewer.text("/vulnerabilities/?type=sqli&threat=70&state=open&sort=threat&code=s0001")
    assert "Nothing ma" in viewer.text("/vulnerabilities/?state=fixed")
    text = viewer.text(f"/vulnerabilities/{found['id']}/")
    for words in ("A quote broke the statement", "CWE-89", "curl", "In pipelines"):
        assert words in text
    assert viewer.get("/vulnerabilities/vuln_none/").status_code == 404


def test_a_decision_holds_for_its_code(person: Sign, api: Api, found: dict[str, Any]) -> None:
    path = f"/vulnerabilities/{found['id']}/"
    somebody = person("analyst")
    assert somebody.post(f"{path}decide/", state="accepted", comment="behind the VPN").status_code == 302
    assert "behind the VPN" in somebody.text(path)
    assert api.get(f"/v1/vulns/{found['id']}")[1]["state"] == "accepted"


def test_a_suppression_is_made_with_its_day_and_taken_back(person: Sign, api: Api, found: dict[str, Any]) -> None:
    path = f"/vulnerabilities/{found['id']}/"
    somebody = person("analyst")
    assert somebody.post(f"{path}suppress/", reason="until spring", until="2099-12-31").status_code == 302
    (made,) = api.get("/v1/suppressions")[1]["objects"]
    assert (made["code"], made["reason"], made["expires_at"]) == (found["code"], "until spring", 4102444799)
    text = somebody.text(path)
    assert "until spring" in text
    assert "fails no pipeline" in text
    assert somebody.post(f"{path}unsuppress/").status_code == 302
    assert api.get("/v1/suppressions")[1]["objects"] == []
    assert somebody.post(f"{path}suppress/", reason="for ever", until="").status_code == 302
    assert api.get("/v1/suppressions")[1]["objects"][0]["expires_at"] is None


@pytest.mark.parametrize(
    "fault", [{"reason": ""}, {"reason": "x", "until": "soon"}, {"reason": "x", "until": "1999-01-01"}]
)
def test_what_cannot_be_suppressed_so_is_refused(
    person: Sign, api: Api, found: dict[str, Any], fault: dict[str, str]
) -> None:
    answer = person("admin").post(f"/vulnerabilities/{found['id']}/suppress/", **fault)
    assert answer.status_code == 400
    assert api.get("/v1/suppressions")[1]["objects"] == []


def test_a_viewer_decides_nothing(person: Sign, other_id: str, found: dict[str, Any]) -> None:
    viewer, foreigner = person("viewer"), person("admin", other_id)
    for action in ("decide", "suppress", "unsuppress"):
        path = f"/vulnerabilities/{found['id']}/{action}/"
        assert viewer.post(path, reason="x", state="fixed").status_code == 403
        assert foreigner.post(path, reason="x", state="fixed").status_code == 404
    assert "Suppress" not in viewer.text(f"/vulnerabilities/{found['id']}/").partition("In pipelines")[2].replace(
        "Suppress it", ""
    )
