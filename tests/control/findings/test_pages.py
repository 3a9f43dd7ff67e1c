"""Pages of vulnerabilities: filters, one with its proof, decisions that hold in every run, suppressions that end when they say."""

from collections.abc import Callable
from typing import Any

import pytest
from tests.control.browsing import Person
from tests.control.calling import Api
from tests.control.ui.conftest import Estate, made

from gatecrash.control import wall
from gatecrash.control.findings import pages, services
from gatecrash.control.findings.models import Vulnerability
from gatecrash.control.ui.reads import open_findings
from gatecrash.fakes.fake_node import FakeNode, baseline, vulnerable

pytestmark = [pytest.mark.database, pytest.mark.django_db]


@pytest.fixture
def own(client_id: str) -> Estate:
    return made(client_id)


def code(client_id: str) -> str:
    with wall.client(client_id):
        return str(Vulnerability.objects.get().code)


@pytest.mark.parametrize(
    ("query", "is_there"),
    [
        ("", True),
        ("?type=sqli", True),
        ("?type=xss", True),  # none was found of it, so there is no such filter
        ("?threat=70", True),
        ("?q=ITEMS", True),
        ("?q=nowhere", False),
        ("?code=S9999", False),
        ("?state=open", True),
        ("?state=fixed", False),
        ("?run=tr_none", False),
        ("?sort=threat", True),
        ("?threat=90", True),
        ("?show=all", True),
        ("?page=7", True),
        ("?q=%00", True),
    ],
)
def test_the_list_is_filtered_by_its_address(
    person: Callable[..., Person], own: Estate, query: str, is_there: bool
) -> None:
    assert (own.vulnerability_id in person("viewer").text(f"/vulnerabilities/{query}")) is is_there


def test_a_flaw_is_listed_once_and_leads_to_every_finding_of_it(
    client_id: str, person: Callable[..., Person], own: Estate
) -> None:
    again = baseline("/items/8")
    with wall.client(client_id):
        first = Vulnerability.objects.get()
        (kept,) = services.keep("tr_later", again, [vulnerable(again)], first.found_at + 1)
        newest = Vulnerability.objects.get(id=kept["id"])
        newest.code, newest.fingerprint = first.code, first.fingerprint
        newest.save()
    viewer = person("viewer")
    listed = viewer.text("/vulnerabilities/")
    assert kept["id"] in listed
    assert first.id not in listed
    assert f"?code={first.code}" in listed
    assert "found 2 times" in listed
    assert f">{open_findings.host_of(newest.url)}</span>" in listed
    for address in ("/vulnerabilities/?show=all", f"/vulnerabilities/?code={first.code}"):
        shown = viewer.text(address)
        assert kept["id"] in shown
        assert first.id in shown
    assert first.id in viewer.text(f"/vulnerabilities/?run={first.run_id}")
    page = viewer.text(f"/vulnerabilities/{first.id}/")
    assert "<dd>2 times, first <time" in page
    assert "Found again" in page
    assert "tr_later" in page, "by its identifier, as it was deleted"
    assert "in the same run" not in page
    page = viewer.text(f"/vulnerabilities/{kept['id']}/")
    assert f'<a href="/runs/{first.run_id}/">the run of the estate</a>' in page


def test_a_code_may_be_written_small(client_id: str, person: Callable[..., Person], own: Estate) -> None:
    assert own.vulnerability_id in person("viewer").text(f"/vulnerabilities/?code={code(client_id).lower()}")


def test_one_shows_its_proof_its_remedy_and_no_credential(
    client_id: str, person: Callable[..., Person], own: Estate
) -> None:
    text = person("viewer").text(f"/vulnerabilities/{own.vulnerability_id}/")
    for words in (code(client_id), "A quote changed the answer.", "CWE", "curl", "%27"):
        assert words in text, words
    assert "a-token-of-sixteen" not in text
    assert "/decide/" not in text, "a viewer has no form"


