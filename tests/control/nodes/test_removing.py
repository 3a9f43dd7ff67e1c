"""Silent nodes are taken off the list, and are there again at their next hello."""

import time
from collections.abc import Callable

import pytest
from tests.control.calling import Api

from gatecrash.control import wall
from gatecrash.control.nodes.models import Node
from gatecrash.control.nodes.removing import remove_builds
from gatecrash.fakes.fake_node import FakeNode, Refused

DAY = 86400.0


def silent(api: Api, *nodes: FakeNode, for_seconds: float = 60.0) -> None:
    with wall.client(api.client_id):
        Node.objects.filter(id__in=[node.id for node in nodes]).update(last_seen=time.time() - for_seconds)


def listed(api: Api) -> list[str]:
    body = api.get("/v1/nodes")[1]
    assert body["total"] == len(body["objects"])
    return [one["id"] for one in body["objects"]]


def test_a_silent_node_is_taken_off_and_comes_back_with_its_hello(api: Api, new_node: Callable[..., FakeNode]) -> None:
    default, build = new_node(name="embedded"), new_node(build_id="7")
    silent(api, build)
    status, removed = api.delete(f"/v1/nodes/{build.id}")
    assert (status, removed["id"], removed["build_id"]) == (200, build.id, "7")
    assert listed(api) == [default.id]
    assert api.get(f"/v1/nodes/{build.id}")[0] == 404
    assert api.delete(f"/v1/nodes/{build.id}")[0] == 404
    (entry,) = api.get("/v1/audit?action=node.remove")[1]["objects"]
    assert (entry["target"], entry["detail"]["build_id"]) == (build.id, "7")
    first = build.id
    build.hello()
    assert build.id == first
    assert listed(api) == [default.id, first]


def test_its_present_start_says_hello_first(api: Api, new_node: Callable[..., FakeNode]) -> None:
    new_node(name="embedded")
    build = new_node(build_id="7")
    silent(api, build)
    assert api.delete(f"/v1/nodes/{build.id}")[0] == 200
    with pytest.raises(Refused) as refused:
        build.beat()
    assert refused.value.status == 404


def test_a_node_that_is_heard_stays(api: Api, new_node: Callable[..., FakeNode]) -> None:
    new_node(name="embedded")
    other = new_node(name="other")
    status, body = api.delete(f"/v1/nodes/{other.id}")
    assert (status, body["node_id"]["error"]) == (409, "action_not_allowed")
    assert "connected" in body["node_id"]["message"]
    assert other.id in listed(api)


def test_a_node_that_a_run_or_a_recording_waits_for_stays(api: Api, new_node: Callable[..., FakeNode]) -> None:
    new_node(name="embedded")
    other, third = new_node(name="other"), new_node(name="third")
    run = api.post("/v1/test_run", {"name": "waits", "node_id": other.id})[1]
    record = api.post("/v1/test_record", {"name": "records", "node_id": third.id})[1]
    silent(api, other, third)
    for node, work in ((other, run["id"]), (third, record["id"])):
        status, body = api.delete(f"/v1/nodes/{node.id}")
        assert (status, body["node_id"]["runs"]) == (409, [work])
    api.post(f"/v1/test_run/{run['id']}/action/interrupt", {})
    assert api.delete(f"/v1/nodes/{other.id}")[0] == 200
    assert api.get(f"/v1/test_run/{run['id']}")[1]["node_id"] == other.id


def test_the_default_place_is_passed_on_or_kept(api: Api, new_node: Callable[..., FakeNode]) -> None:
    default, build = new_node(name="embedded"), new_node(build_id="7")
    silent(api, default)
    status, body = api.delete(f"/v1/nodes/{default.id}")
    assert (status, body["node_id"]["error"]) == (409, "action_not_allowed")
    other = new_node(name="other")
    assert api.delete(f"/v1/nodes/{default.id}")[0] == 200
    assert listed(api) == [other.id, build.id]
    assert api.get(f"/v1/nodes/{other.id}")[1]["default"] is True
    default.hello()
    assert api.get(f"/v1/nodes/{default.id}")[1]["default"] is False


def test_no_run_is_made_for_a_removed_node_but_by_a_token_that_is_tied_to_it(
    api: Api, new_node: Callable[..., FakeNode]
) -> None:
    new_node(name="embedded")
    other = new_node(name="other")
    tied = api.post("/v1/tokens", {"name": "tied", "role": "ci", "node_id": other.id})[1]["token"]
    silent(api, other)
    assert api.delete(f"/v1/nodes/{other.id}")[0] == 200
    for path, body in (("/v1/test_run", {"name": "x"}), ("/v1/tokens", {"name": "x", "role": "ci"})):
        status, problems = api.post(path, {**body, "node_id": other.id})
        assert (status, problems["node_id"]["error"]) == (400, "not_found")
    with_it = Api(api.client_id, tied)
    assert with_it.post("/v1/test_run", {"name": "tied"})[1]["node_id"] == other.id
    assert other.id in listed(api)


@pytest.mark.parametrize("role", ["analyst", "viewer", "ci"])
def test_only_administrators_remove(
    client_id: str, api: Api, new_node: Callable[..., FakeNode], caller: Callable[..., Api], role: str
) -> None:
    build = new_node(build_id="7")
    silent(api, build)
    assert caller(client_id, role).delete(f"/v1/nodes/{build.id}")[0] == 403


def test_anothers_node_is_not_there(
    api: Api, other_id: str, new_node: Callable[..., FakeNode], caller: Callable[..., Api]
) -> None:
    build = new_node(build_id="7")
    silent(api, build)
    assert caller(other_id).delete(f"/v1/nodes/{build.id}")[0] == 404
    assert build.id in listed(api)


def test_builds_are_removed_by_their_silence_alone(api: Api, new_node: Callable[..., FakeNode]) -> None:
    named = new_node(name="embedded")
    old, younger, at_work, there = (new_node(build_id=str(number)) for number in range(4))
    api.post("/v1/test_run", {"name": "waits", "node_id": at_work.id})
    silent(api, named, old, at_work, for_seconds=2 * DAY)
    silent(api, younger)
    with wall.client(api.client_id):
        assert remove_builds(DAY, time.time()) == 1
        assert remove_builds(DAY, time.time()) == 0
    assert set(listed(api)) == {named.id, younger.id, at_work.id, there.id}
