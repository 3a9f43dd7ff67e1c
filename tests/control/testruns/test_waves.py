"""The first of each kind first, whenever they came in; without a kind none waits for another."""

import pytest

from gatecrash.control import wall
from gatecrash.control.testruns import check_rows
from gatecrash.control.testruns.check_rows import CheckRow
from gatecrash.control.testruns.waves import in_waves
from gatecrash.core.testing.run_events import Status

pytestmark = pytest.mark.database


def rows(first: int, *kinds: str) -> list[CheckRow]:
    return [
        CheckRow(number, 0, f"bl_{number}", Status.WAITING, kind=kind) for number, kind in enumerate(kinds, start=first)
    ]


def test_each_stands_behind_those_of_its_kind(client_id: str) -> None:
    with wall.client(client_id):
        placed = in_waves("tr_a", rows(1, "x", "x", "", "y", "", "x"))
        assert [row.wave for row in placed] == [0, 1, 0, 0, 0, 2]
        check_rows.store("tr_a", placed)
        later = in_waves("tr_a", rows(7, "y", "z", "x", ""))
        assert [row.wave for row in later] == [1, 0, 3, 0]
        check_rows.store("tr_a", later)
        assert [row.wave for row in in_waves("tr_b", rows(1, "x"))] == [0], "another run has its own"
        assert in_waves("tr_a", []) == []
        waiting = check_rows.in_status("tr_a", Status.WAITING, 100)
    assert [row.sequence for row in waiting] == [1, 3, 4, 5, 8, 10, 2, 7, 6, 9]


def test_rows_of_before_stay_in_the_order_of_recording(client_id: str) -> None:
    with wall.client(client_id):
        check_rows.store("tr_a", [CheckRow(number, 0, f"bl_{number}", Status.WAITING) for number in (3, 1, 2)])
        assert [row.sequence for row in check_rows.in_status("tr_a", Status.WAITING, 100)] == [1, 2, 3]
