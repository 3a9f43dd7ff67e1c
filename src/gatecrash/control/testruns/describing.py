"""What descriptions hold that nobody has sent yet, for the node that tests it: all of a record, as one teaches another. What it
finds beside them is put into the record, and tested by the run; only a run of baselines that somebody chose tests nothing else.

A node asks once a run, when it is given the first of them. It signs in by them where nobody said how, and tells as how many.
"""

from gatecrash.control import ids
from gatecrash.control.nodes.models import Node
from gatecrash.control.testruns import baseline_rows, check_rows, recording
from gatecrash.control.testruns.book import open_book
from gatecrash.control.testruns.lease import holds
from gatecrash.control.testruns.models import TestRun
from gatecrash.core.reports.notes import kept
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.run_events import OPEN
from gatecrash.core.testing.selection.replay import replayable
from gatecrash.formats.draft import packed, unpacked
from gatecrash.wire.work import Describe, Described

CHUNK = 100
MOST_DRAFTS = 2000
MOST_BYTES = 16 * 1024 * 1024


def describe(node: Node, message: Describe) -> Described:
    """The drafts of the run's record, up to a size; or note as how many users they let the node in."""
    row = TestRun.objects.filter(id=message.run_id, node=node).first() if ids.is_shaped(message.run_id) else None
    if row is None or not holds(node, row, message.session, message.generation):
        return Described(stale=True)
    extends = row.clone_only is None
    if message.users is not None or message.found:
        if extends and message.found:
            _extend(row, message.found)
        _note(row, message.users or 0, message.notes)
        return Described()
    drafts = tuple(_drafts(row))
    return Described(drafts, only=len(drafts) == row.record.baseline_count, extends=extends)


def _extend(row: TestRun, found: tuple[tuple[str, bytes], ...]) -> None:
    """Put further drafts into the record, once, and have the run test them."""
    known = [(name, unpacked(draft)) for name, draft in found[:MOST_DRAFTS] if ids.is_shaped(name)]
    recording.add(row.record, row, [Baseline(name, replayable(draft)) for name, draft in known])


def _note(row: TestRun, users: int, notes: tuple[str, ...]) -> None:
    with open_book(row.id) as book:
        if book.run.ended:
            return
        book.note(notes=kept(book.row.notes, notes))
        if users > (book.row.user_count or 0):
            book.note(user_count=users)


def _drafts(row: TestRun) -> list[tuple[str, bool, bytes]]:
    """Up to MOST_DRAFTS of them, and up to MOST_BYTES; those behind are sent one by one when they are tested."""
    given: list[tuple[str, bool, bytes]] = []
    size, last = 0, 0
    while True:
        end, found = baseline_rows.drafts_after(row.record_id, last, CHUNK)
        checks = check_rows.of_baselines(row.id, [identifier for identifier, _ in found])
        for identifier, draft in found:
            check = checks.get(identifier)
            whole = packed(draft)
            size += len(whole)
            if len(given) == MOST_DRAFTS or size > MOST_BYTES:
                return given
            given.append((identifier, check is not None and check.status in OPEN, whole))
        if end is None:
            return given
        last = end
