"""What one host may be sent is divided among the nodes that test, and their parts never come to more than the whole."""

from collections.abc import Callable
from typing import Any

import pytest
from tests.control.calling import Api
from tests.control.testruns.driving import Act, Create

from gatecrash.control import wall
from gatecrash.control.nodes.models import Node
from gatecrash.control.testruns.host_shares import GONE_SECONDS
from gatecrash.fakes.fake_node import FakeNode
from gatecrash.wire.session import Orders

NewNode = Callable[..., FakeNode]


def limit(api: Api, rps: int | None) -> None:
    assert api.patch(f"/v1/clients/{api.client_id}", {"rps_per_host": rps})[0] == 200


def heard(node: FakeNode, said: int | None = 0) -> Orders:
    """A heartbeat of a node that may still be sending so much."""
    return node.beat(rps_per_host=said)


def started(create: Create, node: FakeNode, **more: Any) -> str:
    """A run on this node."""
    return str(create(node_id=node.id, **more)["id"])


def test_without_a_limit_nothing_is_divided(node: FakeNode, create: Create) -> None:
    create()
    assert heard(node).rps_per_host is None


def test_one_node_has_it_all_and_two_have_halves(api: Api, new_node: NewNode, create: Create) -> None:
    limit(api, 101)
    one, other = new_node(name="one"), new_node(name="other")
    started(create, one)
    assert heard(one).rps_per_host == 101
    assert heard(other, 0).rps_per_host is None, "it tests nothing"
    started(create, other)
    waiting = heard(other)
    assert waiting.rps_per_host is None
    assert not any(run.sending for run in waiting.runs), "all of it is still the first one's"
    first = heard(one, 101).rps_per_host
    assert first in (50, 51)
    assert not any(run.sending for run in heard(other).runs), "until the first says that it holds to less"
    heard(one, first)
    second = heard(other)
    assert second.rps_per_host == 101 - first
    assert all(run.sending for run in second.runs)


def test_what_a_node_leaves_goes_to_the_others(api: Api, new_node: NewNode, create: Create, act: Act) -> None:
    limit(api, 10)
    one, other = new_node(name="one"), new_node(name="other")
    run = started(create, one)
    started(create, other)
    heard(one)
    assert heard(other).rps_per_host == 5
    assert heard(one, 5).rps_per_host == 5
    act(run, "interrupt")
    heard(one, 5)
    assert heard(other, 5).rps_per_host == 5, "its last second is not over"
    heard(one, 0)
    assert heard(other, 5).rps_per_host == 10


def test_more_nodes_than_requests_a_second_wait_their_turn(api: Api, new_node: NewNode, create: Create) -> None:
    limit(api, 1)
    one, other = new_node(name="one"), new_node(name="other")
    started(create, one)
    started(create, other)
    orders = {node: heard(node) for node in (one, other)}
    assert sorted(order.rps_per_host or 0 for order in orders.values()) == [0, 1]
    for node, order in orders.items():
        assert heard(node, order.rps_per_host or 0).rps_per_host == order.rps_per_host


@pytest.mark.parametrize(("silent", "free"), [(GONE_SECONDS - 1, False), (GONE_SECONDS + 1, True)])
def test_a_silent_node_holds_its_part_until_it_has_stopped_for_sure(
    api: Api, new_node: NewNode, create: Create, silent: float, free: bool
) -> None:
    limit(api, 8)
    one, other = new_node(name="one"), new_node(name="other")
    started(create, one)
    heard(one)
    started(create, other)
    with wall.client(api.client_id):
        row = Node.objects.get(id=one.id)
        Node.objects.filter(id=one.id).update(last_seen=row.last_seen - silent)
    assert heard(other).rps_per_host == (8 if free else None)
