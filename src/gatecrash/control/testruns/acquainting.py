"""What a run's record holds, for the node that tests it: all of it before its first test, as a scan has all of its capture.

Which list shows whose object, what makes what is deleted, which page holds a form's token, who was let in without
credentials: a node would learn it of each baseline when its turn comes, too late for those before.

A node tells in turn which cookies of the application's own its target wants: they are kept as likely sessions of their
hosts, counted in no share, and who was recorded is looked for again with them. Headers of its own are kept with the
run. So he is where it tells what each of the recorded senders is answered to what only others of them have asked.
"""

import re

from django.db import transaction

from gatecrash.control import ids
from gatecrash.control.inventory import sessions
from gatecrash.control.nodes.models import Node
from gatecrash.control.testruns import baseline_rows, surveying
from gatecrash.control.testruns.book import Book, open_book
from gatecrash.control.testruns.lease import holds
from gatecrash.control.testruns.models import TestRun
from gatecrash.core.auth.sessions import LearnedCookie
from gatecrash.core.message import Exchange
from gatecrash.core.reports.notes import kept
from gatecrash.core.testing.run_events import LookAgain
from gatecrash.wire.work import Acquaint, Acquainted

CHUNK = 100
MOST_BYTES = 8 * 1024 * 1024
MOST = 2000
MOST_LET_IN = 50
_HEADER = re.compile(r"[!#$%&'*+.^_`|~0-9A-Z-]{1,128}")


def acquaint(node: Node, message: Acquaint) -> Acquainted:
    """The next part of the record behind a place; of the first MOST exchanges, all that are no unsent requests of descriptions."""
    found = TestRun.objects.select_related("record").filter(id=message.run_id, node=node)
    row = found.first() if ids.is_shaped(message.run_id) else None
    if row is None or not holds(node, row, message.session, message.generation):
        return Acquainted(stale=True)
    if message.let_in:
        _learn(row.id, message.let_in[:MOST_LET_IN])
    if message.headers:
        _know(row.id, message.headers)
    if message.answered:
        _compare(row.id, message.answered)
    if message.notes:
        _note(row.id, message.notes)
    until = min(row.record.last_sequence, MOST)
    last, exchanges = _part(row.record_id, max(0, message.after), until)
    is_open = (row.record.recording or row.record.draining) and until < MOST
    compared = row.answered is not None
    return Acquainted(exchanges, last, more=last < until, open=is_open, compared=compared)


def _note(run_id: str, notes: tuple[str, ...]) -> None:
    with open_book(run_id) as book:
        if not book.run.ended:
            book.note(notes=kept(book.row.notes, notes))


def _compare(run_id: str, answered: tuple[Exchange, ...]) -> None:
    """Keep what the record's senders are answered, and look again who they are. A recording is looked at when it is over."""
    with open_book(run_id) as book:
        if book.run.ended or book.row.auth_profile_id is not None:
            return
        book.note(answered=surveying.sealed_answers(book.row, answered))
        book.apply(LookAgain())


def _learn(run_id: str, let_in: tuple[LearnedCookie, ...]) -> None:
    """Keep what lets in; where it was not known before, look again who was recorded. A recording is looked at when it is over."""
    with transaction.atomic():
        if not sessions.learn(one for one in let_in if one.likely):
            return
    with open_book(run_id) as book:
        _look_again(book)


def _know(run_id: str, headers: tuple[str, ...]) -> None:
    """The same for headers: they are of the run alone."""
    with open_book(run_id) as book:
        known = book.row.credential_headers
        fresh = [name for name in headers if _HEADER.fullmatch(name) and name not in known]
        if fresh:
            book.note(credential_headers=[*known, *fresh][:MOST_LET_IN])
            _look_again(book, anew=True)


def _look_again(book: Book, *, anew: bool = False) -> None:
    """Have the record asked once more who was recorded, where nobody is known. anew: also of those who sign in again, whose
    requests carried more than was known.
    """
    row, run = book.row, book.run
    if run.ended or row.auth_profile_id is not None or (row.recorded and not anew):
        return
    if not (run.recording or run.draining or row.recorded):
        book.note(recorded=None)
    book.apply(LookAgain())


def _part(record_id: str, after: int, until: int) -> tuple[int, tuple[Exchange, ...]]:
    """Exchanges up to a size, and the place of the last that was looked at."""
    last, size = after, 0
    exchanges: list[Exchange] = []
    for sequence, _, baseline in baseline_rows.after(record_id, after, until, CHUNK):
        response = baseline.response
        size += len(baseline.request.body) + (len(response.body) if response is not None else 0)
        if exchanges and size > MOST_BYTES:
            return last, tuple(exchanges)
        last = sequence
        if response is not None or not baseline.exchange.drafted:
            exchanges.append(baseline.exchange)
    return max(last, min(until, after + CHUNK)), tuple(exchanges)
