"""A run's book: the row locked, events applied through the core, its commands done, all in one transaction.

    with open_book(run_id) as book:
        book.apply(Pause())

Locks are taken in one order everywhere: node, runs by identifier, record, findings. SQLite has one writer at a time
anyway; on PostgreSQL the order keeps two of us from waiting for each other.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import transaction

from gatecrash.control import news, wall
from gatecrash.control.jobs import services as jobs
from gatecrash.control.nodes import queries as nodes
from gatecrash.control.nodes.models import Node
from gatecrash.control.testruns import check_rows, telling
from gatecrash.control.testruns.mapping import from_run, to_run
from gatecrash.control.testruns.models import TestRecord, TestRun
from gatecrash.core.testing.run import Run, advance
from gatecrash.core.testing.run_events import Command, Drained, Event

CLONE = "clone"
SURVEY = "survey_record"


class Book:
    """A locked run: `row` is the database's, `run` the core's value; both are written by `save`."""

    def __init__(self, row: TestRun, now: float) -> None:
        """Take a row that this transaction has locked."""
        self.row = row
        self.now = now
        self.run: Run = to_run(row)
        self._touched: set[str] = set()

    def apply(self, event: Event) -> None:
        """Advance the run. Raises ActionNotAllowed."""
        self.run, commands = advance(self.run, event, self.now)
        self.do(commands)

    def do(self, commands: tuple[Command, ...]) -> None:
        """Carry out what follows from an event."""
        for command in commands:
            match command:
                case Command.RETURN_RUNNING_TO_WAITING:
                    check_rows.return_running(self.row.id)
                case Command.CLOSE_RECORD:
                    self._close_record()
                case Command.RELEASE_RECORD:
                    TestRecord.objects.filter(id=self.row.record_id).update(draining=False)
                case Command.SURVEY_RECORD:
                    jobs.enqueue(SURVEY, client_id=wall.required(), key=self.row.id)
                case Command.START_CLONE:
                    jobs.enqueue(CLONE, client_id=wall.required(), key=self.row.id)

    def note(self, **values: object) -> None:
        """Change columns that the core does not know."""
        for name, value in values.items():
            if getattr(self.row, name) != value:
                setattr(self.row, name, value)
                self._touched.add(name)

    def save(self) -> None:
        """Write what changed; a run that did not change is not written. One that has ended signs in no more."""
        if self.run.ended:
            self.note(recorded=None, answered=None)
            if self.row.user_count is None:
                # Nobody had to look: all came with the same credentials.
                self.note(user_count=1 if self.row.whose else 0)
        advanced = from_run(self.row, self.run)
        changed = [*advanced, *self._touched]
        if changed:
            self.row.revision += 1
            self.row.updated_at = self.now
            TestRun.objects.filter(id=self.row.id).update(
                **{name: getattr(self.row, name) for name in (*changed, "revision", "updated_at")}
            )
        if self.run.ended and "state" in advanced:  # once more where a late finding makes a passed run a failed one
            news.tell(news.RUN_ENDED, lambda: telling.run_ended(self.row))
        self._touched.clear()

    def _close_record(self) -> None:
        """Recording is over. A node that is gone already will hand over nothing soon, so nobody waits for it."""
        TestRecord.objects.filter(id=self.row.record_id).update(recording=False, draining=True, stopped_at=self.now)
        self.note(confirmed=False)
        node = Node.objects.get(id=self.row.node_id)
        if not nodes.is_connected(node, self.now):
            self.apply(Drained())


@contextmanager
def open_book(run_id: str, now: float | None = None) -> Iterator[Book]:
    """Lock a run of the current client, and write it when the block ends well."""
    with transaction.atomic():
        row = TestRun.objects.select_for_update().get(id=run_id)
        book = Book(row, time.time() if now is None else now)
        yield book
        book.save()
