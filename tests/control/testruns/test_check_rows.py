"""Columns and rows agree."""

from tests.control.testruns.driving import Create, Show, recorded

from gatecrash.control import wall
from gatecrash.fakes.fake_node import FakeNode


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
