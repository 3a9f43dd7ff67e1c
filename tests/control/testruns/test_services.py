"""What users ask for: runs on nodes, one at a time."""

from collections.abc import Callable

from tests.control.calling import Api
from tests.control.testruns.driving import Act, Create, Show, recorded

from gatecrash.fakes.fake_node import FakeNode


def test_another_run_on_the_same_node_interrupts_the_one_before(node: FakeNode, create: Create, show: Show) -> None:
    first = create()
    recorded(node, first["id"], 2)
    create(name="second")
    shown = show(first["id"])
    assert (shown["state"], shown["interrupt_reason"]) == ("interrupted", "another_test_run")
    assert shown["baseline_check_interrupted_count"] == 2


def test_runs_on_different_builds_do_not_disturb_each_other(
    new_node: Callable[..., FakeNode], create: Create, show: Show
) -> None:
    one, two = new_node(build_id="1"), new_node(build_id="2")
    assert one.id != two.id
    first = create(node_id=one.id)
    create(node_id=two.id)
    assert show(first["id"])["state"] == "running"


def test_a_rejected_create_interrupts_nothing(api: Api, node: FakeNode, create: Create, show: Show) -> None:
    first = create()
    status, body = api.post("/v1/test_run", {"name": "", "rps": 0, "policy_id": "nobody", "nonsense": 1})
    assert status == 400
    assert {name: item["error"] for name, item in body.items()} == {
        "name": "invalid_value",
        "rps": "out_of_range",
        "policy_id": "not_found",
        "nonsense": "unknown_field",
    }
    assert show(first["id"])["state"] == "running"


def test_a_run_without_a_connected_node_ends_when_its_recording_stops(create: Create, act: Act) -> None:
    run = create()
    ended = act(run["id"], "stop")
    assert (ended["state"], ended["baseline_count"]) == ("passed", 0)


def test_pausing_returns_what_is_in_flight_and_resuming_tests_it_again(
    node: FakeNode, create: Create, show: Show, act: Act
) -> None:
    run = create()
    recorded(node, run["id"], 2)
    node.claim(run["id"], 2)
    paused = act(run["id"], "pause")
    assert (paused["state"], paused["baseline_check_waiting_count"]) == ("paused", 2)
    assert paused["allowed_actions"] == ["stop", "resume", "interrupt"]
    assert node.claim(run["id"], 2).baselines == ()
    node.beat()
    assert node.held.get(run["id"]) is None
    act(run["id"], "resume")
    node.beat()
    assert len(node.claim(run["id"], 2).baselines) == 2
    assert show(run["id"])["baseline_check_running_count"] == 2
