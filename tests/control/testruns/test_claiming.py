"""Work goes down once, comes back after a loss, and in the right order."""

import pytest
from tests.control.testruns.driving import Act, Create, Show, recorded, stopped

from gatecrash.control import wall
from gatecrash.control.jobs.worker import Worker
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


def test_the_first_of_each_kind_goes_first_whatever_came_in_before_it(node: FakeNode, create: Create, act: Act) -> None:
    run = create()
    node.beat()
    made = [baseline(path) for path in ("/items?id=1", "/items?id=2", "/items?id=2&tab=b", "/items?id=3", "/about")]
    node.record(run["id"], baselines=[*made, baseline("/note", method="POST", body=b"id=1")])
    node.hand_over(run["id"])
    late = [baseline("/items?id=4"), baseline("/find?q=lamp"), baseline("/orders/5", method="DELETE")]
    made += late[:2]
    node.record(run["id"], baselines=[*late, baseline("/orders/6", method="DELETE")])
    node.hand_over(run["id"])
    given = [node.claim(run["id"], 1).baselines[0].id for _ in made]
    assert given == [made[place].id for place in (0, 2, 4, 6, 1, 3, 5)]
    act(run["id"], "stop")
    node.beat()
    node.beat()
    for each in given:
        node.finish(run["id"], baseline_id=each)
    assert methods(node, run["id"]) == ["POST"], "what is of a kind of its own waits for the safe ones all the same"
    node.finish(run["id"])
    assert [item.id for item in node.claim(run["id"], 5).baselines] == [late[2].id], "what destroys stays as recorded"


def test_a_copy_takes_the_first_of_each_kind_first(
    client_id: str, node: FakeNode, create: Create, act: Act, monkeypatch: pytest.MonkeyPatch
) -> None:
    from gatecrash.control.testruns import work

    run = create()
    node.beat()
    made = [baseline(path) for path in ("/items?id=1", "/items?id=2", "/items?id=3", "/about")]
    node.record(run["id"], baselines=made)
    node.hand_over(run["id"])
    act(run["id"], "interrupt")
    node.beat()
    node.beat()
    again = create(test_record_id=run["test_record_id"])
    monkeypatch.setattr(work, "CHUNK", 2)
    with wall.client(client_id):
        work.clone(again["id"])
    node.beat()
    assert [item.id for item in node.claim(again["id"], 4).baselines] == [made[place].id for place in (0, 3, 1, 2)]


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


def test_a_login_waits_until_nothing_else_may_come_and_holds_up_nothing_before(
    node: FakeNode, create: Create, act: Act
) -> None:
    run = create()["id"]
    node.beat()
    login = baseline("/login", method="POST", body=b"user=ann&password=sesame")
    read = baseline("/a")
    node.record(run, baselines=[login, read])
    node.hand_over(run)
    assert [one.id for one in node.claim(run, 5).baselines] == [read.id]
    node.finish(run, left=5, made=3)
    assert [one.id for one in node.claim(run, 5).baselines] == [read.id], "its headers, while it is recorded"
    node.finish(run, left=5, made=3)
    stopped(node, act, run)
    Worker().drain()
    node.beat()
    assert [one.id for one in node.claim(run, 5).baselines] == [login.id], "before headers"
    assert node.claim(run, 5).baselines == ()
    node.finish(run)
    assert [one.id for one in node.claim(run, 5).baselines] == [read.id]


def test_reads_go_on_while_the_last_of_their_turn_is_asked_and_what_changes_something_waits_for_them(
    node: FakeNode, create: Create, act: Act
) -> None:
    run = create()["id"]
    node.beat()
    slow, quick = baseline("/slow"), baseline("/quick")
    writes = baseline("/x", method="POST", body=b"a=1")
    node.record(run, baselines=[slow, quick, writes])
    node.hand_over(run)
    stopped(node, act, run)
    Worker().drain()
    node.beat()
    assert {one.id for one in node.claim(run, 2).baselines} == {slow.id, quick.id}
    node.finish(run, baseline_id=quick.id, left=5, made=1)
    work = node.claim(run, 5, ahead=5)
    assert [one.id for one in (*work.baselines, *work.ahead)] == [quick.id], (
        "and nothing is at hand that would go on for long"
    )
    node.finish(run, baseline_id=slow.id, left=5, made=1)
    assert node.claim(run, 5).baselines == (), "the quick one still reads, and goes no further than that"
    node.finish(run, baseline_id=quick.id, left=5, made=2)
    assert [one.id for one in node.claim(run, 5).baselines] == [writes.id]
    assert node.claim(run, 5).baselines == ()
