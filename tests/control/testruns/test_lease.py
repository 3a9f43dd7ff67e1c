"""Who holds a run."""

from tests.control.testruns.driving import Create, Show, recorded

from gatecrash.fakes.fake_node import FakeNode


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
