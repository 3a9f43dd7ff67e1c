"""Runs, records and policies over the API: every rule of contract 4.3, 4.4, 7 and 8 and of decisions 1 and 7."""

import time
from collections.abc import Callable
from typing import Any

import pytest
from django.test.utils import CaptureQueriesContext
from tests.control.calling import Api

from gatecrash.control.testruns import queries
from gatecrash.control.testruns.bodies import BaselineView, RunView
from gatecrash.control.testruns.record_bodies import RecordView
from gatecrash.fakes.fake_node import FakeNode

Create = Callable[..., dict]
Show = Callable[[str], dict]
Act = Callable[[str, str], dict]


@pytest.mark.parametrize(
    ("field", "inside", "outside"),
    [
        ("rps", [1, 1000, None], [0, 1001, -1]),
        ("rps_per_baseline", [1, 500, None], [0, 501]),
        ("inactivity_timeout", [300, 86400], [299, 86401]),
    ],
)
def test_every_limit_holds_just_inside_and_just_outside(
    api: Api, field: str, inside: list[Any], outside: list[Any]
) -> None:
    for value in inside:
        status, body = api.post("/v1/test_run", {"name": "x", field: value})
        assert (status, body[field]) == (200, value)
    for value in outside:
        status, body = api.post("/v1/test_run", {"name": "x", field: value})
        assert (status, body[field]["error"], body[field]["value"]) == (400, "out_of_range", value)
        assert {"min", "max"} <= body[field].keys()


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("rps", True),
        ("rps", 5.0),
        ("rps", "5"),
        ("inactivity_timeout", None),
        ("stop_on_first_fail", 1),
        ("stop_on_first_fail", "true"),
        ("name", 5),
        ("name", None),
        ("desc", None),
        ("tags", "a"),
        ("tags", [1]),
        ("policy_id", None),
        ("test_record_name", None),
        ("file_extensions_to_exclude", 1),
    ],
)
def test_another_type_is_refused(api: Api, field: str, value: object) -> None:
    status, body = api.post("/v1/test_run", {"name": "x", field: value})
    assert (status, list(body), body[field]["error"]) == (400, [field], "invalid_type")


@pytest.mark.parametrize(
    ("field", "value", "code"),
    [
        ("name", "", "invalid_value"),
        ("name", "x" * 256, "too_long"),
        ("desc", "x" * 4097, "too_long"),
        ("test_record_name", "x" * 256, "too_long"),
        ("policy_id", "pol_nobody", "not_found"),
        ("policy_id", "p" * 300, "not_found"),
        ("node_id", "", "not_found"),
        ("test_record_id", "r" * 300, "not_found"),
        ("node_id", "node_nobody", "not_found"),
        ("auth_profile_id", "prof_nobody", "not_found"),
        ("test_record_id", "rec_nobody", "not_found"),
        ("clientid", "cl_nobody", "not_found"),
        ("type", "schedule", "invalid_value"),
        ("target_url", "ftp://x", "invalid_value"),
        ("target_url", "http://x/path", "invalid_value"),
        ("target_url", "http://user@x", "invalid_value"),
        ("target_url", "http://x:99999", "invalid_value"),
        ("target_url", "x", "invalid_value"),
        ("file_extensions_to_exclude", "(a+)+", "invalid_value"),
        ("file_extensions_to_exclude", "*", "invalid_value"),
        ("nonsense", 1, "unknown_field"),
    ],
)
def test_another_value_is_refused(api: Api, field: str, value: object, code: str) -> None:
    status, body = api.post("/v1/test_run", {"name": "x", field: value})
    assert (status, list(body), body[field]["error"], body[field]["value"]) == (400, [field], code, value)


def test_the_longest_texts_are_taken(api: Api) -> None:
    status, body = api.post("/v1/test_run", {"name": "n" * 255, "desc": "d" * 4096, "tags": ["a", "b"]})
    assert (status, body["test_record_name"], body["tags"]) == (200, "n" * 255, ["a", "b"])


def test_what_is_given_is_shown(api: Api) -> None:
    given = {
        "name": "all",
        "test_record_name": "record",
        "desc": "text",
        "file_extensions_to_exclude": "png|jpe?g",
        "policy_id": "quick",
        "stop_on_first_fail": True,
        "skip_duplicated_baselines": False,
        "rps": 7,
        "rps_per_baseline": 3,
        "inactivity_timeout": 600,
        "tags": ["nightly"],
        "type": "node",
        "clientid": api.client_id,
        "target_url": "https://staging.test:8443",
    }
    status, body = api.post("/v1/test_run", given)
    assert status == 200
    assert {name: body[name] for name in given} == given


