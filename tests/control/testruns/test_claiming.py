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


def test_what_a_node_has_at_hand_waits_until_it_says_that_it_began(node: FakeNode, create: Create, show: Show) -> None:
    run = create()
    recorded(node, run["id"], 4)
    work = node.claim(run["id"], 1, ahead=2)
    assert (len(work.baselines), len(work.ahead)) == (1, 2)
    assert (show(run["id"])["baseline_check_running_count"], show(run["id"])["baseline_check_waiting_count"]) == (1, 3)
    begun = node.begin(run["id"])
    again = node.claim(run["id"], 2, ahead=5)
    assert len(again.baselines) == 1, "what is at hand is not given once more"
    assert again.ahead == ()
    assert show(run["id"])["baseline_check_running_count"] == 3
    node.finish(run["id"], baseline_id=begun)
    untold = node.begin(run["id"])
    node.send(run["id"], 3, untold)
    node.finish(run["id"], "failed", untold)
    shown = show(run["id"])
    assert (shown["baseline_check_passed_count"], shown["baseline_check_fail_count"]) == (1, 1)
    assert (shown["baseline_check_running_count"], shown["baseline_check_waiting_count"]) == (2, 0)
    assert shown["sended_requests_count"] == 3


def test_nothing_is_at_hand_that_something_may_have_to_be_tested_before(
    node: FakeNode, create: Create, act: Act
) -> None:
    run = create()
    node.beat()
    made = [baseline("/x", method="POST", body=b"a=%d" % number) for number in range(3)]
    node.record(run["id"], baselines=[*made, baseline("/y", method="DELETE"), baseline("/z", method="DELETE")])
    node.hand_over(run["id"])
    assert node.claim(run["id"], 1, ahead=5).ahead == (), "a safe request may still be recorded"
    act(run["id"], "stop")
    node.beat()
    node.beat()
    assert [item.request.method for item in node.claim(run["id"], 0, ahead=5).ahead] == ["POST", "POST"]
    node.finish(run["id"])
    assert methods(node, run["id"]) == [], "two are at hand that come before"
    for _ in range(2):
        node.begin(run["id"])
        node.finish(run["id"])
    work = node.claim(run["id"], 1, ahead=5)
    assert [item.request.method for item in work.baselines] == ["DELETE"]
    assert work.ahead == ()
