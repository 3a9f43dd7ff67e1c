"""The main job through the node protocol: create, record, stop, test, end; copies, pauses, deaths and returns."""

from collections.abc import Callable

import pytest
from tests.control.calling import Api

from gatecrash.control import wall
from gatecrash.control.jobs.worker import Worker
from gatecrash.fakes.fake_node import FakeNode, Refused, baseline, vulnerable
from gatecrash.wire.work import Result

Create = Callable[..., dict]
Show = Callable[[str], dict]
Act = Callable[[str, str], dict]


def recorded(node: FakeNode, run_id: str, count: int) -> None:
    """Record and hand over baselines."""
    node.beat()
    node.record(run_id, count)
    node.hand_over(run_id)


def stopped(node: FakeNode, act: Act, run_id: str) -> None:
    """Stop the recording and let the node confirm it."""
    act(run_id, "stop")
    node.beat()
    node.beat()


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


def test_the_record_is_not_ready_before_the_node_handed_over_its_last_baseline(
    api: Api, node: FakeNode, create: Create, show: Show, act: Act
) -> None:
    run = create()
    recorded(node, run["id"], 1)
    node.record(run["id"], 2)
    assert act(run["id"], "stop")["recording"] is False
    copy = {"name": "copy", "test_record_id": run["test_record_id"]}
    refused = {"test_record_id": {"error": "not_ready_for_cloning", "value": run["test_record_id"]}}
    assert api.post("/v1/test_run", copy) == (400, refused)
    node.beat()
    node.beat()
    assert api.post("/v1/test_run", copy) == (400, refused)
    node.hand_over(run["id"])
    assert show(run["id"])["baseline_count"] == 3
    node.beat()
    status, body = api.post("/v1/test_run", copy)
    assert (status, body["state"]) == (200, "cloning")


def test_a_run_without_a_connected_node_ends_when_its_recording_stops(create: Create, act: Act) -> None:
    run = create()
    ended = act(run["id"], "stop")
    assert (ended["state"], ended["baseline_count"]) == ("passed", 0)


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


def test_a_pause_and_resume_that_the_node_never_noticed_loses_nothing(
    node: FakeNode, create: Create, show: Show, act: Act
) -> None:
    run = create()
    recorded(node, run["id"], 1)
    node.claim(run["id"], 1)
    act(run["id"], "pause")
    act(run["id"], "resume")
    assert node.claim(run["id"], 1).baselines == ()
    assert show(run["id"])["baseline_check_running_count"] == 1
    node.finish(run["id"])
    assert show(run["id"])["baseline_check_passed_count"] == 1


def test_a_lost_answer_to_a_claim_is_given_again(node: FakeNode, create: Create, show: Show) -> None:
    run = create()
    recorded(node, run["id"], 3)
    lost = node.claim(run["id"], 2, lose_answer=True)
    again = node.claim(run["id"], 2)
    assert {item.id for item in lost.baselines} == {item.id for item in again.baselines}
    assert show(run["id"])["baseline_check_running_count"] == 2


def test_a_node_that_died_and_returned_takes_its_run_over_under_a_new_lease(
    node: FakeNode, create: Create, show: Show
) -> None:
    run = create()
    recorded(node, run["id"], 2)
    node.claim(run["id"], 1)
    node.send(run["id"], 4)
    node.beat()
    node.die()
    node.come_back()
    orders = node.beat()
    assert orders.runs[0].generation == 2
    shown = show(run["id"])
    assert (shown["baseline_check_waiting_count"], shown["sended_requests_count"]) == (2, 4)
    node.claim(run["id"], 1)
    node.send(run["id"], 3)
    node.beat()
    assert show(run["id"])["sended_requests_count"] == 7


def test_results_of_an_old_lease_keep_their_findings_and_lose_their_counts(
    node: FakeNode, create: Create, show: Show
) -> None:
    run = create()
    (item,) = (node.beat(), node.record(run["id"], 1))[1]
    node.hand_over(run["id"])
    node.claim(run["id"], 1)
    node.die()
    node.come_back()
    node.beat()
    late = Result(baseline_id=item.id, final=True, status="failed", verdicts=(vulnerable(item),), sent=50)
    assert node.report(run["id"], late, generation=1).stale is True
    shown = show(run["id"])
    assert (len(shown["vulns"]), shown["sended_requests_count"]) == (1, 0)
    assert (shown["baseline_check_fail_count"], shown["baseline_check_waiting_count"]) == (0, 1)
    node.claim(run["id"], 1)
    node.finish(run["id"], "passed")
    assert show(run["id"])["baseline_check_fail_count"] == 1


