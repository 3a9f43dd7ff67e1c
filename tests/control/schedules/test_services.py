"""Changes to schedules: the settings of the run are copied, the next time follows the rhythm."""

from collections.abc import Callable

import pytest

from gatecrash.control import wall
from gatecrash.control.accounts.models import AuditEntry
from gatecrash.control.api.errors import FieldErrors
from gatecrash.control.clock import now
from gatecrash.control.schedules import services
from gatecrash.control.schedules.models import Schedule
from gatecrash.control.testruns.models import TestRun

pytestmark = [pytest.mark.database, pytest.mark.django_db]
Make = Callable[..., Schedule]


@pytest.fixture(autouse=True)
def inside(client_id: str):
    with wall.client(client_id):
        yield


def test_the_settings_of_the_run_are_those_of_the_runs_to_come(over: str, make: Make) -> None:
    row, run = make(), TestRun.objects.get()
    assert row.order["test_record_id"] == run.record_id
    assert (row.order["policy_id"], row.order["rps"], row.order["target_url"]) == ("quick", 7, "http://127.0.0.1:9")
    assert row.order["tags"] == ["nightly", "scheduled"]
    assert row.order["node_id"] == run.node_id
    assert 0 < row.next_at - now() <= 86400


def test_one_may_be_made_off_and_is_due_when_it_is_turned_on(make: Make) -> None:
    row = make(enabled=False, rhythm="hours", hours=2)
    assert not row.enabled
    Schedule.objects.update(next_at=1)
    row = services.change(row, {"enabled": True})
    assert row.next_at == row.anchor + 7200 > now()


def test_a_new_rhythm_counts_from_now_and_a_new_name_changes_no_time(make: Make) -> None:
    row = make()
    before = row.next_at
    assert services.change(row, {"name": "renamed"}).next_at == before
    row = services.change(row, {"rhythm": "hours", "hours": 2})
    assert row.next_at == row.anchor + 7200
    assert abs(row.anchor - now()) < 60


def test_one_that_is_turned_on_again_begins_anew(make: Make) -> None:
    row = make()
    Schedule.objects.update(enabled=False, paused="because", failures=5, next_at=1)
    row = services.change(row, {"enabled": True})
    assert (row.enabled, row.paused, row.failures) == (True, "", 0)
    assert row.next_at > now()


def test_a_run_that_is_gone_since_it_was_checked_is_refused(over: str, make: Make) -> None:
    row = make()
    TestRun.objects.filter(id=over).update(clone_only=[1])
    with pytest.raises(FieldErrors):
        services.change(row, {"test_run_id": over})


def test_there_are_at_most_so_many(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "MOST", 1)
    make()
    with pytest.raises(FieldErrors):
        make()


def test_one_of_two_deletes_and_all_is_in_the_log(make: Make) -> None:
    row = services.change(make(), {"hour": 4})
    assert services.delete(row)
    row.id = row.id or AuditEntry.objects.get(action="schedule.create").target
    assert not services.delete(row)
    actions = AuditEntry.objects.filter(action__startswith="schedule.").order_by("number")
    assert list(actions.values_list("action", flat=True)) == ["schedule.create", "schedule.change", "schedule.delete"]
