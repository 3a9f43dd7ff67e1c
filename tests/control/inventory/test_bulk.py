import pytest
from django.db import connection, transaction

from gatecrash.control import wall
from gatecrash.control.inventory import bulk

pytestmark = [pytest.mark.database, pytest.mark.django_db]


def rows(table: str, client_id: str) -> list[tuple[int, ...]]:
    columns = ", ".join((*bulk.KEYS[table], *bulk.VALUES[table]))
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {columns} FROM {table} WHERE client_id = %s ORDER BY 1, 2", [client_id])
        return cursor.fetchall()


def test_adding_adds_to_the_hour_and_to_the_rollup(client_id: str) -> None:
    with wall.client(client_id):
        bulk.add("hourly_parameter", {(5, 1): [3, 2], (6, 1): [1, 0]})
        bulk.add("hourly_parameter", {(5, 1): [1, 1]})
        assert rows("hourly_parameter", client_id) == [(5, 1, 4, 3), (6, 1, 1, 0)]
        assert rows("rollup_parameter", client_id) == [(1, 5, 3)]


def test_dropping_takes_hours_off_the_rollup_a_chunk_at_a_time(client_id: str) -> None:
    with wall.client(client_id):
        bulk.add("hourly_parameter", {(hour, number): [2, 1] for hour in (5, 6) for number in (1, 2)})
        with transaction.atomic():
            assert bulk.drop_before("hourly_parameter", 6, most=1) == 1
        assert rows("rollup_parameter", client_id) == [(1, 2, 1), (2, 4, 2)]
        with transaction.atomic():
            assert bulk.drop_before("hourly_parameter", 7, most=10) == 3
            assert bulk.drop_before("hourly_parameter", 7, most=10) == 0
        assert rows("rollup_parameter", client_id) == []


def test_a_batch_is_claimed_once(client_id: str, other_id: str) -> None:
    with wall.client(client_id):
        assert bulk.claim_batch("n", "s", 1, late=2, at=9) is None
        assert bulk.claim_batch("n", "s", 1, late=0, at=9) == 2
        assert bulk.forget_batches(9, 10) == 0
        assert bulk.forget_batches(10, 10) == 1
    with wall.client(other_id):
        assert bulk.claim_batch("n", "s", 1, late=0, at=9) is None


def test_an_endpoint_leaves_with_all_its_counts(client_id: str) -> None:
    with wall.client(client_id):
        bulk.add("hourly_count", {(5, 1): [1] * 10, (5, 2): [1] * 10})
        bulk.add("hourly_parameter", {(5, 7): [1, 1], (5, 8): [1, 1]})
        bulk.drop_endpoints([1], [7])
        assert [len(rows(table, client_id)) for table in bulk.KEYS] == [1, 1, 1, 1]


def test_outside_a_client_nothing_is_touched() -> None:
    with wall.system("a test"), pytest.raises(wall.TenantWallError):
        bulk.add("hourly_parameter", {(5, 1): [1, 1]})
