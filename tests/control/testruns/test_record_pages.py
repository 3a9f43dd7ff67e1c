"""Pages of test records: listed with their runs, stopped, and deleted only when nothing uses them."""

from collections.abc import Callable

import pytest
from tests.control.browsing import Person
from tests.control.ui.conftest import Estate, made

from gatecrash.control import wall
from gatecrash.control.findings.models import Vulnerability
from gatecrash.control.policies.models import TestPolicy
from gatecrash.control.testruns.models import TestRecord, TestRun

pytestmark = [pytest.mark.database, pytest.mark.django_db]


@pytest.fixture
def own(client_id: str) -> Estate:
    return made(client_id)


def test_a_record_is_listed_found_and_shown_with_its_runs(
    client_id: str, person: Callable[..., Person], own: Estate
) -> None:
    someone = person("viewer")
    with wall.client(client_id):
        TestRun.objects.update(policy_id=own.policy_id)
        policy = TestPolicy.objects.get(id=own.policy_id).name
    assert own.test_record_id in someone.text("/records/?q=ESTATE")
    assert own.test_record_id not in someone.text("/records/?q=nothing")
    text = someone.text(f"/records/{own.test_record_id}/")
    assert own.test_run_id in text
    assert "the run of the estate" in text
    for page in (text, someone.text("/runs/")):
        assert f"policy {policy}<" in page, "not its identifier"


def test_recording_is_stopped_once(client_id: str, person: Callable[..., Person], own: Estate) -> None:
    someone, here = person("analyst"), f"/records/{own.test_record_id}/"
    for _ in range(2):
        assert someone.post(f"{here}stop/").status_code == 302
    with wall.client(client_id):
        assert not TestRecord.objects.get(id=own.test_record_id).recording


def test_a_record_in_use_stays_and_a_free_one_goes_without_its_findings(
    client_id: str, person: Callable[..., Person], own: Estate
) -> None:
    someone, here = person("analyst"), f"/records/{own.test_record_id}/"
    assert someone.post(f"{here}delete/")["Location"] == here
    assert "end that first" in someone.text(here)
    someone.post(f"/runs/{own.test_run_id}/action/interrupt/")
    with wall.client(client_id):
        TestRecord.objects.update(recording=False, draining=False)
    assert someone.post(f"{here}delete/")["Location"] == "/records/"
    assert someone.get(here).status_code == 404
    with wall.client(client_id):
        assert Vulnerability.objects.filter(id=own.vulnerability_id).exists()
    assert someone.get(f"/runs/{own.test_run_id}/").status_code == 200


def test_who_may_not_and_strangers_change_nothing(
    client_id: str, other_id: str, person: Callable[..., Person], own: Estate
) -> None:
    here = f"/records/{own.test_record_id}/"
    for someone, status in ((person("viewer"), 403), (person("admin", other_id), 404)):
        for action in ("stop/", "delete/"):
            assert someone.post(here + action).status_code == status
    assert own.test_record_id not in person("analyst", other_id).text("/records/")
    with wall.client(client_id):
        assert TestRecord.objects.get(id=own.test_record_id).recording
