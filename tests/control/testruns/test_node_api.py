"""The main job through the node protocol: create, record, stop, test, end; copies, pauses, deaths and returns."""

from collections.abc import Callable

from tests.control.calling import Api
from tests.control.testruns.driving import Act, Create, Show, recorded, stopped

from gatecrash.control.jobs.worker import Worker
from gatecrash.fakes.fake_node import FakeNode


def test_a_run_goes_from_creation_to_its_end(node: FakeNode, create: Create, show: Show, act: Act) -> None:
    run = create(name="first", desc="d", rps=10)
    assert (run["state"], run["recording"], run["ready_for_recording"]) == ("running", True, False)
    node.beat()
    node.beat()
    assert show(run["id"])["ready_for_recording"] is True
    node.record(run["id"], 3)
    node.hand_over(run["id"])
    shown = show(run["id"])
    assert (shown["baseline_count"], shown["baseline_check_waiting_count"]) == (3, 3)
    assert shown["domains"] == ["shop.test"]
    assert shown["planing_requests_count"] > 0
    node.claim(run["id"], 2)
    assert show(run["id"])["baseline_check_running_count"] == 2
    stopped(node, act, run["id"])
    node.send(run["id"], 5)
    node.finish(run["id"])
    node.finish(run["id"], "failed")
    node.claim(run["id"], 2)
    node.finish(run["id"], "error", reason="connection_failed")
    ended = show(run["id"])
    assert (ended["state"], ended["simple_state"], ended["allowed_actions"]) == ("failed", "failed", [])
    assert ended["sended_requests_count"] == 5
    assert ended["planing_requests_count"] == 0
    assert ended["end_time"] >= ended["start_time"]
    assert isinstance(ended["avg_rps"], float)
    assert [item["type"] for item in ended["vulns"]] == ["sqli"]
    assert node.beat().runs == ()


def test_a_copy_is_cloned_by_the_worker_and_tested_again(
    api: Api, node: FakeNode, create: Create, show: Show, act: Act
) -> None:
    run = create()
    recorded(node, run["id"], 250)
    stopped(node, act, run["id"])
    act(run["id"], "interrupt")
    copy = create(name="copy", test_record_id=run["test_record_id"])
    assert (copy["state"], copy["simple_state"], copy["allowed_actions"]) == ("cloning", "running", ["interrupt"])
    assert copy["test_record_id"] == run["test_record_id"]
    Worker().drain()
    cloned = show(copy["id"])
    assert (cloned["state"], cloned["baseline_count"], cloned["baseline_check_waiting_count"]) == ("running", 250, 250)
    assert cloned["planing_requests_count"] > 0
    assert cloned["domains"] == ["shop.test"]
    node.beat()
    while node.claim(copy["id"], 64).baselines:
        for name in list(node.held[copy["id"]]):
            node.finish(copy["id"], "passed", name)
    assert show(copy["id"])["state"] == "passed"


def test_an_interrupted_cloning_stays_interrupted(node: FakeNode, create: Create, show: Show, act: Act) -> None:
    run = create()
    recorded(node, run["id"], 2)
    stopped(node, act, run["id"])
    copy = create(name="copy", test_record_id=run["test_record_id"])
    assert act(copy["id"], "interrupt")["state"] == "interrupted"
    Worker().drain()
    assert (show(copy["id"])["state"], show(copy["id"])["baseline_count"]) == ("interrupted", 0)


def test_a_node_of_another_client_is_unknown(
    other_id: str, caller: Callable[..., Api], node: FakeNode, create: Create
) -> None:
    run = create()
    other = caller(other_id)
    status, body = other.get(f"/v1/test_run/{run['id']}")
    assert (status, body["error"]) == (404, "not_found")
    assert other.post("/v1/test_run", {"name": "x", "node_id": node.id})[1]["node_id"]["error"] == "not_found"
    copy = {"name": "x", "test_record_id": run["test_record_id"]}
    assert other.post("/v1/test_run", copy)[1]["test_record_id"]["error"] == "not_found"