def test_an_old_session_is_refused_and_may_still_hand_over_what_it_recorded(
    node: FakeNode, new_node: Callable[..., FakeNode], create: Create, show: Show
) -> None:
    run = create()
    node.beat()
    node.record(run["id"], 1)
    new_node()
    with pytest.raises(Refused) as refused:
        node.beat()
    assert refused.value.status == 409
    assert node.claim(run["id"]).stale is True
    assert len(node.hand_over(run["id"]).stored) == 1
    assert show(run["id"])["baseline_count"] == 1


def test_repeated_messages_change_nothing(node: FakeNode, create: Create, show: Show) -> None:
    run = create()
    node.beat()
    items = node.record(run["id"], 2)
    node.hand_over(run["id"])
    node.record(run["id"], baselines=items)
    assert set(node.hand_over(run["id"]).stored) == {item.id for item in items}
    node.claim(run["id"], 1)
    held = next(iter(node.held[run["id"]].values())).baseline
    result = Result(baseline_id=held.id, final=True, status="failed", verdicts=(vulnerable(held),), sent=9)
    node.report(run["id"], result)
    once = show(run["id"])
    node.report(run["id"], result)
    again = show(run["id"])
    assert {**once, "updated_at": 0} == {**again, "updated_at": 0}
    assert (once["baseline_count"], once["sended_requests_count"], len(once["vulns"])) == (2, 9, 1)


def test_stop_on_first_fail_ends_the_run_and_interrupts_the_others(node: FakeNode, create: Create, show: Show) -> None:
    run = create(stop_on_first_fail=True)
    recorded(node, run["id"], 3)
    node.claim(run["id"], 2)
    node.find(run["id"])
    shown = show(run["id"])
    assert (shown["state"], shown["baseline_check_fail_count"], shown["baseline_check_interrupted_count"]) == (
        "failed",
        1,
        2,
    )
    assert shown["recording"] is False


def test_baselines_that_arrive_after_the_end_are_kept(node: FakeNode, create: Create, show: Show, act: Act) -> None:
    run = create()
    node.beat()
    node.record(run["id"], 2)
    act(run["id"], "interrupt")
    node.hand_over(run["id"])
    shown = show(run["id"])
    assert (shown["baseline_count"], shown["baseline_check_interrupted_count"]) == (2, 2)


def test_identical_baselines_and_excluded_extensions_are_recorded_and_never_tested(
    api: Api, node: FakeNode, create: Create, show: Show
) -> None:
    run = create(file_extensions_to_exclude="png|js")
    node.beat()
    paths = ("/a?q=1", "/a?q=1", "/logo.png", "/b")
    node.record(run["id"], baselines=[baseline(path) for path in paths])
    node.hand_over(run["id"])
    shown = show(run["id"])
    assert (shown["baseline_skipped_count"], shown["baseline_check_waiting_count"]) == (2, 2)
    _, listed = api.get(f"/v1/test_run/{run['id']}/baselines")
    assert [(item["status"], item["detail"]) for item in listed["objects"]] == [
        ("waiting", ""),
        ("skipped", "duplicate"),
        ("skipped", "extension"),
        ("waiting", ""),
    ]


def test_duplicates_are_tested_where_the_creator_asks_for_it(node: FakeNode, create: Create, show: Show) -> None:
    run = create(skip_duplicated_baselines=False)
    node.beat()
    node.record(run["id"], baselines=[baseline("/a"), baseline("/a")])
    node.hand_over(run["id"])
    assert show(run["id"])["baseline_check_waiting_count"] == 2


def test_safe_methods_are_tested_first_and_destructive_ones_last(node: FakeNode, create: Create) -> None:
    run = create()
    node.beat()
    made = [baseline("/x/1", method="DELETE"), baseline("/x", method="POST", body=b"a=1"), baseline("/x/2")]
    node.record(run["id"], baselines=made)
    node.hand_over(run["id"])
    given = node.claim(run["id"], 3).baselines
    assert [item.request.method for item in given] == ["GET", "POST", "DELETE"]


def test_progress_is_shown_as_the_node_reports_it(node: FakeNode, create: Create, show: Show) -> None:
    run = create()
    recorded(node, run["id"], 1)
    node.claim(run["id"], 1)
    node.send(run["id"], 3)
    node.beat()
    shown = show(run["id"])
    assert (shown["sended_requests_count"], shown["planing_requests_count"]) == (3, 5)


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


def test_the_columns_say_what_the_rows_say(client_id: str, node: FakeNode, create: Create, show: Show) -> None:
    from gatecrash.control.testruns import check_rows

    run = create()
    recorded(node, run["id"], 5)
    node.claim(run["id"], 3)
    node.finish(run["id"])
    node.finish(run["id"], "failed")
    shown = show(run["id"])
    with wall.client(client_id):
        rows = check_rows.by_status(run["id"])
    assert rows == {"waiting": 2, "in_progress": 1, "passed": 1, "failed": 1}
    assert shown["baseline_check_waiting_count"] == 2
