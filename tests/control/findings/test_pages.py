"""Pages of vulnerabilities: filters, one with its proof, and a decision that holds in every run."""

from collections.abc import Callable

import pytest
from tests.control.browsing import Person
from tests.control.ui.conftest import Estate, made

from gatecrash.control import wall
from gatecrash.control.findings import pages
from gatecrash.control.findings.models import Vulnerability

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
        ("?page=7", False),
        ("?q=%00", True),
    ],
)
def test_the_list_is_filtered_by_its_address(
    person: Callable[..., Person], own: Estate, query: str, is_there: bool
) -> None:
    assert (own.vulnerability_id in person("viewer").text(f"/vulnerabilities/{query}")) is is_there


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
