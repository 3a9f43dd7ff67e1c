"""Waiting for a change, and what cannot be copied."""

import time
from collections.abc import Callable

import pytest

from gatecrash.control import wall, web_threads
from gatecrash.control.testruns import queries
from gatecrash.control.testruns.models import TestRecord, TestRun


def test_why_a_record_cannot_be_copied() -> None:
    assert queries.why_not_copied(None) == "not_found"
    assert queries.why_not_copied(TestRecord(deleted_at=1)) == "not_found"
    assert queries.why_not_copied(TestRecord(recording=True)) == "not_ready_for_cloning"
    assert queries.why_not_copied(TestRecord(draining=True, baseline_count=1)) == "not_ready_for_cloning"
    assert queries.why_not_copied(TestRecord()) == "empty_test_record"
    assert queries.why_not_copied(TestRecord(baseline_count=1)) == ""


def test_a_change_ends_the_wait(client_id: str, create: Callable[..., dict], monkeypatch: pytest.MonkeyPatch) -> None:
    run = create()
    with wall.client(client_id):
        row = TestRun.objects.get(id=run["id"])
        monkeypatch.setattr(time, "sleep", lambda _: TestRun.objects.filter(id=row.id).update(revision=99))
        assert queries.wait_for_change(row, 3600).revision == 99


def test_a_copy_waits_for_a_nodes_last_baselines(
    client_id: str, create: Callable[..., dict], monkeypatch: pytest.MonkeyPatch
) -> None:
    with wall.client(client_id):
        record = TestRecord.objects.get(id=create()["test_record_id"])
        assert queries.settled_record(record.id) == record, "what is still recorded is not waited for"
        rows = TestRecord.objects.filter(id=record.id)
        rows.update(recording=False, draining=True)
        monkeypatch.setattr(time, "sleep", lambda _: rows.update(draining=False, baseline_count=2))
        monkeypatch.setattr(queries, "DRAIN_SECONDS", 3600.0)
        for _ in range(web_threads.MOST_WAITERS):
            assert queries._places.acquire(blocking=False), "others wait for their runs meanwhile"
        try:
            found = queries.settled_record(record.id)
        finally:
            queries._places.release(web_threads.MOST_WAITERS)
    assert found is not None
    assert (found.draining, found.baseline_count) == (False, 2)


def test_a_record_whose_node_hands_nothing_over_is_not_ready(client_id: str, create: Callable[..., dict]) -> None:
    with wall.client(client_id):
        record_id = create()["test_record_id"]
        TestRecord.objects.filter(id=record_id).update(recording=False, draining=True)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(queries, "DRAIN_SECONDS", 0.0)
            assert queries.why_not_copied(queries.settled_record(record_id)) == "not_ready_for_cloning"


def test_who_finds_no_place_to_wait_is_answered_at_once(
    client_id: str, create: Callable[..., dict], monkeypatch: pytest.MonkeyPatch
) -> None:
    run = create()
    for _ in range(web_threads.MOST_WAITERS):
        assert queries._places.acquire(blocking=False)
    try:
        with wall.client(client_id):
            row = TestRun.objects.get(id=run["id"])
            monkeypatch.setattr(time, "sleep", lambda _: pytest.fail("it waits"))
            assert queries.wait_for_change(row, 30) is row
    finally:
        queries._places.release(web_threads.MOST_WAITERS)
