import pytest
from django.db import connection, transaction

from gatecrash.control import wall
from gatecrash.control.bulk_sql import select
from gatecrash.control.inventory import bulk

pytestmark = [pytest.mark.database, pytest.mark.django_db]


def rows(table: str, client_id: str) -> list[tuple[int, ...]]:
    columns = ", ".join((*bulk.KEYS[table], *bulk.VALUES[table]))
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {columns} FROM {table} WHERE client_id = %s ORDER BY 1, 2", [client_id])
        return cursor.fetchall()


def test_adding_adds_to_the_hour_and_to_the_rollup(client_id: str) -> None:
    with wall.client(client_id):
        bulk.add_parameters({(5, 1, 7): [3, 2], (6, 1, 7): [1, 0]}, {(1, 7): True})
        bulk.add_parameters({(5, 1, 7): [1, 1]}, {})
        assert rows("hourly_parameter", client_id) == [(5, 1, 7, 4, 3), (6, 1, 7, 1, 0)]
        assert rows("rollup_parameter", client_id) == [(1, 7, 5, 3)]


@pytest.mark.parametrize("last", [True, False])
def test_unproven_is_what_came_last(client_id: str, last: bool) -> None:
    with wall.client(client_id):
        for flag in (not last, last):
            bulk.add_parameters({(5, 1, 7): [1, 0]}, {(1, 7): flag})
        [(unproven,)] = select("SELECT unproven FROM rollup_parameter WHERE client_id = %s", [client_id])
        assert bool(unproven) is last


def test_dropping_takes_hours_off_the_rollup_a_chunk_at_a_time(client_id: str) -> None:
    with wall.client(client_id):
        bulk.add_parameters({(hour, number, 7): [2, 1] for hour in (5, 6) for number in (1, 2)}, {})
        with transaction.atomic():
            assert bulk.drop_before("hourly_parameter", 6, most=1) == {1}
        assert rows("rollup_parameter", client_id) == [(1, 7, 2, 1), (2, 7, 4, 2)]
        with transaction.atomic():
            assert bulk.drop_before("hourly_parameter", 7, most=10) == {1, 2}
            assert bulk.drop_before("hourly_parameter", 7, most=10) == set()
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
        numbers = [(5, 1), (5, 2)]
        bulk.add_counts(dict.fromkeys(numbers, [1] * 11), {1: (5, 5), 2: (5, 5)})
        bulk.add_parameters({(*key, 7): [1, 1] for key in numbers}, {})
        for number in (1, 2):
            bulk.upsert(
                "endpoint_note",
                ("endpoint", "credential"),
                ("requests",),
                [(client_id, number, 7, 1, 5, 5)],
                spans=True,
            )
            keys = ("hour", "endpoint", "family", "status")
            row = (client_id, 5, number, "curl", 2, 1, 5, 5)
            bulk.upsert("hourly_without", keys, ("requests",), [row], text="family", spans=True)
        bulk.drop_endpoints([1], 0, 9)
        for table in bulk.OF_ENDPOINT:
            left = select(f"SELECT endpoint FROM {table} WHERE client_id = %s", [client_id])
            assert left == [(2,)], table


def test_spans_widen_and_requests_add_up(client_id: str) -> None:
    keys = ("endpoint", "credential")
    with wall.client(client_id):
        for row in ((client_id, 1, 7, 2, 50, 60), (client_id, 1, 7, 3, 40, 55)):
            bulk.upsert("endpoint_note", keys, ("requests",), [row], spans=True)
        found = select("SELECT requests, first_seen, last_seen FROM endpoint_note WHERE client_id = %s", [client_id])
        assert found == [(5, 40, 60)]


def test_outside_a_client_nothing_is_touched() -> None:
    with wall.system("a test"), pytest.raises(wall.TenantWallError):
        bulk.add_parameters({(5, 1, 7): [1, 1]}, {})
