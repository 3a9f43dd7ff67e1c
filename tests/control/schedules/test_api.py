"""Schedules over the API."""

from collections.abc import Callable

import pytest
from tests.control.calling import Api

from gatecrash.control.schedules.bodies import ScheduleList, ScheduleView

pytestmark = [pytest.mark.database, pytest.mark.django_db]


def made(api: Api, run_id: str) -> dict:
    status, body = api.post("/v1/schedule", {"name": "nightly", "test_run_id": run_id, "rhythm": "weekly"})
    assert status == 200, body
    return body


def test_it_is_made_read_changed_and_deleted(api: Api, over: str) -> None:
    schedule = made(api, over)
    ScheduleView.model_validate(schedule, strict=True)
    assert (schedule["hour"], schedule["weekday"], schedule["hours"]) == (3, "monday", None)
    path = f"/v1/schedule/{schedule['id']}"
    assert api.get(path)[1] == schedule
    ScheduleList.model_validate(api.get("/v1/schedule?limit=1")[1], strict=True)
    changed = api.patch(path, {"rhythm": "hours", "hours": 2, "enabled": False})[1]
    assert (changed["rhythm"], changed["hours"], changed["hour"], changed["next_at"]) == ("hours", 2, None, None)
    assert [api.delete(path)[0], api.delete(path)[0]] == [200, 404]


@pytest.mark.parametrize(("role", "status"), [("admin", 200), ("analyst", 200), ("viewer", 403), ("ci", 403)])
def test_who_may_write(client_id: str, api: Api, caller: Callable[..., Api], over: str, role: str, status: int) -> None:
    path, one = f"/v1/schedule/{made(api, over)['id']}", caller(client_id, role)
    assert [one.get(path)[0], one.get("/v1/schedule")[0]] == [200, 200]
    wish = {"name": "mine", "test_run_id": over, "rhythm": "daily"}
    assert [one.post("/v1/schedule", wish)[0], one.patch(path, {"name": "x"})[0], one.delete(path)[0]] == [status] * 3


def test_another_clients_schedule_and_run_are_none(
    api: Api, other_id: str, caller: Callable[..., Api], over: str
) -> None:
    path, other = f"/v1/schedule/{made(api, over)['id']}", caller(other_id)
    assert [other.get(path)[0], other.patch(path, {"name": "x"})[0], other.delete(path)[0]] == [404] * 3
    status, body = other.post("/v1/schedule", {"name": "theirs", "test_run_id": over, "rhythm": "daily"})
    assert (status, body["test_run_id"]["error"]) == (400, "not_found")
