"""Baselines that were tested before the record's users were known, opened again for the tests as other users alone.

A run that records learns who was recorded when the recording is over. What waits then is tested as those users; what is
over already would keep the word "passed" without anybody having looked whether one user gets what is another's.
"""

import msgspec

from gatecrash.control.testruns import baseline_rows, check_rows
from gatecrash.control.testruns.book import Book, open_book
from gatecrash.control.testruns.check_rows import CheckRow
from gatecrash.control.testruns.models import TestRun
from gatecrash.control.testruns.planning import Planner
from gatecrash.core.testing.run_events import Reopened, Status

_CLOSED = (Status.PASSED, Status.FAILED)


def next_chunk(run_id: str, last: int, size: int) -> int | None:
    """Look at the next closed checks behind a sequence number; the last one's number, None where there is none.

    Killed and begun again it goes on: what was looked at is marked so in the same transaction.
    """
    row = TestRun.objects.filter(id=run_id).first()
    due = check_rows.users_due(run_id, last, size) if row is not None else []
    if row is None or not due:
        return None
    planner = Planner(row)
    baselines = baseline_rows.read(row.record_id, [one.baseline_id for one in due])
    found = {
        one.baseline_id: planner.as_others(baselines[one.baseline_id], spent(one))
        for one in due
        if one.baseline_id in baselines
    }
    with open_book(run_id) as book:
        if not book.run.ended:
            _reopen(book, found)
    return due[-1].sequence


def spent(row: CheckRow) -> int:
    """Test requests that a baseline cost until now, under all leases."""
    return row.sent_before + row.sent


def _reopen(book: Book, found: dict[str, tuple[int, int]]) -> None:
    """Open those that something is left of; the rows as they are now, a late finding may have come."""
    passed = failed = planned = 0
    for row in check_rows.of_baselines(book.row.id, list(found)).values():
        if row.users != check_rows.DUE or row.status not in _CLOSED:
            continue
        checks, forecast = found[row.baseline_id]
        check_rows.write(book.row.id, _opened(row, forecast) if checks else msgspec.structs.replace(row, users=""))
        if checks:
            passed += row.status is Status.PASSED
            failed += row.status is Status.FAILED
            planned += forecast
    if passed or failed:
        book.apply(Reopened(passed, failed, planned))


def _opened(row: CheckRow, forecast: int) -> CheckRow:
    """Waiting again. What it cost is closed: the node begins to count anew, under the same lease or another."""
    return msgspec.structs.replace(
        row,
        status=Status.WAITING,
        users=check_rows.ALONE,
        forecast=forecast,
        remaining=forecast,
        sent_before=spent(row),
        sent=0,
    )
