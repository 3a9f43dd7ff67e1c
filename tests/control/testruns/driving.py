"""Steps that many tests of runs take."""

from collections.abc import Callable

from gatecrash.control import bulk_sql, wall
from gatecrash.fakes.fake_node import FakeNode

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


def statuses_of(run_id: str) -> dict[str, int]:
    """How many checks of a run are in each stored status; within its client's context."""
    rows = bulk_sql.select(
        "SELECT status, count(*) FROM testruns_check WHERE client_id = %s AND run_id = %s GROUP BY status",
        (wall.required(), run_id),
    )
    return {row[0]: int(row[1]) for row in rows}
