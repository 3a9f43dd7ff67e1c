"""How many different weaknesses each endpoint of a list has: by host, method, path and operation, of this client only."""

from collections.abc import Callable
from typing import Any

import pytest
from tests.control.ui.conftest import Estate

from gatecrash.control import wall
from gatecrash.control.findings.models import Vulnerability
from gatecrash.control.inventory import queries
from gatecrash.control.ui.reads import open_findings

pytestmark = [pytest.mark.database, pytest.mark.django_db]


def endpoint(own: Estate) -> dict[str, Any]:
    found = queries.find_endpoint(own.endpoint_id)
    assert found is not None
    return found


def test_findings_stand_beside_their_endpoint(client_id: str, estate: Callable[[str], Estate]) -> None:
    own = estate(client_id)
    with wall.client(client_id):
        one = endpoint(own)
        other = {**one, "id": "ep_other", "host": "elsewhere.example"}
        assert open_findings.by_endpoint([one, other]) == {own.endpoint_id: 1}
        assert [found["id"] for found in open_findings.of_endpoint(one)] == [own.vulnerability_id]
        assert open_findings.of_endpoint(other) == []
        assert open_findings.by_endpoint([]) == {}


def test_another_finding_of_the_same_code_is_not_another_weakness(
    client_id: str, estate: Callable[[str], Estate]
) -> None:
    own = estate(client_id)
    with wall.client(client_id):
        row = Vulnerability.objects.get()
        row.id, row.baseline_id, row.found_at = "vuln_later", "bl_later", row.found_at + 5
        row.save(force_insert=True)
        assert open_findings.by_endpoint([endpoint(own)]) == {own.endpoint_id: 1}
        assert [found["id"] for found in open_findings.of_endpoint(endpoint(own))] == ["vuln_later"]


def test_a_finding_leads_to_its_endpoint(client_id: str, other_id: str, estate: Callable[[str], Estate]) -> None:
    own = estate(client_id)
    with wall.client(client_id):
        row = Vulnerability.objects.get()
        assert open_findings.endpoint_of(row) == own.endpoint_id
        row.endpoint += " query Elsewhere"
        assert open_findings.endpoint_of(row) is None
    with wall.client(other_id):
        assert open_findings.endpoint_of(row) is None


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ({"host": "h", "method": "GET", "path": "/a"}, ("h", "GET /a")),
        ({"host": "h", "method": "POST", "path": "/g", "operation": "query A"}, ("h", "POST /g query A")),
        ({"host": "h", "method": "GET", "path": "/a", "operation": None}, ("h", "GET /a")),
    ],
)
def test_an_endpoint_is_named_as_findings_name_it(given: dict[str, Any], name: tuple[str, str]) -> None:
    assert open_findings.name_of(given) == name


def test_another_clients_findings_are_not_counted(
    client_id: str, other_id: str, estate: Callable[[str], Estate]
) -> None:
    own = estate(other_id)
    with wall.client(other_id):
        one = endpoint(own)
    with wall.client(client_id):
        assert open_findings.by_endpoint([one]) == {}
        assert open_findings.of_endpoint(one) == []
