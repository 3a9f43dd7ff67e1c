"""What came of a baseline's checks: findings always, counts only from the lease that holds."""

import msgspec

from gatecrash.control import ids
from gatecrash.control.findings import services as findings
from gatecrash.control.nodes.models import Node
from gatecrash.control.testruns import baseline_rows, check_rows, parts, surveying, undecided_rows
from gatecrash.control.testruns.book import Book, open_book
from gatecrash.control.testruns.check_rows import CheckRow
from gatecrash.control.testruns.lease import holds
from gatecrash.control.testruns.models import TestRun
from gatecrash.core.testing.health.refused_sessions import is_over
from gatecrash.core.testing.run_events import OPEN, Checked, Found, Listens, Progress, SessionsOver, Status
from gatecrash.core.testing.verdict import Outcome, is_untested
from gatecrash.wire.work import Accepted, Result, Results

REASONS = frozenset({"connection_failed", "auth_failed", "invalid_policies", "internal_exception", "recording_error"})
FINAL = {
    "passed": Status.PASSED,
    "failed": Status.FAILED,
    "error": Status.ERROR,
    "interrupted": Status.INTERRUPTED,
}
# Whatever a node says, no run is held longer than this behind its last check.
MOST_LISTENING = 600.0


def accept(node: Node, message: Results) -> Accepted:
    """Take results in, one after the other, in one transaction."""
    run_id = message.run_id
    if not ids.is_shaped(run_id) or not TestRun.objects.filter(id=run_id, node=node).exists():
        return Accepted(stale=True)
    with open_book(run_id) as book:
        is_held = holds(node, book.row, message.session, message.generation)
        rows = check_rows.of_baselines(
            run_id, [result.baseline_id for result in message.results if ids.is_shaped(result.baseline_id)]
        )
        for result in message.results:
            row = rows.get(result.baseline_id)
            if row is not None and row.status is not Status.SKIPPED:
                rows[result.baseline_id] = _take(book, row, result, is_held=is_held)
    return Accepted(stale=not is_held)


def _take(book: Book, row: CheckRow, result: Result, *, is_held: bool) -> CheckRow:
    before = row
    row = _find(book, row, result)
    if is_held and parts.is_of_now(row, result):
        row = _count(book, row, result)
        if result.final or result.left:
            _listen(book, result)
            row = _close(book, row, result)
    if row != before:
        check_rows.write(book.row.id, row)
    return row


def _find(book: Book, row: CheckRow, result: Result) -> CheckRow:
    """Keep what was found; what is known already changes nothing."""
    verdicts = [verdict for verdict in result.verdicts if verdict.outcome is Outcome.VULNERABLE]
    if not verdicts:
        return row
    baseline = baseline_rows.read(book.row.record_id, [row.baseline_id])[row.baseline_id]
    new = findings.keep(book.row.id, baseline, verdicts, int(book.now))
    if not new:
        return row
    check = row.read(run_ended=book.run.ended)
    book.apply(Found(check, len(new)))
    book.note(vulns=[*book.row.vulns, *new])
    status = row.status if check.status in OPEN else Status.FAILED
    return msgspec.structs.replace(row, found=True, status=status)


def _listen(book: Book, result: Result) -> None:
    """The run stays while the node's listener may still hear of this baseline's payloads."""
    if result.listen > 0:
        book.apply(Listens(book.now + min(result.listen, MOST_LISTENING)))


def _count(book: Book, row: CheckRow, result: Result) -> CheckRow:
    """Add what this baseline cost under this lease since it was last heard of."""
    earlier = row.sent if row.generation == book.run.generation else 0
    sent = max(earlier, result.sent)
    book.apply(Progress(checked=sent - earlier))
    if row.generation == book.run.generation:
        return msgspec.structs.replace(row, sent=sent)
    return msgspec.structs.replace(
        row, sent=sent, sent_before=row.sent_before + row.sent, generation=book.run.generation
    )


def _close(book: Book, row: CheckRow, result: Result) -> CheckRow:
    """End an open check, or a part of it, once."""
    check = row.read(run_ended=book.run.ended)
    if check.status not in OPEN:
        return row
    status = FINAL.get(result.status, Status.ERROR)
    undecided = sum(verdict.outcome is Outcome.INCONCLUSIVE for verdict in result.verdicts)
    undecided_rows.keep(book.row.id, row.baseline_id, result.verdicts, behind=row.inconclusive)
    good, asked = result.authenticated
    book.note(
        inconclusive_count=book.row.inconclusive_count + undecided,
        authenticated_good=book.row.authenticated_good + max(0, min(good, asked)),
        authenticated_all=book.row.authenticated_all + max(0, asked),
    )
    if not result.final:
        return parts.put_off(book, row, result, undecided)
    detail = parts.told(row, result)
    # What was tested before the record's users were known has been counted once already.
    counted = row.users == check_rows.ALONE and is_untested("passed", row.detail)
    untested = is_untested(result.status, detail) - counted
    book.note(baseline_untested_count=book.row.baseline_untested_count + untested)
    _heed(book, result)
    book.apply(Checked(check, status))
    return msgspec.structs.replace(
        row,
        status=Status.FAILED if row.found else status,
        reason=_reason(result) if status is Status.ERROR else None,
        detail=check_rows.fitting(detail),
        remaining=0,
        inconclusive=row.inconclusive + undecided,
    )


def _heed(book: Book, result: Result) -> None:
    """The first baseline whose recorded session is over has the record asked how its users sign in, before the run may end.

    Where it shows nobody, the last open one has it asked once more: sessions of others may be over since.
    """
    if book.row.auth_profile_id is not None:
        return
    is_first = not book.row.sessions_over and is_over(result.reason, result.detail)
    if is_first:
        book.note(sessions_over=True)
    is_last = book.row.sessions_over and book.run.waiting + book.run.running == 1
    if is_first or (is_last and not surveying.signs_in(book.row)):
        book.apply(SessionsOver())


def _reason(result: Result) -> str:
    return result.reason if result.reason in REASONS else "internal_exception"