def test_a_decision_holds_for_the_code_and_is_told_with_its_author(
    client_id: str, person: Callable[..., Person], own: Estate
) -> None:
    analyst, here = person("analyst"), f"/vulnerabilities/{own.vulnerability_id}/"
    answer = analyst.post(f"{here}decide/", state="accepted", comment="Until <spring>.")
    assert (answer.status_code, answer["Location"]) == (302, here)
    text = analyst.text(here)
    assert "Until &lt;spring&gt;." in text
    assert analyst.email in text
    assert own.vulnerability_id in analyst.text("/vulnerabilities/?state=accepted")
    assert own.vulnerability_id not in analyst.text("/vulnerabilities/?state=open")


@pytest.mark.parametrize("given", [{"state": "gone"}, {"state": "open", "comment": "x" * 5000}])
def test_a_decision_that_cannot_be_is_refused(
    person: Callable[..., Person], own: Estate, given: dict[str, str]
) -> None:
    assert person("analyst").post(f"/vulnerabilities/{own.vulnerability_id}/decide/", **given).status_code == 400


def test_anothers_finding_is_as_good_as_none(other_id: str, person: Callable[..., Person], own: Estate) -> None:
    stranger, here = person("admin", other_id), f"/vulnerabilities/{own.vulnerability_id}/"
    assert stranger.get(here).status_code == stranger.post(f"{here}decide/", state="fixed").status_code == 404
    assert own.vulnerability_id not in stranger.text("/vulnerabilities/")


def test_types_that_were_found_have_their_titles(client_id: str, own: Estate) -> None:
    with wall.client(client_id):
        assert list(pages.found_types()) == ["sqli"]
        assert pages.found_types()["sqli"]


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


def test_it_is_listed_and_shown_with_its_proof(person: Callable[..., Person], found: dict[str, Any]) -> None:
    viewer = person("viewer")
    assert found["title"] in viewer.text("/vulnerabilities/")
    assert found["title"] in viewer.text("/vulnerabilities/?type=sqli&threat=70&state=open&sort=threat&code=s0001")
    assert "Nothing ma" in viewer.text("/vulnerabilities/?state=fixed")
    text = viewer.text(f"/vulnerabilities/{found['id']}/")
    for words in ("A quote broke the statement", "CWE-89", "curl", "In pipelines"):
        assert words in text
    assert viewer.get("/vulnerabilities/vuln_none/").status_code == 404


def test_a_decision_holds_for_its_code(person: Callable[..., Person], api: Api, found: dict[str, Any]) -> None:
    path = f"/vulnerabilities/{found['id']}/"
    somebody = person("analyst")
    assert somebody.post(f"{path}decide/", state="accepted", comment="behind the VPN").status_code == 302
    assert "behind the VPN" in somebody.text(path)
    assert api.get(f"/v1/vulns/{found['id']}")[1]["state"] == "accepted"


def test_a_suppression_is_made_with_its_day_and_taken_back(
    person: Callable[..., Person], api: Api, found: dict[str, Any]
) -> None:
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
    person: Callable[..., Person], api: Api, found: dict[str, Any], fault: dict[str, str]
) -> None:
    answer = person("admin").post(f"/vulnerabilities/{found['id']}/suppress/", **fault)
    assert answer.status_code == 400
    assert api.get("/v1/suppressions")[1]["objects"] == []


def test_a_viewer_decides_nothing(person: Callable[..., Person], other_id: str, found: dict[str, Any]) -> None:
    viewer, foreigner = person("viewer"), person("admin", other_id)
    for action in ("decide", "suppress", "unsuppress"):
        path = f"/vulnerabilities/{found['id']}/{action}/"
        assert viewer.post(path, reason="x", state="fixed").status_code == 403
        assert foreigner.post(path, reason="x", state="fixed").status_code == 404
    assert "Suppress" not in viewer.text(f"/vulnerabilities/{found['id']}/").partition("In pipelines")[2].replace(
        "Suppress it", ""
    )
