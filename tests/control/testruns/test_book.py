"""A run's book: what changed is written, with a revision, or nothing is."""

from collections.abc import Callable

import pytest

from gatecrash.control import wall
from gatecrash.control.testruns.book import open_book
from gatecrash.control.testruns.models import TestRecord, TestRun
from gatecrash.core.testing.run import ActionNotAllowed
from gatecrash.core.testing.run_events import Pause, Progress, Resume, StopRecording
from gatecrash.fakes.fake_node import FakeNode


@pytest.fixture
def run_id(client_id: str, create: Callable[..., dict]):
    run = create()
    with wall.client(client_id):
        yield run["id"]


def test_a_change_raises_the_revision_and_nothing_else_does(run_id: str) -> None:
    before = TestRun.objects.get(id=run_id)
    with open_book(run_id, 5.0) as book:
        book.apply(Progress())
        book.note(confirmed=before.confirmed)
    assert TestRun.objects.get(id=run_id).revision == before.revision
    with open_book(run_id, 6.0) as book:
        book.apply(Pause())
    after = TestRun.objects.get(id=run_id)
    assert (after.revision, after.updated_at, after.state) == (before.revision + 1, 6.0, "paused")


def test_a_refused_action_changes_nothing(run_id: str) -> None:
    before = TestRun.objects.values().get(id=run_id)
    with pytest.raises(ActionNotAllowed):
        _note_and_resume(run_id)
    assert TestRun.objects.values().get(id=run_id) == before


def test_closing_a_record_waits_for_a_connected_node(client_id: str, node: FakeNode, run_id: str) -> None:
    with open_book(run_id) as book:
        book.apply(StopRecording())
    record = TestRecord.objects.get(recorder=run_id)
    assert (record.recording, record.draining, book.run.draining) == (False, True, True)


def test_closing_a_record_waits_for_nobody_where_no_node_is(run_id: str) -> None:
    with open_book(run_id) as book:
        book.apply(StopRecording())
    record = TestRecord.objects.get(recorder=run_id)
    assert (record.recording, record.draining) == (False, False)


def _note_and_resume(run_id: str) -> None:
    with open_book(run_id) as book:
        book.note(confirmed=True)
        book.apply(Resume())
