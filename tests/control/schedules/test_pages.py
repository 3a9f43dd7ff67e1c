"""Pages of schedules: from a run's page to a run that is begun by itself, and what came of it."""

from collections.abc import Callable

import pytest
from tests.control.browsing import Person

from gatecrash.control import wall
from gatecrash.control.schedules.models import Schedule
from gatecrash.control.testruns.models import TestRun

pytestmark = pytest.mark.django_db
Sign = Callable[..., Person]


def the_row(client_id: str) -> Schedule:
    with wall.client(client_id):
        return Schedule.objects.get()


def test_a_runs_page_leads_to_its_schedule(person: Sign, client_id: str, over: str) -> None:
    somebody = person("analyst")
    assert f"/schedules/new/?run={over}" in somebody.text(f"/runs/{over}/")
    form = somebody.text(f"/schedules/new/?run={over}")
    assert f'<option value="{over}" selected>' in form
    fields = {
        "name": "nightly",
        "test_run_id": over,
        "rhythm": "daily",
        "hour": "4",
        "weekday": "monday",
        "hours": "24",
    }
    assert somebody.post("/schedules/new/", **fields, enabled="on").headers["Location"] == "/schedules/"
    assert "daily at 04:00 UTC" in somebody.text("/schedules/")
    assert the_row(client_id).source_run_id == over
    assert "Repeat" not in person("viewer").text(f"/runs/{over}/")


def test_only_a_whole_run_that_is_over_offers_it(person: Sign, client_id: str, over: str) -> None:
    somebody = person("analyst")
    with wall.client(client_id):
        TestRun.objects.update(clone_only=[1])
    assert "/schedules/new/?run=" not in somebody.text(f"/runs/{over}/")


def test_faults_are_told_at_their_fields(person: Sign, client_id: str, over: str) -> None:
    fields = {"name": "", "test_run_id": "tr_none", "rhythm": "daily", "hour": "24", "weekday": "monday", "hours": "x"}
    answer = person("analyst").post("/schedules/new/", **fields)
    text = answer.content.decode()
    assert answer.status_code == 400
    for field in ("name", "test_run_id", "hour", "hours"):
        assert f'id="{field}-error"' in text, field
    with wall.client(client_id):
        assert not Schedule.objects.exists()


def test_it_is_changed_turned_on_again_and_deleted(person: Sign, client_id: str, make: Callable[..., Schedule]) -> None:
    row, somebody = make(), person("analyst")
    with wall.client(client_id):
        Schedule.objects.update(enabled=False, paused="5 times in a row it came to nothing.")
    assert "Paused" in somebody.text("/schedules/")
    path = f"/schedules/{row.id}/change/"
    assert "It paused itself." in somebody.text(path)
    fields = {"name": "renamed", "test_run_id": "", "rhythm": "hours", "hour": "3", "weekday": "monday", "hours": "6"}
    assert somebody.post(path, **fields, enabled="on").status_code == 302
    changed = the_row(client_id)
    assert (changed.name, changed.hours, changed.paused, changed.order) == ("renamed", 6, "", row.order)
    assert somebody.post(path, **{**fields, "hours": "999"}).status_code == 400
    assert somebody.post(f"/schedules/{row.id}/delete/").status_code == 302
    assert "No schedule yet" in somebody.text("/schedules/")


def test_the_list_says_what_came_of_it(person: Sign, client_id: str, make: Callable[..., Schedule], over: str) -> None:
    make()
    with wall.client(client_id):
        Schedule.objects.update(last_at=1, last_run_id=over, last_skip="Its test node is silent.")
    text = person("viewer").text("/schedules/")
    assert "Left out: Its test node is silent." in text
    assert f'href="/runs/{over}/"' in text
    assert "New schedule" not in text
