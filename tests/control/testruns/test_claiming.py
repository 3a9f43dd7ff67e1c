"""Work goes down once, comes back after a loss, and in the right order."""

from tests.control.testruns.driving import Act, Create, Show, recorded

from gatecrash.fakes.fake_node import FakeNode, baseline


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


def methods(node: FakeNode, run_id: str, count: int = 5) -> list[str]:
    return [item.request.method for item in node.claim(run_id, count).baselines]


def test_safe_methods_are_tested_first_and_destructive_ones_last_and_alone(
    node: FakeNode, create: Create, act: Act
) -> None:
    run = create()
    node.beat()
    made = [baseline("/x/1", method="DELETE"), baseline("/y/1", method="DELETE")]
    made += [baseline("/x", method="POST", body=b"a=1"), baseline("/x/2"), baseline("/x/3")]
    node.record(run["id"], baselines=made)
    node.hand_over(run["id"])
    assert methods(node, run["id"], 1) == ["GET"]
    assert methods(node, run["id"]) == ["GET"]
    assert methods(node, run["id"]) == [], "what changes something waits for the safe ones"
    node.finish(run["id"])
    assert methods(node, run["id"]) == [], "for all of them"
    node.finish(run["id"])
    assert methods(node, run["id"]) == ["POST"]
    node.finish(run["id"])
    assert methods(node, run["id"]) == [], "as long as it is recorded, nothing may be destroyed"
    act(run["id"], "stop")
    node.beat()
    assert methods(node, run["id"]) == [], "nor as long as its last baselines may still come"
    node.beat()
    assert methods(node, run["id"]) == ["DELETE"], "one after the other"
    assert methods(node, run["id"]) == []
    node.finish(run["id"])
    assert methods(node, run["id"]) == ["DELETE"]
