"""A run on one endpoint by one click: it tests again what the newest record with it holds, each request once."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from tests.control.ui.conftest import Estate, exchange

from gatecrash.control import wall
from gatecrash.control.api.caller import Caller
from gatecrash.control.api.roles import Role
from gatecrash.control.inventory import queries as inventory
from gatecrash.control.jobs.worker import Worker
from gatecrash.control.testruns import queries, recording, services
from gatecrash.control.testruns.models import TestRecord, TestRun
from gatecrash.control.ui import endpoint_run
from gatecrash.core.testing.baseline import Baseline

pytestmark = [pytest.mark.database, pytest.mark.django_db]


def who(client_id: str) -> Caller:
    return Caller("tok_test", client_id, Role.ANALYST, False, None, None)


def endpoint(own: Estate) -> dict[str, Any]:
    found = inventory.find_endpoint(own.endpoint_id)
    assert found is not None
    return found


def test_what_was_recorded_of_the_endpoint_is_tested_again_beside_the_rest_of_its_record(
    client_id: str, estate: Callable[[str], Estate]
) -> None:
    """What else was recorded tells who the users are; it is not tested, and counts as nothing."""
    own = estate(client_id)
    with wall.client(client_id):
        row = TestRun.objects.get(id=own.test_run_id)
        other = exchange(b"q=other")
        other = msgspec.structs.replace(other, request=msgspec.structs.replace(other.request, target=b"/me"))
        more = [Baseline(f"bl_more{place}", exchange(query)) for place, query in enumerate((b"q=1", b"q=2", b"q=3"))]
        more.insert(1, Baseline("bl_other", other))
        recording.add(TestRecord.objects.get(id=row.record_id), row, more)
        services.act(row.id, "stop")
        TestRecord.objects.update(draining=False)
        run, number = endpoint_run.start(endpoint(own), who(client_id))
        assert number == 3, "q=1 was recorded twice and is tested once"
        assert (run.state, run.record_id, run.tags) == ("cloning", row.record_id, [own.endpoint_id])
        assert run.name == "GET api.example.com/items"
    Worker().drain()
    with wall.client(client_id):
        run = TestRun.objects.get(id=run.id)
        tested = [one["id"] for one in queries.baselines(run, 10, 0)]
    assert (run.state, run.waiting, run.skipped) == ("running", 3, 0)
    assert tested == [f"bl_{own.test_run_id[3:]}", "bl_more1", "bl_more2"]


def test_it_signs_in_and_is_sent_as_the_newest_run_over_the_record(
    client_id: str, estate: Callable[[str], Estate]
) -> None:
    own, target = estate(client_id), "http://127.0.0.1:9"
    with wall.client(client_id):
        row = TestRun.objects.get(id=own.test_run_id)
        services.act(row.id, "stop")
        TestRecord.objects.update(draining=False)
        TestRun.objects.filter(id=row.id).update(target_url=target, auth_profile_id=own.auth_profile_id)
        run, _ = endpoint_run.start(endpoint(own), who(client_id))
        assert (run.target_url, run.auth_profile_id) == (target, own.auth_profile_id)
        TestRun.objects.filter(id=run.id).update(auth_profile_id="prof_gone")
        run, number = endpoint_run.start(endpoint(own), who(client_id))
        assert (run.target_url, run.auth_profile_id, number) == (target, None, 1)


def test_without_a_record_the_run_waits_for_a_request(client_id: str, estate: Callable[[str], Estate]) -> None:
    own = estate(client_id)
    with wall.client(client_id):
        other = {**endpoint(own), "path": "/elsewhere"}
        run, number = endpoint_run.start(other, who(client_id))
        assert (number, run.recording) == (0, True)


def test_what_is_still_being_recorded_is_left_alone(client_id: str, estate: Callable[[str], Estate]) -> None:
    own = estate(client_id)
    with wall.client(client_id):
        assert TestRecord.objects.get(id=own.test_record_id).recording
        _, number = endpoint_run.start(endpoint(own), who(client_id))
        assert number == 0
