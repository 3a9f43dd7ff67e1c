"""Counts: once each, late hours, the window that rolls; and the rollup that is always the sum of its hours."""

import threading
from collections.abc import Callable
from random import Random

import pytest
from django.db import connection, transaction

from gatecrash.control import wall
from gatecrash.control.inventory import mapping, queries, services
from gatecrash.control.inventory.bulk import KEYS, VALUES
from gatecrash.control.inventory.filters import Filters
from gatecrash.control.inventory.mapping import TYPE_BITS
from gatecrash.control.inventory.models import CredentialKind
from gatecrash.control.inventory.schema import COUNTS
from gatecrash.core.errors import ProtocolMismatch
from gatecrash.wire.counts import Added, Counts, EndpointCount, ParameterCount

pytestmark = [pytest.mark.database, pytest.mark.django_db]

NOW = 1_800_000_000
HOUR = NOW // 3600


def endpoint(
    path: str = "/a", *, hour: int = HOUR, requests: int = 10, valid: int = 4, **more: object
) -> EndpointCount:
    given: dict[str, object] = {
        "protocol": "rest",
        "method": "GET",
        "host": "h",
        "refused": 1,
        "first_seen": hour * 3600,
        "last_seen": hour * 3600 + 9,
        "parameters": (ParameterCount("bearer", ("header", "AUTHORIZATION"), valid, valid),),
        "statuses": ((2, requests - 1), (4, 1)),
        **more,
    }
    return EndpointCount(hour=hour, path=path, requests=requests, authenticated=valid, **given)


def batch(sequence: int, *endpoints: EndpointCount, spool: str = "p", detection: bool = True) -> Counts:
    return Counts(
        node_id="node_1", session="s", spool=spool, sequence=sequence, endpoints=endpoints, detection=detection
    )


def shown(client_id: str) -> dict[str, dict[str, object]]:
    with wall.client(client_id):
        page = queries.list_endpoints(Filters(), limit=1000)
    return {one["path"]: one for one in page.objects}


def tables(client_id: str) -> dict[str, list[tuple[object, ...]]]:
    with wall.client(client_id), connection.cursor() as cursor:
        found = {}
        for table, keys in KEYS.items():
            columns = ", ".join((*keys, *VALUES[table]))
            cursor.execute(f"SELECT {columns} FROM {table} WHERE client_id = %s ORDER BY {columns}", [client_id])
            found[table] = cursor.fetchall()
    return found


def endpoint_sums(client_id: str) -> dict[int, list[int]]:
    """The sums on the endpoints' own rows, of those that hold any; and the types in bits last."""
    with wall.client(client_id), connection.cursor() as cursor:
        cursor.execute(
            f"SELECT number, {', '.join(COUNTS)}, types FROM inventory_endpoint WHERE client_id = %s", [client_id]
        )
        return {number: values for number, *values in cursor.fetchall() if any(values)}


def summed(rows: list[tuple[int, ...]], width: int) -> dict[tuple[int, ...], list[int]]:
    """Hourly rows over all hours, by the rest of their keys; sums of nothing left out."""
    totals: dict[tuple[int, ...], list[int]] = {}
    for row in rows:
        values = row[width:]
        known = totals.setdefault(row[1:width], [0] * len(values))
        totals[row[1:width]] = [ours + theirs for ours, theirs in zip(known, values, strict=True)]
    return {key: values for key, values in totals.items() if any(values)}


def assert_rollup_is_the_sum(client_id: str) -> None:
    found = tables(client_id)
    totals = summed(found["hourly_parameter"], 3)
    assert {row[:2]: list(row[2:]) for row in found["rollup_parameter"]} == totals
    with wall.client(client_id):
        kinds = dict(CredentialKind.objects.values_list("number", "type"))
    types: dict[int, int] = {}
    for (number, credential), (_, valid) in totals.items():
        types[number] = types.get(number, 0) | (TYPE_BITS[kinds[credential]] if valid else 0)
    counted = {key[0]: values for key, values in summed(found["hourly_count"], 2).items()}
    assert endpoint_sums(client_id) == {number: [*values, types.get(number, 0)] for number, values in counted.items()}


