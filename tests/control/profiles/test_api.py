"""Profiles over the API: what goes in never comes out, and a run's node alone is told."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from tests.control.calling import Api
from tests.control.profiles.conftest import SECRETS

from gatecrash.control import wall
from gatecrash.control.profiles.bodies import ProfileList, ProfileView
from gatecrash.control.profiles.models import AuthProfileRow
from gatecrash.fakes.fake_node import FakeNode

Create = Callable[..., dict[str, Any]]


def made(api: Api, document: dict[str, Any]) -> dict[str, Any]:
    status, body = api.post("/v1/auth_profile", document)
    assert status == 200, body
    return body


def test_no_answer_holds_a_secret(api: Api, document: dict[str, Any]) -> None:
    profile = made(api, document)
    ProfileView.model_validate(profile, strict=True)
    path = f"/v1/auth_profile/{profile['id']}"
    listed = api.get("/v1/auth_profile")
    ProfileList.model_validate(listed[1], strict=True)
    answers = [api.get(path), listed, api.call("PUT", path, {**document, "name": "renamed"}), api.get(path)]
    assert [status for status, _ in answers] == [200] * 4
    assert answers[3][1]["name"] == "renamed"
    answers += [api.post("/v1/auth_profile", {**document, "base": "hunter2"}), api.delete(path), api.get(path)]
    assert [status for status, _ in answers[4:]] == [400, 200, 404]
    assert not [secret for secret in SECRETS if secret in json.dumps([profile, answers])]


@pytest.mark.parametrize(("role", "status"), [("admin", 200), ("analyst", 200), ("viewer", 403), ("ci", 403)])
def test_who_may_write(
    client_id: str, caller: Callable[..., Api], document: dict[str, Any], role: str, status: int
) -> None:
    one = caller(client_id, role)
    assert one.post("/v1/auth_profile", document)[0] == status
    assert one.get("/v1/auth_profile")[0] == 200


def test_another_client_s_profile_is_none(
    api: Api, other_id: str, caller: Callable[..., Api], document: dict[str, Any]
) -> None:
    profile = made(api, document)
    other = caller(other_id)
    assert other.get(f"/v1/auth_profile/{profile['id']}")[0] == 404
    status, body = other.post("/v1/test_run", {"name": "theirs", "auth_profile_id": profile["id"]})
    assert (status, body["auth_profile_id"]["error"]) == (400, "not_found")


def test_the_profile_goes_to_the_node_that_runs_it_and_to_nobody_when_it_ended(
    api: Api, node: FakeNode, new_node: Callable[..., FakeNode], create: Create, document: dict[str, Any]
) -> None:
    other = new_node(build_id="other")
    profile = made(api, document)
    run = create(auth_profile_id=profile["id"])
    assert run["auth_profile_id"] == profile["id"]
    node.beat()
    other.beat()
    order = node.orders[run["id"]]
    assert order.sending
    assert order.profile is not None
    assert [one.name for one in order.profile.identities] == ["alice", "bob", "robot"]
    assert dict(order.profile.identities[0].variables) == {"password": "hunter2"}
    assert run["id"] not in other.orders
    api.post(f"/v1/test_run/{run['id']}/action/interrupt", {})
    node.beat()
    assert [one.profile for one in node.orders.values()] == [None] * len(node.orders)


def test_a_run_without_one_has_none(node: FakeNode, create: Create) -> None:
    run = create()
    node.beat()
    assert node.orders[run["id"]].profile is None


def test_while_a_run_signs_in_by_it_it_stays(
    api: Api, node: FakeNode, create: Create, document: dict[str, Any]
) -> None:
    profile = made(api, document)
    path = f"/v1/auth_profile/{profile['id']}"
    run = create(auth_profile_id=profile["id"])
    for method, body in (("DELETE", None), ("PUT", document)):
        status, refused = api.call(method, path, body)
        assert (status, refused["auth_profile_id"]["error"]) == (409, "action_not_allowed")
        assert refused["auth_profile_id"]["runs"] == [run["id"]]
    api.post(f"/v1/test_run/{run['id']}/action/interrupt", {})
    assert api.delete(path)[0] == 200
    assert api.get(f"/v1/test_run/{run['id']}")[1]["auth_profile_id"] == profile["id"]


def test_a_run_whose_profile_cannot_be_opened_sends_nothing(
    api: Api, client_id: str, node: FakeNode, create: Create, document: dict[str, Any]
) -> None:
    profile = made(api, document)
    run = create(auth_profile_id=profile["id"])
    with wall.client(client_id):
        AuthProfileRow.objects.filter(id=profile["id"]).update(sealed=b"\x01not sealed by any key of ours")
    node.beat()
    order = node.orders[run["id"]]
    assert (order.sending, order.profile) == (False, None)


def test_what_a_profile_sets_is_masked_in_the_evidence(api: Api, node: FakeNode, create: Create) -> None:
    values = [{"point": ["header", "ACCEPT"], "value": "x"}]
    profile = made(api, {"name": "odd place", "identities": [{"name": "a", "values": values}]})
    run = create(auth_profile_id=profile["id"])
    node.beat()
    node.record(run["id"], 1)
    node.hand_over(run["id"])
    node.claim(run["id"], 1)
    node.finish(run["id"], "failed")
    found = api.get(f"/v1/vulns?test_run_id={run['id']}")[1]["objects"][0]
    shown = api.get(f"/v1/vulns/{found['id']}")[1]
    assert "Accept: $TOKEN" in shown["test_request"]
    assert "Accept: $TOKEN" in shown["curl"]


def test_while_a_record_is_read_by_it_it_stays(api: Api, node: FakeNode, document: dict[str, Any]) -> None:
    profile = made(api, document)
    path = f"/v1/auth_profile/{profile['id']}"
    given = {"name": "shop", "start_url": "http://shop.test/", "auth_profile_id": profile["id"]}
    others = {**given, "auth_profile_id": None}
    record, _ = api.post("/v1/test_record", given)[1], api.post("/v1/test_record", others)[1]
    for method, body in (("DELETE", None), ("PUT", document)):
        status, refused = api.call(method, path, body)
        assert (status, refused["auth_profile_id"]["error"]) == (409, "action_not_allowed")
        assert (refused["auth_profile_id"]["runs"], refused["auth_profile_id"]["records"]) == ([], [record["id"]])
        assert "A record is read" in refused["auth_profile_id"]["message"]
    api.post(f"/v1/test_record/{record['id']}/action/stop", {})
    assert api.delete(path)[0] == 200
    assert api.post("/v1/test_record", given)[1]["auth_profile_id"]["error"] == "not_found"
