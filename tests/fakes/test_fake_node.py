"""The fake node obeys as a real one must; that it speaks the protocol is shown wherever it is used."""

import httpx
import pytest

from gatecrash.core.testing.policy import DEFAULT
from gatecrash.fakes.fake_node import FakeNode, Held, Refused, baseline
from gatecrash.wire import codec
from gatecrash.wire.session import Config, Heartbeat, Orders, RunOrder, Welcome

CONFIG = Config(1)


class Plane:
    """A control plane of canned orders that remembers what it was told."""

    def __init__(self) -> None:
        self.orders: tuple[RunOrder, ...] = ()
        self.told: list[Heartbeat] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("hello"):
            return httpx.Response(200, content=codec.encode(Welcome("node_1", "cl_1", "session", CONFIG)))
        if request.url.path.endswith("heartbeat"):
            self.told.append(codec.decode(request.content, Heartbeat))
            return httpx.Response(200, content=codec.encode(Orders(1.0, self.orders)))
        return httpx.Response(409, json={"status": 409, "body": {"error": "action_not_allowed", "message": "no"}})


def order(**changes: object) -> RunOrder:
    given = {"run_id": "tr_1", "generation": 1, "record_id": "rec_1", "recording": True, "sending": True}
    return RunOrder(policy=DEFAULT, **{**given, **changes})  # type: ignore[arg-type]


@pytest.fixture
def plane() -> Plane:
    return Plane()


@pytest.fixture
def node(plane: Plane) -> FakeNode:
    http = httpx.Client(transport=httpx.MockTransport(plane), base_url="http://plane")
    node = FakeNode(http, "token", now=lambda: 1000.5)
    node.hello()
    return node


def holding(node: FakeNode, plane: Plane) -> None:
    plane.orders = (order(),)
    node.beat()
    item = baseline()
    node.held["tr_1"] = {item.id: Held(item)}
    node.send("tr_1", 3)


@pytest.mark.parametrize("change", [{"sending": False}, {"generation": 2}])
def test_what_is_in_flight_is_dropped_on_a_pause_and_under_a_new_lease(
    node: FakeNode, plane: Plane, change: dict[str, object]
) -> None:
    holding(node, plane)
    plane.orders = (order(**change),)
    node.beat()
    assert node.held == {}


def test_a_run_that_the_orders_no_longer_hold_is_reported_once_more(node: FakeNode, plane: Plane) -> None:
    holding(node, plane)
    plane.orders = ()
    for _ in range(3):
        node.beat()
    assert [[(run.run_id, run.sent) for run in told.runs] for told in plane.told] == [
        [],
        [("tr_1", 3)],
        [("tr_1", 3)],
        [],
    ]


def test_a_death_loses_all_but_the_spool(node: FakeNode, plane: Plane) -> None:
    holding(node, plane)
    node.record("tr_1", 2)
    node.die()
    node.come_back()
    plane.orders = ()
    node.beat()
    (progress,) = plane.told[-1].runs
    assert (progress.run_id, progress.unsent_baselines, progress.recording) == ("tr_1", 2, False)


def test_nothing_is_recorded_that_was_not_ordered(node: FakeNode, plane: Plane) -> None:
    plane.orders = (order(recording=False),)
    node.beat()
    with pytest.raises(AssertionError):
        node.record("tr_1", 1)


def test_a_refusal_is_raised_with_its_code(node: FakeNode, plane: Plane) -> None:
    plane.orders = (order(),)
    node.beat()
    with pytest.raises(Refused) as refused:
        node.claim("tr_1")
    assert (refused.value.status, refused.value.code) == (409, "action_not_allowed")