def test_batches_add_up(client_id: str) -> None:
    services.apply_counts(client_id, "node_1", batch(1, endpoint(), endpoint("/b", valid=0, parameters=())), at=NOW)
    services.apply_counts(client_id, "node_1", batch(2, endpoint(requests=90, valid=91 - 1)), at=NOW)
    found = shown(client_id)
    assert (found["/a"]["requests"], found["/a"]["authenticated"], found["/a"]["refused"]) == (100, 94, 2)
    assert found["/a"]["statuses"] == {"1xx": 0, "2xx": 98, "3xx": 0, "4xx": 2, "5xx": 0}
    assert (found["/b"]["status"], found["/b"]["parameters"]) == ("missing", [])
    assert_rollup_is_the_sum(client_id)


def test_a_repeated_batch_changes_nothing_and_is_answered_alike(client_id: str) -> None:
    given = batch(7, endpoint(), endpoint(hour=HOUR - 168))
    assert services.apply_counts(client_id, "node_1", given, at=NOW) == Added(sequence=7, late=1)
    before = tables(client_id)
    for at in (NOW, NOW + 3600 * 24 * 7):
        assert services.apply_counts(client_id, "node_1", given, at=at) == Added(sequence=7, late=1)
    assert tables(client_id) == before


def test_node_spool_and_sequence_name_a_batch_together(client_id: str, other_id: str) -> None:
    services.apply_counts(client_id, "node_1", batch(1, endpoint()), at=NOW)
    services.apply_counts(client_id, "node_2", batch(1, endpoint()), at=NOW)
    services.apply_counts(client_id, "node_1", batch(1, endpoint(), spool="q"), at=NOW)
    services.apply_counts(client_id, "node_1", batch(0, endpoint()), at=NOW)
    services.apply_counts(other_id, "node_1", batch(1, endpoint()), at=NOW)
    assert shown(client_id)["/a"]["requests"] == 40
    assert shown(other_id)["/a"]["requests"] == 10


def test_the_window_is_this_hour_and_the_167_before_it(client_id: str) -> None:
    given = batch(1, endpoint(hour=HOUR), endpoint(hour=HOUR - 167), endpoint(hour=HOUR - 168), endpoint(hour=0))
    assert services.apply_counts(client_id, "node_1", given, at=NOW).late == 2
    assert shown(client_id)["/a"]["requests"] == 20
    assert_rollup_is_the_sum(client_id)


def test_an_hour_ahead_of_our_clock_counts_as_this_one(client_id: str) -> None:
    services.apply_counts(client_id, "node_1", batch(1, endpoint(hour=HOUR + 5000), endpoint()), at=NOW)
    assert [row[0] for row in tables(client_id)["hourly_count"]] == [HOUR]
    assert shown(client_id)["/a"]["requests"] == 20


def test_a_batch_of_late_hours_only_is_acknowledged_and_makes_no_endpoint(client_id: str) -> None:
    assert services.apply_counts(client_id, "node_1", batch(1, endpoint(hour=5)), at=NOW).late == 1
    assert shown(client_id) == {}


def test_the_rollup_shrinks_without_traffic(client_id: str) -> None:
    services.apply_counts(
        client_id, "node_1", batch(1, endpoint(hour=HOUR - 1), endpoint(valid=0, parameters=())), at=NOW
    )
    with wall.client(client_id):
        services.roll_window(at=NOW + 3600 * 166)
        assert shown(client_id)["/a"]["requests"] == 20
        services.roll_window(at=NOW + 3600 * 167)
        found = shown(client_id)["/a"]
        assert (found["requests"], found["status"], found["parameters"]) == (10, "missing", [])
        assert_rollup_is_the_sum(client_id)
        services.roll_window(at=NOW + 3600 * 168)
        found = shown(client_id)["/a"]
        assert (found["requests"], found["status"], found["coverage"], found["refused"]) == (0, None, None, None)
        assert all(rows == [] for rows in tables(client_id).values())


