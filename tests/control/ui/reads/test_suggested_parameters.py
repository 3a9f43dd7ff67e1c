"""Headers without which a test run was refused are offered until they count, to their own client alone."""

from collections.abc import Callable

import pytest
from tests.control.browsing import Person
from tests.control.calling import Api

from gatecrash.control import wall
from gatecrash.control.testruns.models import TestRun
from gatecrash.control.ui.reads.suggested_parameters import suggested
from gatecrash.fakes.fake_node import FakeNode

pytestmark = [pytest.mark.database, pytest.mark.django_db]

NAME = "X-STUDIO-PASS"


@pytest.fixture
def found(api: Api, node: FakeNode, create: Callable[..., dict]) -> str:
    """The newest of two runs that were refused without the header."""
    first, second = (create(name=str(number)) for number in range(2))
    with wall.client(api.client_id):
        TestRun.objects.filter(id=first["id"]).update(credential_headers=[NAME, "X-TOKEN"], created_at=1)
        TestRun.objects.filter(id=second["id"]).update(credential_headers=[NAME], domains=["a.example"])
    return str(second["id"])


def test_each_is_told_once_and_none_that_counts_by_default(api: Api, found: str) -> None:
    with wall.client(api.client_id):
        assert suggested() == [{"point": [["header", NAME]], "test_run_id": found, "domains": ["a.example"]}]


def test_it_is_offered_until_it_is_added(api: Api, found: str, person: Callable[..., Person]) -> None:
    config = f"/v1/clients/{api.client_id}/apid/config"
    assert [one["point"] for one in api.get(f"{config}/auth-suggestions")[1]["suggestions"]] == [[["header", NAME]]]
    analyst, viewer = person("analyst"), person("viewer")
    assert NAME in analyst.text("/inventory/")
    assert "Worth adding" in viewer.text("/auth-parameters/")
    assert f'Add<span class="hidden-text"> {NAME}' not in viewer.text("/auth-parameters/")
    assert f'Add<span class="hidden-text"> {NAME}' in analyst.text("/auth-parameters/")
    assert analyst.post("/auth-parameters/", location="header", name=NAME).status_code == 302
    assert api.get(f"{config}/auth-suggestions")[1] == {"suggestions": []}
    assert "Worth adding" not in analyst.text("/auth-parameters/")
    assert NAME not in analyst.text("/inventory/")


def test_another_client_is_told_nothing(found: str, other_id: str) -> None:
    with wall.client(other_id):
        assert suggested() == []
