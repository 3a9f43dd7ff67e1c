"""Nodes over the API, hello and counts over the protocol."""

import time
from collections.abc import Callable

import pytest
from tests.control.calling import Api

from gatecrash.fakes.fake_node import FakeNode, Refused
from gatecrash.wire.counts import EndpointCount, ParameterCount


def test_nodes_are_listed_the_default_first(api: Api, new_node: Callable[..., FakeNode]) -> None:
    build = new_node(build_id="1")
    default = new_node(name="embedded")
    listed = api.get("/v1/nodes")[1]
    assert [item["id"] for item in listed["objects"]] == [default.id, build.id]
    assert api.get(f"/v1/nodes/{build.id}") == (200, listed["objects"][1])
    assert listed["objects"][0]["connected"] is True


def test_another_client_sees_no_node(other_id: str, caller: Callable[..., Api], node: FakeNode) -> None:
    other = caller(other_id)
    assert other.get("/v1/nodes")[1]["total"] == 0
    assert other.get(f"/v1/nodes/{node.id}")[0] == 404


@pytest.mark.parametrize(
    ("role", "allowed"), [("admin", True), ("ci", True), ("node", True), ("analyst", False), ("viewer", False)]
)
def test_only_some_roles_act_as_a_node(
    client_id: str, caller: Callable[..., Api], http: object, role: str, allowed: bool
) -> None:
    node = FakeNode(http, caller(client_id, role).token)
    if allowed:
        assert node.hello().client_id == client_id
    else:
        with pytest.raises(Refused) as refused:
            node.hello()
        assert (refused.value.status, refused.value.code) == (403, "forbidden")


def test_a_new_parameter_reaches_the_node_at_its_next_heartbeat(api: Api, node: FakeNode) -> None:
    node.beat()
    assert node.config is not None
    assert node.config.parameters == ()
    assert node.beat().config is None
    api.post(f"/v1/clients/{api.client_id}/apid/config/auth-parameters", {"point": [["header", "X-MINE"]]})
    assert node.beat().config is not None
    assert node.config.parameters == (("header", "X-MINE"),)


def test_the_keys_of_runs_reach_every_node_of_the_client(
    new_node: Callable[..., FakeNode], create: Callable[..., dict]
) -> None:
    tester, watcher = new_node(name="tester"), new_node(name="watcher")
    run = create()
    (order,) = tester.beat().runs
    watcher.beat()
    assert watcher.config is not None
    assert watcher.config.marker_keys == {run["id"]: order.marker_key}
    assert len(order.marker_key) == 32


def test_counts_reach_the_inventory_once(api: Api, node: FakeNode) -> None:
    now = int(time.time())
    parameter = ParameterCount("bearer", ("header", "AUTHORIZATION"), 10, 10)
    seen = EndpointCount(now // 3600, "rest", "GET", "shop.test", "/items", 10, 10, 0, now, now, (parameter,))
    node.count(seen)
    node._batch -= 1
    node.count(seen)
    (endpoint,) = api.get("/v1/endpoints")[1]["objects"]
    assert (endpoint["requests"], endpoint["status"]) == (10, "consistent")
