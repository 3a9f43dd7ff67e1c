"""Columns and rows agree."""

from tests.control.testruns.driving import Create, Show, recorded, statuses_of

from gatecrash.control import bulk_sql, wall
from gatecrash.control.testruns import check_rows
from gatecrash.control.testruns.check_rows import CheckRow
from gatecrash.core.testing.pacing.passes import Sort, turn_of
from gatecrash.core.testing.run_events import Status
from gatecrash.fakes.fake_node import FakeNode


def test_the_columns_say_what_the_rows_say(client_id: str, node: FakeNode, create: Create, show: Show) -> None:
    run = create()
    recorded(node, run["id"], 5)
    node.claim(run["id"], 3)
    node.finish(run["id"])
    node.finish(run["id"], "failed")
    shown = show(run["id"])
    with wall.client(client_id):
        rows = statuses_of(run["id"])
    assert rows == {"waiting": 2, "in_progress": 1, "passed": 1, "failed": 1}
    assert shown["baseline_check_waiting_count"] == 2


def test_rows_of_before_go_on_with_what_was_left_of_them(client_id: str, create: Create) -> None:
    """By rank, part and users as versions without turns had them: sort, part and turn of now."""
    before = {
        (0, 0, ""): (Sort.READ, 0, 0),
        (0, 1, ""): (Sort.READ, 3, 9),
        (1, 0, ""): (Sort.OTHER, 0, 5),
        (1, 1, ""): (Sort.OTHER, 3, 10),
        (0, 0, check_rows.HALF): (Sort.READ, 3, 0),
        (1, 0, check_rows.ALONE): (Sort.OTHER, 4, 5),
        (2, 0, ""): (Sort.DESTROYING, 0, 11),
        (4, 0, ""): (Sort.SESSION, 0, 13),
    }
    rows = [
        CheckRow(number, rank, f"bl_{number}", Status.WAITING, users=users, part=part)
        for number, (rank, part, users) in enumerate(before)
    ]
    run = create()["id"]
    with wall.client(client_id):
        check_rows.store(run, rows)
    with wall.system("a migration"):
        for statement in check_rows.ADD_TURNS:
            if statement.startswith("UPDATE"):
                bulk_sql.execute(statement, ())
    with wall.client(client_id):
        told = check_rows.page(run, 10, 0)
    assert [(row.sort, row.part, row.turn) for row in told] == list(before.values())
    assert [turn_of(row.sort, row.part) for row in told if not row.users] == [row.turn for row in told if not row.users]
