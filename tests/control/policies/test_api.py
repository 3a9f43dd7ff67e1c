"""Policies over the API: the built-in ones stand, a client's own come and go, and runs keep theirs."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from tests.control.calling import Api

from gatecrash.control import wall
from gatecrash.control.policies.bodies import PolicyView
from gatecrash.control.testruns.models import TestRun
from gatecrash.control.testruns.planning import policy_of
from gatecrash.core.testing.conditions import Condition
from gatecrash.core.testing.fuzzer import Fuzzer


def as_json(fuzzer: Fuzzer) -> dict[str, Any]:
    return msgspec.json.decode(msgspec.json.encode(fuzzer))


FUZZER = as_json(Fuzzer(places=("end",), sizes=(8, 64), anomaly=(Condition(body="Traceback"),)))
WHOLE = {
    "name": "careful",
    "desc": "no writes",
    "tags": ["nightly"],
    "types": ["sqli", "auth"],
    "locations": ["get", "post"],
    "include": [["get", "q|id"]],
    "exclude": [["post", "json_doc", ".*", "note"]],
    "methods_excluded": ["DELETE"],
    "budget": 300,
    "fuzzer": FUZZER,
}


def made(api: Api, **fields: Any) -> dict[str, Any]:
    status, body = api.post("/v1/policy", {**WHOLE, **fields})
    assert status == 200, body
    return body


def test_a_policy_is_shown_as_it_was_made(api: Api) -> None:
    policy = made(api)
    assert {name: policy[name] for name in WHOLE} == WHOLE
    assert policy["id"].startswith("pol_")
    assert (policy["built_in"], policy["created_at"]) == (False, policy["updated_at"])
    assert api.get(f"/v1/policy/{policy['id']}") == (200, policy)


def test_every_listed_one_is_as_its_model_says_the_built_in_ones_first(api: Api) -> None:
    own = made(api)
    listed = api.get("/v1/policy")[1]
    assert [one["id"] for one in listed["objects"]] == ["default", "quick", "thorough", own["id"]]
    assert listed["total"] == 4
    for one in listed["objects"]:
        PolicyView.model_validate(one, strict=True)
        assert api.get(f"/v1/policy/{one['id']}") == (200, one)
    assert [one["id"] for one in api.get("/v1/policy?limit=1&offset=3")[1]["objects"]] == [own["id"]]


def test_a_change_names_only_what_changes(api: Api) -> None:
    policy = made(api)
    status, changed = api.patch(f"/v1/policy/{policy['id']}", {"budget": None, "types": ["xss"]})
    assert status == 200
    assert changed["types"] == ["xss"]
    assert changed["budget"] is None
    assert {name: changed[name] for name in ("name", "include", "tags")} == {
        name: policy[name] for name in ("name", "include", "tags")
    }


@pytest.mark.parametrize(
    ("field", "value", "code"),
    [
        ("name", "", "invalid_value"),
        ("types", [], "invalid_value"),
        ("types", ["sql"], "invalid_value"),
        ("types", "sqli", "invalid_type"),
        ("locations", ["body"], "invalid_value"),
        ("include", [["get", "("]], "invalid_point"),
        ("exclude", [["get", "(a+)+"]], "invalid_point"),
        ("exclude", [[]], "invalid_value"),
        ("methods_excluded", ["GET POST"], "invalid_value"),
        ("budget", 0, "out_of_range"),
        ("budget", True, "invalid_type"),
        ("colour", "red", "unknown_field"),
    ],
)
def test_a_faulty_field_is_named_on_create_and_on_change(api: Api, field: str, value: object, code: str) -> None:
    policy = made(api)
    for status, body in (
        api.post("/v1/policy", {**WHOLE, field: value}),
        api.patch(f"/v1/policy/{policy['id']}", {field: value}),
    ):
        assert (status, list(body), body[field]["error"], body[field]["value"]) == (400, [field], code, value)
    assert api.get(f"/v1/policy/{policy['id']}")[1] == policy


def test_what_must_be_there(api: Api) -> None:
    status, body = api.post("/v1/policy", {})
    assert (status, {name: one["error"] for name, one in body.items()}) == (
        400,
        {"name": "required", "types": "required"},
    )


def test_a_built_in_one_cannot_be_changed(api: Api) -> None:
    before = api.get("/v1/policy/default")
    assert api.patch("/v1/policy/default", {"types": ["xss"]})[0] == 403
    assert api.delete("/v1/policy/default")[0] == 403
    assert api.get("/v1/policy/default") == before


def test_a_run_keeps_the_policy_that_it_began_with(api: Api, client_id: str) -> None:
    policy = made(api)
    run = api.post("/v1/test_run", {"name": "by it", "policy_id": policy["id"]})[1]
    assert run["policy_id"] == policy["id"]
    api.patch(f"/v1/policy/{policy['id']}", {"types": ["xss"]})
    assert api.delete(f"/v1/policy/{policy['id']}") == (200, {"id": policy["id"]})
    assert api.get(f"/v1/policy/{policy['id']}")[0] == 404
    with wall.client(client_id):
        assert policy_of(TestRun.objects.get(id=run["id"])).types == ("sqli", "auth")
    assert api.post("/v1/test_run", {"name": "late", "policy_id": policy["id"]})[1]["policy_id"]["error"] == "not_found"


def test_roles_and_other_clients(api: Api, client_id: str, other_id: str, caller: Callable[..., Api]) -> None:
    policy = made(api)
    viewer, other = caller(client_id, "viewer"), caller(other_id)
    assert viewer.get(f"/v1/policy/{policy['id']}")[0] == 200
    assert viewer.post("/v1/policy", WHOLE)[0] == 403
    assert viewer.delete(f"/v1/policy/{policy['id']}")[0] == 403
    assert other.get(f"/v1/policy/{policy['id']}")[0] == 404
    assert other.post("/v1/test_run", {"name": "x", "policy_id": policy["id"]})[0] == 400


@pytest.mark.parametrize(
    ("fuzzer", "told"),
    [
        ({"sizes": [0]}, "fuzzer.sizes: 0"),
        ({"anomaly": [{"body": "("}]}, "fuzzer.anomaly[0]"),
        ({"anomaly": [{"heat": 1}]}, "heat"),
        ({"places": ["above"]}, "above"),
    ],
)
def test_settings_of_the_fuzzer_that_cannot_work_are_refused_with_the_reason(
    api: Api, fuzzer: dict[str, Any], told: str
) -> None:
    status, body = api.post("/v1/policy", {**WHOLE, "fuzzer": fuzzer})
    assert (status, body["fuzzer"]["error"]) == (400, "invalid_value")
    assert told in body["fuzzer"]["message"]


def test_what_a_policy_does_not_say_of_the_fuzzer_is_as_usual(api: Api) -> None:
    usual = as_json(Fuzzer())
    for fuzzer in (None, {}):
        assert made(api, fuzzer=fuzzer)["fuzzer"] == usual
    policy = made(api)
    assert api.patch(f"/v1/policy/{policy['id']}", {"name": "renamed"})[1]["fuzzer"] == FUZZER
    assert api.patch(f"/v1/policy/{policy['id']}", {"fuzzer": {"sizes": [3]}})[1]["fuzzer"] == {**usual, "sizes": [3]}


EXTENSION = {
    "name": "own",
    "text": "meta-info: {title: t, type: info}\nsend: {url: /}\ndetect: {response: {status: 500}}\n",
}


def test_extensions_are_kept_as_they_were_written_and_reach_the_run(api: Api) -> None:
    policy = made(api, extensions=[EXTENSION], only_custom=True)
    assert (policy["extensions"], policy["only_custom"]) == ([EXTENSION], True)
    status, run = api.post("/v1/test_run", {"name": "n", "policy_id": policy["id"]})
    assert status == 200, run
    with wall.system("read the run's policy"):
        kept = policy_of(TestRun.objects.get(id=run["id"]))
    assert kept.extensions[0].text == EXTENSION["text"]
    status, changed = api.patch(f"/v1/policy/{policy['id']}", {"name": "other"})
    assert (status, changed["extensions"]) == (200, [EXTENSION])


def test_a_broken_extension_is_refused_with_its_place_line_and_field(api: Api) -> None:
    broken = {**EXTENSION, "text": EXTENSION["text"].replace("url: /", "url: x")}
    status, body = api.post("/v1/policy", {**WHOLE, "extensions": [EXTENSION, broken]})
    assert status == 400
    refused = body["extensions"]
    assert (refused["error"], refused["place"]) == ("invalid_value", 1)
    assert [(one["line"], one["field"]) for one in refused["mistakes"]] == [(2, "send.url")]


def test_only_custom_needs_an_extension(api: Api) -> None:
    status, body = api.post("/v1/policy", {**WHOLE, "only_custom": True})
    assert (status, body["only_custom"]["error"]) == (400, "invalid_value")
    policy = made(api, extensions=[EXTENSION], only_custom=True)
    status, body = api.patch(f"/v1/policy/{policy['id']}", {"extensions": []})
    assert (status, list(body)) == (400, ["only_custom"])