def test_rolling_twice_is_rolling_once_and_leaves_other_clients_alone(client_id: str, other_id: str) -> None:
    for one in (client_id, other_id):
        services.apply_counts(one, "node_1", batch(1, endpoint(hour=HOUR - 100), endpoint()), at=NOW)
    theirs = tables(other_id)
    with wall.client(client_id):
        for _ in range(2):
            services.roll_window(at=NOW + 3600 * 100)
    assert shown(client_id)["/a"]["requests"] == 10
    assert tables(other_id) == theirs


def test_many_rows_roll_in_chunks(client_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "CHUNK", 7)
    random = Random(1)
    for sequence in range(20):
        rows = [endpoint(f"/{random.randrange(9)}", hour=HOUR - random.randrange(168)) for _ in range(20)]
        services.apply_counts(client_id, "node_1", batch(sequence, *rows), at=NOW)
    assert_rollup_is_the_sum(client_id)
    with wall.client(client_id):
        for step in range(0, 171, 17):
            services.roll_window(at=NOW + 3600 * step)
            assert_rollup_is_the_sum(client_id)
    assert all(rows == [] for rows in tables(client_id).values())


def test_names_of_old_batches_are_forgotten_when_all_their_hours_are_late(client_id: str) -> None:
    services.apply_counts(client_id, "node_1", batch(1, endpoint()), at=NOW)
    later = NOW + 8 * 86400 + 1
    with wall.client(client_id):
        services.roll_window(at=later)
    assert services.apply_counts(client_id, "node_1", batch(1, endpoint()), at=later).late == 1
    assert shown(client_id)["/a"]["requests"] == 0


def test_a_node_without_detection_feeds_the_inventory_and_no_share(client_id: str) -> None:
    services.apply_counts(client_id, "node_1", batch(1, endpoint(requests=10, valid=10)), at=NOW)
    services.apply_counts(client_id, "node_9", batch(1, endpoint(requests=5), detection=False), at=NOW)
    found = shown(client_id)["/a"]
    assert (found["requests"], found["status"], found["undetected_requests"]) == (10, "consistent", 5)
    assert found["undetected_node"] == "node_9"
    services.apply_counts(client_id, "node_9", batch(2, endpoint("/old", requests=5), detection=False), at=NOW)
    assert shown(client_id)["/old"]["status"] is None
    assert_rollup_is_the_sum(client_id)


def test_refused_is_null_until_a_source_shows_answers(client_id: str) -> None:
    services.apply_counts(client_id, "node_1", batch(1, endpoint(refused=None)), at=NOW)
    assert shown(client_id)["/a"]["refused"] is None
    services.apply_counts(client_id, "node_1", batch(2, endpoint(refused=3)), at=NOW)
    assert shown(client_id)["/a"]["refused"] == 3


def test_first_and_last_sight_widen(client_id: str) -> None:
    services.apply_counts(client_id, "node_1", batch(1, endpoint(first_seen=100, last_seen=200)), at=NOW)
    services.apply_counts(client_id, "node_1", batch(2, endpoint(first_seen=150, last_seen=180)), at=NOW)
    services.apply_counts(client_id, "node_1", batch(3, endpoint(first_seen=90, last_seen=300)), at=NOW)
    found = shown(client_id)["/a"]
    assert (found["first_seen"], found["last_seen"]) == (90, 300)


def test_the_same_endpoint_keeps_its_identifier(client_id: str) -> None:
    services.apply_counts(client_id, "node_1", batch(1, endpoint()), at=NOW)
    first = shown(client_id)["/a"]["id"]
    services.apply_counts(client_id, "node_1", batch(2, endpoint(host="H")), at=NOW)
    assert {path: one["id"] for path, one in shown(client_id).items()} == {"/a": first}


@pytest.mark.parametrize(
    "wrong",
    [
        {"requests": -1, "valid": 0, "parameters": (), "refused": 0},
        {"requests": 2**63, "valid": 0, "parameters": ()},
        {"requests": 3, "valid": 4},
        {"refused": 11},
        {"parameters": (ParameterCount("bearer", ("get", "a"), 11, 1),)},
        {"parameters": (ParameterCount("bearer", ("get", "a"), 1, 2),)},
        {"hour": -1},
        {"last_seen": 2**64},
        {"statuses": ((2, -5),)},
    ],
)
def test_impossible_numbers_are_refused_and_nothing_is_applied(wrong: dict[str, object], client_id: str) -> None:
    with pytest.raises(ProtocolMismatch):
        services.apply_counts(client_id, "node_1", batch(1, endpoint("/fine"), endpoint(**wrong)), at=NOW)
    assert shown(client_id) == {}
    assert services.apply_counts(client_id, "node_1", batch(1, endpoint("/fine")), at=NOW).late == 0
    assert list(shown(client_id)) == ["/fine"]