def test_a_record_name_beside_a_record_is_refused_whether_the_record_is_good_or_not(api: Api) -> None:
    _, body = api.post("/v1/test_run", {"name": "x", "test_record_id": "rec_nobody", "test_record_name": "y"})
    assert body["test_record_name"]["error"] == "not_allowed_with_test_record_id"
    assert body["test_record_id"]["error"] == "not_found"


def test_an_explicit_null_record_is_a_create(api: Api) -> None:
    assert api.post("/v1/test_run", {"name": "x", "test_record_id": None, "test_record_name": "y"})[0] == 200


def test_a_copy_of_a_record_that_is_recorded_gets_the_answer_of_the_contract(api: Api, create: Create) -> None:
    run = create()
    assert api.post("/v1/test_run", {"name": "copy", "test_record_id": run["test_record_id"]}) == (
        400,
        {"test_record_id": {"error": "not_ready_for_cloning", "value": run["test_record_id"]}},
    )


def test_a_copy_of_an_empty_record_is_refused(api: Api, create: Create, act: Act) -> None:
    run = create()
    act(run["id"], "stop")
    status, body = api.post("/v1/test_run", {"name": "copy", "test_record_id": run["test_record_id"]})
    assert (status, body["test_record_id"]["error"]) == (400, "empty_test_record")


def test_the_run_object_is_as_its_model_says(api: Api, node: FakeNode, create: Create) -> None:
    run = create()
    node.beat()
    node.record(run["id"], 1)
    node.hand_over(run["id"])
    RunView.model_validate(api.get(f"/v1/test_run/{run['id']}")[1], strict=True)
    RecordView.model_validate(api.get(f"/v1/test_record/{run['test_record_id']}")[1], strict=True)
    for item in api.get(f"/v1/test_run/{run['id']}/baselines")[1]["objects"]:
        BaselineView.model_validate(item, strict=True)


def test_a_poll_is_one_read_besides_the_token(api: Api, create: Create, settings: Any) -> None:
    from django.db import connection

    run = create()
    api.get(f"/v1/test_run/{run['id']}")
    with CaptureQueriesContext(connection) as queries:
        api.get(f"/v1/test_run/{run['id']}")
    assert len([query for query in queries.captured_queries if "testruns" in query["sql"]]) == 1
    assert len(queries.captured_queries) <= 2


@pytest.mark.parametrize("action", ["resume", "cancel", "STOP", "stop%20"])
def test_an_action_that_does_not_fit_or_does_not_exist(api: Api, create: Create, action: str) -> None:
    run = create()
    status, body = api.call("POST", f"/v1/test_run/{run['id']}/action/{action}")
    if action == "resume":
        assert (status, body["action"]["error"], body["action"]["value"]) == (409, "action_not_allowed", "resume")
        assert body["action"]["choices"] == ["stop", "pause", "interrupt"]
    else:
        assert (status, body["error"]) == (404, "not_found")


def test_every_action_moves_the_run_as_the_contract_says(create: Create, act: Act, node: FakeNode) -> None:
    run = create()
    node.beat()
    assert act(run["id"], "pause")["state"] == "paused"
    assert act(run["id"], "stop")["recording"] is False
    assert act(run["id"], "resume")["state"] == "running"
    ended = act(run["id"], "interrupt")
    assert (ended["state"], ended["interrupt_reason"]) == ("interrupted", "requested")
    assert isinstance(ended["end_time"], int)


def test_runs_are_listed_and_filtered(api: Api, create: Create, act: Act) -> None:
    first, second = create(name="Alpha"), create(name="beta")
    act(second["id"], "stop")
    listed = api.get("/v1/test_run")[1]
    newest_first = [second["id"], first["id"]]
    assert (listed["total"], [item["id"] for item in listed["objects"]]) == (2, newest_first)
    assert api.get("/v1/test_run?limit=1")[1]["total"] == 2
    assert len(api.get("/v1/test_run?limit=1")[1]["objects"]) == 1
    assert [item["id"] for item in api.get("/v1/test_run?name=ALPH")[1]["objects"]] == [first["id"]]
    assert [item["id"] for item in api.get("/v1/test_run?state=passed")[1]["objects"]] == [second["id"]]
    assert api.get("/v1/test_run?state=nonsense")[1]["state"]["error"] == "invalid_value"
    assert api.get("/v1/test_run?limit=0")[1]["limit"]["error"] == "out_of_range"


