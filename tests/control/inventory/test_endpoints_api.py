"""The inventory over the API: cursors, filters, one endpoint with all that is known, and identifiers that redirect."""

import time
from collections.abc import Callable

import pytest
from tests.control.calling import Api
from tests.control.inventory.traffic import HOST, count, observe

from gatecrash.control import wall
from gatecrash.control.inventory import merging
from gatecrash.control.inventory.models import Endpoint

pytestmark = [pytest.mark.database, pytest.mark.django_db]


@pytest.fixture
def present(api: Api) -> int:
    """Now, with three endpoints observed."""
    now = int(time.time())
    counts = (count("/users/ann", at=now), count("/users/{user_id}", at=now), count("/zzz", valid=0, at=now))
    observe(api.client_id, *counts, at=now)
    return now


def test_a_cursor_leads_through_the_list_to_its_end(api: Api, present: int) -> None:
    paths, query = [], "?limit=1&sort=-path"
    for _ in range(4):
        status, body = api.get(f"/v1/endpoints{query}")
        assert (status, body["total"]) == (200, 3)
        paths += [one["path"] for one in body["objects"]]
        if body["next_cursor"] is None:
            break
        query = f"?limit=1&sort=-path&cursor={body['next_cursor']}"
    assert paths == ["/zzz", "/users/{user_id}", "/users/ann"]


@pytest.mark.parametrize("query", ["sort=colour", "cursor=abc", "cursor=%00", "seen_since=soon", "type=oauth"])
def test_a_faulty_question_names_its_field(api: Api, query: str) -> None:
    status, body = api.get(f"/v1/endpoints?{query}")
    assert (status, set(body)) == (400, {query.partition("=")[0]})
    assert next(iter(body.values()))["error"] in {"invalid_value", "invalid_type"}


def test_one_endpoint_has_hours_history_and_who_is_without(api: Api, present: int) -> None:
    shown = api.get("/v1/endpoints?path=zzz")[1]["objects"][0]
    status, whole = api.get(f"/v1/endpoints/{shown['id']}")
    assert status == 200
    assert whole | shown == whole
    assert len(whole["series"]) == 168
    assert whole["series"][-1]["requests"] == 10
    assert (whole["history"], whole["notes"], whole["public_mark"], whole["redirected_from"]) == ([], [], None, None)


def test_the_identifier_of_a_merged_endpoint_answers_what_it_became(api: Api, present: int) -> None:
    with wall.client(api.client_id):
        old = Endpoint.objects.get(path="/users/ann")
        merging.merge(old.number, ("rest", "GET", HOST, "/users/{user_id}", ""), present, decided=False)
    status, body = api.get(f"/v1/endpoints/{old.public_id}")
    assert (status, body["path"], body["redirected_from"]) == (200, "/users/{user_id}", old.public_id)
    assert body["requests"] == 20
    assert api.get(f"/v1/endpoints/{body['id']}")[1]["redirected_from"] is None


def test_everybody_may_read_and_nobody_across_clients(
    api: Api, present: int, other_id: str, caller: Callable[..., Api]
) -> None:
    one = api.get("/v1/endpoints")[1]["objects"][0]["id"]
    for role in ("viewer", "analyst", "ci"):
        assert caller(api.client_id, role).get(f"/v1/endpoints/{one}")[0] == 200
    assert caller(api.client_id, "node").get("/v1/endpoints")[0] == 403
    assert caller(other_id).get(f"/v1/endpoints/{one}")[0] == 404


def test_endpoints_are_counted_by_day(api: Api, present: int) -> None:
    status, body = api.get("/v1/endpoint_statuses?days=2")
    assert status == 200
    yesterday, today = body["days"]
    assert yesterday == {"day": today["day"] - 86400, "missing": 0, "partial": 0, "consistent": 0}
    assert today == {"day": present // 86400 * 86400, "missing": 1, "partial": 2, "consistent": 0}
    assert len(api.get("/v1/endpoint_statuses")[1]["days"]) == 30


@pytest.mark.parametrize("days", ["0", "91", "x"])
def test_days_that_cannot_be_are_refused(api: Api, days: str) -> None:
    status, body = api.get(f"/v1/endpoint_statuses?days={days}")
    assert (status, set(body)) == (400, {"days"})


def test_an_endpoint_of_which_nothing_is_recorded_is_tested_with_what_comes(api: Api, present: int) -> None:
    one = api.get("/v1/endpoints")[1]["objects"][0]
    status, run = api.post(f"/v1/endpoints/{one['id']}/test", {})
    assert (status, run["state"], run["recording"], run["tags"]) == (200, "running", True, [one["id"]])
    assert run["name"] == f"{one['method']} {one['host']}{one['path']}"
    assert api.post("/v1/endpoints/ep_unknown/test", {})[0] == 404
