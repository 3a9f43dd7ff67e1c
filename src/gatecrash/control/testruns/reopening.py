"""Baselines that were tested before the record's users were known, opened again for the tests as other users alone.

A run that records learns who was recorded when the recording is over. What waits then is tested as those users; what is
over already would keep the word "passed" without anybody having looked whether one user gets what is another's. What ended
with its session, because its user had signed out, is tested anew where the record shows how he signs in; what was found stays.
So is what an identity of an auth profile was refused that another one had sent.
What waits was forecast without them, and is forecast anew.
"""

import msgspec

from gatecrash.control.testruns import baseline_rows, check_rows, undecided_rows
from gatecrash.control.testruns.book import Book, open_book
from gatecrash.control.testruns.check_rows import CheckRow
from gatecrash.control.testruns.models import TestRun
from gatecrash.control.testruns.planning import Planner
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.pacing.parts import OTHERS, Todo
from gatecrash.core.testing.pacing.passes import Pass
from gatecrash.core.testing.run_events import Reopened, Status

_CLOSED = (Status.PASSED, Status.FAILED, Status.ERROR)


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
        one.baseline_id: _left(planner, one, baselines[one.baseline_id]) for one in due if one.baseline_id in baselines
    }
    with open_book(run_id) as book:
        if not book.run.ended:
            _reopen(book, found)
    return due[-1].sequence


def next_forecasts(run_id: str, last: int, size: int) -> int | None:
    """Forecast the next waiting checks behind a sequence number anew; the last one's number, None where there is none."""
    row = TestRun.objects.filter(id=run_id).first()
    waiting = check_rows.waiting_behind(run_id, last, size) if row is not None else []
    if row is None or not waiting:
        return None
    planner = Planner(row)
    planned = {one.baseline_id: one for one in waiting if _asks_as_others(one.todo)}
    baselines = baseline_rows.read(row.record_id, list(planned))
    costs = {planned[name]: _cost(planner, planned[name], one) for name, one in baselines.items()}
    with open_book(run_id) as book:
        if not book.run.ended:
            _forecast(book, costs)
    return waiting[-1].sequence


def _asks_as_others(todo: Todo) -> bool:
    """Whether tests as other users are among what waits, and were forecast when nobody knew these."""
    return todo != OTHERS and (todo.belated or not todo.made)


def _left(planner: Planner, row: CheckRow, baseline: Baseline) -> tuple[int, int]:
    """How many checks are left of a baseline, at least, and their forecast: all of what was refused."""
    if row.users == check_rows.REFUSED:
        return 1, planner.cost(baseline)
    return planner.left(baseline, OTHERS, spent(row))


def _cost(planner: Planner, row: CheckRow, baseline: Baseline) -> int:
    if not (row.todo.made or row.todo.belated):
        return planner.cost(baseline)
    return planner.left(baseline, row.todo, spent(row))[1]


def _forecast(book: Book, costs: dict[CheckRow, int]) -> None:
    """Those that still wait for the same; what has begun is told by the node."""
    more = 0
    planned = {row.baseline_id: (row.todo, cost) for row, cost in costs.items()}
    for row in check_rows.of_baselines(book.row.id, list(planned)).values():
        todo, cost = planned[row.baseline_id]
        if row.status is Status.WAITING and row.todo == todo and row.forecast != cost:
            more += cost - row.forecast
            check_rows.write(book.row.id, msgspec.structs.replace(row, forecast=cost, remaining=cost))
    if more:
        book.apply(Reopened(0, planned=more))


def spent(row: CheckRow) -> int:
    """Test requests that a baseline cost until now, under all leases."""
    return row.sent_before + row.sent


def _reopen(book: Book, found: dict[str, tuple[int, int]]) -> None:
    """Open those that something is left of; the rows as they are now, a late finding may have come."""
    passed = failed = technical = planned = 0
    for row in check_rows.of_baselines(book.row.id, list(found)).values():
        if row.users not in (check_rows.DUE, check_rows.REFUSED) or row.status not in _CLOSED:
            continue
        checks, forecast = found[row.baseline_id]
        opened = _refused_opened(book, row) if row.users == check_rows.REFUSED else row
        check_rows.write(book.row.id, _opened(opened, forecast) if checks else msgspec.structs.replace(row, users=""))
        if checks:
            passed += row.status is Status.PASSED
            failed += row.status is Status.FAILED
            technical += row.status is Status.ERROR
            planned += forecast
    if passed or failed or technical:
        book.apply(Reopened(passed, failed, planned, technical))


def _refused_opened(book: Book, row: CheckRow) -> CheckRow:
    """A row to be tested anew, without what was undecided: nobody was signed in."""
    undecided_rows.forget(book.row.id, row.baseline_id)
    book.note(inconclusive_count=book.row.inconclusive_count - row.inconclusive)
    return msgspec.structs.replace(row, users="", reason=None, detail="", inconclusive=0)


def _opened(row: CheckRow, forecast: int) -> CheckRow:
    """Waiting again. What it cost is closed: the node begins to count anew, under the same lease or another."""
    return msgspec.structs.replace(
        row,
        status=Status.WAITING,
        users=check_rows.ALONE if row.users else "",
        part=len(Pass) if row.users else 0,
        turn=int(row.sort),
        forecast=forecast,
        remaining=forecast,
        sent_before=spent(row),
        sent=0,
    )
