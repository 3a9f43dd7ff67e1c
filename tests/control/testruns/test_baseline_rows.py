"""Baselines at rest: encrypted for their row, found by record, never by another client."""

import pytest

from gatecrash.control import bulk_sql, vault, wall
from gatecrash.control.testruns import baseline_rows
from gatecrash.core.testing.baseline import Baseline
from gatecrash.fakes.fake_node import baseline


def store(record_id: str, *items: Baseline, first: int = 1) -> None:
    sealed = [
        baseline_rows.seal(record_id, item, item.request.url, f"digest of {item.request.target!r}", 5) for item in items
    ]
    baseline_rows.store(record_id, first, sealed)


@pytest.fixture(autouse=True)
def inside(client_id: str):
    with wall.client(client_id):
        yield


def test_what_was_stored_is_read_back_byte_for_byte() -> None:
    items = [baseline("/a"), baseline("/b", method="POST", body=bytes(range(256)))]
    store("rec_1", *items)
    assert baseline_rows.read("rec_1", [item.id for item in items]) == {item.id: item for item in items}
    assert [(number, item) for number, _, item in baseline_rows.after("rec_1", 0, 9, 9)] == list(enumerate(items, 1))
    assert [number for number, _, _ in baseline_rows.after("rec_1", 1, 9, 9)] == [2]
    assert baseline_rows.heads("rec_1", [items[1].id])[items[1].id].method == "POST"


def test_nothing_of_a_request_is_readable_in_the_table(client_id: str) -> None:
    store("rec_1", baseline("/very-telling-path"))
    rows = bulk_sql.select("SELECT head, exchange FROM testruns_baseline WHERE client_id = %s", [client_id])
    for column in rows[0]:
        assert b"telling" not in bytes(column)
        assert b"abcdefghijkl" not in bytes(column)


def test_a_sealed_exchange_does_not_open_in_another_row(client_id: str) -> None:
    item = baseline("/a")
    store("rec_1", item)
    bulk_sql.execute("UPDATE testruns_baseline SET record_id = %s WHERE client_id = %s", ["rec_2", client_id])
    with pytest.raises(vault.CannotOpen):
        baseline_rows.read("rec_2", [item.id])


def test_another_client_finds_nothing(other_id: str) -> None:
    item = baseline("/a")
    store("rec_1", item)
    with wall.client(other_id):
        assert baseline_rows.read("rec_1", [item.id]) == {}
        assert baseline_rows.known("rec_1", [item.id]) == set()


def test_duplicates_are_known_by_what_came_before() -> None:
    store("rec_1", baseline("/a"), baseline("/b"))
    key = "digest of b'/b'"
    assert baseline_rows.known_duplicates("rec_1", [key], 3) == {key}
    assert baseline_rows.known_duplicates("rec_1", [key], 2) == set()


def test_more_identifiers_than_one_statement_takes_are_asked_for_in_parts() -> None:
    items = [baseline() for _ in range(3)]
    store("rec_1", *items)
    asked = [f"bl_{number}" for number in range(1200)] + [item.id for item in items]
    assert baseline_rows.known("rec_1", asked) == {item.id for item in items}


def test_deleting_goes_in_chunks() -> None:
    store("rec_1", *(baseline() for _ in range(5)))
    assert [baseline_rows.delete("rec_1", 3) for _ in range(3)] == [3, 2, 0]
