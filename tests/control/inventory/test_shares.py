"""The shares in SQL and in the core agree over the boundaries."""

import pytest
from django.db import connection

from gatecrash.control import wall
from gatecrash.control.inventory import decisions, shares
from gatecrash.control.inventory.shares import ALL, ANSWERED
from gatecrash.core.auth.coverage import Status, percent, status

pytestmark = [pytest.mark.database, pytest.mark.django_db]

ROWS = [
    (0, 0, 0, 0),
    (1, 0, 0, 0),
    (1, 1, 0, 0),
    (1, 0, 1, 0),
    (100, 95, 0, 0),
    (100, 94, 0, 0),
    (10_000, 9_499, 0, 0),
    (10_000, 9_500, 0, 0),
    (100_000, 1, 0, 0),
    (100_000, 94_999, 5_000, 0),
    (100, 90, 10, 5),
    (20, 19, 0, 0),
    (2**53, 2**53 - 1, 0, 0),
]


def computed(sql: str, row: tuple[int, int, int, int]) -> int:
    """What the database makes of an expression over a row."""
    names = ("requests", "authenticated", "refused", "authenticated_refused")
    columns = ", ".join(f"CAST(%s AS bigint) AS {name}" for name in names)
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {sql} FROM (SELECT {columns}) AS given", list(row))
        return int(cursor.fetchone()[0])


@pytest.mark.parametrize("row", ROWS)
@pytest.mark.parametrize("ours", [ALL, ANSWERED])
def test_the_status_in_sql_is_the_cores(db: None, ours: shares.Shares, row: tuple[int, int, int, int]) -> None:
    stored = (None, Status.MISSING, Status.PARTIAL, Status.CONSISTENT)
    assert computed(ours.status, row) == stored.index(status(*ours.of(*row)))


@pytest.mark.parametrize("row", ROWS[:-1])
def test_the_order_by_coverage_is_the_order_of_the_percents(db: None, row: tuple[int, int, int, int]) -> None:
    requests, authenticated = ALL.of(*row)
    millionths = computed(ALL.coverage, row)
    assert (millionths == -1) == (percent(requests, authenticated) is None)
    assert millionths == (authenticated * 1_000_000 // requests if requests else -1)


def test_refused_requests_leave_both_sides_of_the_share() -> None:
    assert ALL.of(100, 90, 10, 5) == (100, 90)
    assert ANSWERED.of(100, 90, 10, 5) == (90, 85)


def test_the_clients_setting_decides(client_id: str, other_id: str) -> None:
    with wall.client(client_id):
        assert shares.current() is ALL
        decisions.change_settings(leave_refused_out=True)
        assert shares.current() is ANSWERED
    with wall.client(other_id):
        assert shares.current() is ALL