def test_names_that_no_database_takes_are_made_storable(client_id: str) -> None:
    nasty = endpoint("/a\x00b" + "x" * 10_000, host="h\x00" * 500, method="M" * 500)
    services.apply_counts(client_id, "node_1", batch(1, nasty), at=NOW)
    (path,) = shown(client_id)
    assert path.startswith("/a\ufffdb")
    assert len(path) == mapping.MAX_PATH


def test_a_failure_half_way_applies_nothing(client_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from gatecrash.control.inventory import endpoints

    def broken(_names: object) -> None:
        raise OSError("disk")

    with monkeypatch.context() as patch:
        patch.setattr(endpoints, "take_credentials", broken)
        with pytest.raises(OSError, match="disk"):
            services.apply_counts(client_id, "node_1", batch(1, endpoint()), at=NOW)
    assert shown(client_id) == {}
    services.apply_counts(client_id, "node_1", batch(1, endpoint()), at=NOW)
    assert shown(client_id)["/a"]["requests"] == 10


def _together(works: list[Callable[[], object]]) -> list[BaseException]:
    """Run each in a thread of its own, all released at once; what they raised."""
    barrier = threading.Barrier(len(works))
    raised: list[BaseException] = []

    def run(work: Callable[[], object]) -> None:
        try:
            barrier.wait(timeout=60)
            work()
        except BaseException as error:  # noqa: BLE001 - handed to the test
            raised.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    return raised


@pytest.mark.django_db(transaction=True)
def test_the_same_batch_at_once_from_many_connections_is_applied_once(client_id: str) -> None:
    given = batch(1, *(endpoint(f"/{number}") for number in range(20)))
    assert _together([lambda: services.apply_counts(client_id, "node_1", given, at=NOW)] * 6) == []
    assert {one["requests"] for one in shown(client_id).values()} == {10}
    assert_rollup_is_the_sum(client_id)


@pytest.mark.django_db(transaction=True)
def test_nodes_and_the_roll_at_once_neither_block_each_other_for_good_nor_lose_a_count(client_id: str) -> None:
    def node(number: int) -> Callable[[], None]:
        def send() -> None:
            random = Random(number)
            for sequence in range(10):
                rows = [endpoint(f"/{random.randrange(15)}", hour=HOUR - random.randrange(100)) for _ in range(30)]
                services.apply_counts(client_id, f"node_{number}", batch(sequence, *rows), at=NOW)

        return send

    def roll() -> None:
        with wall.client(client_id):
            for _ in range(10):
                services.roll_window(at=NOW)

    services.apply_counts(
        client_id, "node_0", batch(1, *(endpoint(f"/{n}", hour=HOUR - 200) for n in range(15))), at=NOW - 3600 * 100
    )
    assert _together([node(1), node(2), node(3), roll, roll]) == []
    assert sum(int(one["requests"]) for one in shown(client_id).values()) == 3 * 10 * 30 * 10
    assert_rollup_is_the_sum(client_id)


@pytest.mark.django_db(transaction=True)
def test_the_limit_of_custom_parameters_holds_for_callers_at_once(
    client_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from gatecrash.control.api.errors import FieldErrors
    from gatecrash.control.inventory.models import AuthParameter
    from gatecrash.core.point import Point

    monkeypatch.setattr(services, "MAX_CUSTOM", 3)

    def add(number: int) -> Callable[[], None]:
        def work() -> None:
            with wall.client(client_id):
                services.add_auth_parameter(Point.of("get", f"n{number}"), None)

        return work

    raised = _together([add(number) for number in range(8)])
    assert [type(one) for one in raised] == [FieldErrors] * 5
    with wall.client(client_id), transaction.atomic():
        assert AuthParameter.objects.count() == 3