def test_waiting_answers_at_once_where_the_run_has_ended(api: Api, create: Create, act: Act) -> None:
    run = create()
    act(run["id"], "stop")
    assert api.get(f"/v1/test_run/{run['id']}?wait=30")[1]["state"] == "passed"
    assert api.get(f"/v1/test_run/{run['id']}?wait=61")[1]["wait"]["error"] == "out_of_range"
    assert api.get(f"/v1/test_run/{run['id']}?wait=x")[1]["wait"]["error"] == "invalid_type"


@pytest.mark.parametrize(
    ("role", "may_create", "may_read", "may_delete"),
    [
        ("admin", True, True, True),
        ("analyst", True, True, True),
        ("ci", True, True, False),
        ("viewer", False, True, False),
        ("node", False, False, False),
    ],
)
def test_roles(
    client_id: str, caller: Callable[..., Api], role: str, may_create: bool, may_read: bool, may_delete: bool
) -> None:
    who = caller(client_id, role)
    run = caller(client_id).post("/v1/test_run", {"name": "x"})[1]
    assert (who.post("/v1/test_run", {"name": "x"})[0] == 200) == may_create
    assert (who.get(f"/v1/test_run/{run['id']}")[0] == 200) == may_read
    assert (who.delete(f"/v1/test_record/{run['test_record_id']}")[0] != 403) == may_delete


def test_a_record_that_is_used_is_not_deleted(api: Api, create: Create, act: Act) -> None:
    run = create()
    status, body = api.delete(f"/v1/test_record/{run['test_record_id']}")
    assert (status, body["test_record_id"]["error"], body["test_record_id"]["runs"]) == (
        409,
        "action_not_allowed",
        [run["id"]],
    )
    act(run["id"], "stop")
    assert api.delete(f"/v1/test_record/{run['test_record_id']}")[0] == 200


def test_a_record_without_a_run_is_recorded_stopped_and_copied(
    api: Api, node: FakeNode, monkeypatch: pytest.MonkeyPatch
) -> None:
    status, record = api.post("/v1/test_record", {"name": "alone"})
    assert (status, record["recording"], record["test_run_id"]) == (200, True, None)
    node.beat()
    node.record(record["id"], 2)
    node.hand_over(record["id"])
    assert api.call("POST", f"/v1/test_record/{record['id']}/action/stop")[1]["recording"] is False
    assert api.call("POST", f"/v1/test_record/{record['id']}/action/stop")[0] == 409
    monkeypatch.setattr(queries, "DRAIN_SECONDS", 0.0)
    assert api.post("/v1/test_run", {"name": "c", "test_record_id": record["id"]})[0] == 400
    node.beat()
    node.beat()
    assert api.get(f"/v1/test_record/{record['id']}")[1]["ready_for_cloning"] is True
    assert api.post("/v1/test_run", {"name": "c", "test_record_id": record["id"]})[1]["state"] == "cloning"


def test_a_record_can_be_copied_and_deleted_as_soon_as_it_is_stopped(
    api: Api, node: FakeNode, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queries, "DRAIN_SECONDS", 60.0)
    monkeypatch.setattr(time, "sleep", lambda _: node.beat())
    copied, deleted = (api.post("/v1/test_record", {"name": name})[1]["id"] for name in ("copied", "deleted"))
    node.beat()
    node.record(copied, 1)
    node.hand_over(copied)
    for record in (copied, deleted):
        assert api.call("POST", f"/v1/test_record/{record}/action/stop")[0] == 200
    assert api.post("/v1/test_run", {"name": "c", "test_record_id": copied})[1]["state"] == "cloning"
    assert api.delete(f"/v1/test_record/{deleted}")[0] == 200


def test_stopping_the_record_of_a_run_stops_the_run(api: Api, create: Create, show: Show) -> None:
    run = create()
    assert api.call("POST", f"/v1/test_record/{run['test_record_id']}/action/stop")[0] == 200
    assert show(run["id"])["recording"] is False


def test_baselines_hide_credentials_in_their_addresses(api: Api, node: FakeNode, create: Create) -> None:
    from gatecrash.fakes.fake_node import baseline

    run = create()
    node.beat()
    node.record(run["id"], baselines=[baseline("/a?api_key=supersecretvalue&q=1")])
    node.hand_over(run["id"])
    (item,) = api.get(f"/v1/test_run/{run['id']}/baselines")[1]["objects"]
    assert item["url"] == "http://shop.test/a?api_key=$TOKEN&q=1"
