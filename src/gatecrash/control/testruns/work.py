"""The background work of runs: cloning, purging, and what happens when nothing happens."""

import time
from collections.abc import Iterable

import msgspec
from django.conf import settings
from django.db import transaction
from django.db.models import F, Q

from gatecrash.control import wall
from gatecrash.control.jobs.registry import job
from gatecrash.control.jobs.worker import working_since
from gatecrash.control.nodes.queries import CONNECTED_SECONDS
from gatecrash.control.testruns import (
    baseline_rows,
    check_rows,
    planning,
    recording,
    reopening,
    services,
    surveying,
    waves,
)
from gatecrash.control.testruns.book import CLONE, SURVEY, Book, open_book
from gatecrash.control.testruns.heartbeats import AT_WORK, OPEN_RECORD
from gatecrash.control.testruns.models import TestRecord, TestRun
from gatecrash.control.testruns.planning import Plan, Planner
from gatecrash.core.reports.notes import looked_again
from gatecrash.core.testing.run import ACTIVE, State
from gatecrash.core.testing.run_events import (
    CloneFinished,
    Command,
    Drained,
    Event,
    Interrupt,
    Listened,
    Reason,
    Status,
    StopRecording,
    Surveyed,
    UsersKnown,
)

CHUNK = 100
AT_ONCE = 200
# What a node gets to be heard again after the service, or its database, was away: it tries again after 15 seconds at most.
RETURN_SECONDS = 30


@job(CLONE, lease=300)
def clone(run_id: str) -> None:
    """Make a copy's checks, a chunk in each transaction. Killed and begun again, it goes on where its last commit was."""
    _survey(run_id)
    while _clone_chunk(run_id):
        pass


@job(SURVEY, lease=300)
def survey_record(run_id: str) -> None:
    """Look who was recorded, for a run whose recording is over; what was tested before that is tested as them, too."""
    looked = _survey(run_id)
    last: int | None = 0
    while last is not None:
        last = reopening.next_chunk(run_id, last, CHUNK)
    with open_book(run_id) as book:
        if _is_to_look_again(book, looked):
            book.do((Command.SURVEY_RECORD,))
            return
        book.apply(Surveyed())
        last = 0 if book.row.recorded and not book.run.ended else None
    while last is not None:
        last = reopening.next_forecasts(run_id, last, CHUNK)


def _is_to_look_again(book: Book, looked: frozenset[str] | None) -> bool:
    """Whether the last baselines were refused while the record was looked at without them."""
    is_over = book.run.ended or book.run.waiting + book.run.running > 0 or not book.row.sessions_over
    return looked is not None and not is_over and not check_rows.refused(book.row.id) <= looked


def _survey(run_id: str) -> frozenset[str] | None:
    """Note what the record tells as a whole: once a run, and again where its sessions are over at the target.

    The baselines known to be refused then; None where nobody had to look.
    """
    row = TestRun.objects.select_related("record").filter(id=run_id).first()
    if row is None or not _is_to_be_surveyed(row):
        return None
    looked = check_rows.refused(run_id) if row.sessions_over else frozenset()
    found = surveying.survey(row)
    with open_book(run_id) as book:
        if book.run.ended or (book.row.recorded is not None and not (found.again or _is_compared(row))):
            return looked
        book.note(notes=looked_again(book.row.notes, found.notes))
        if surveying.is_known(book.row, found):
            return looked
        book.note(recorded=found.recorded, bare=found.bare)
        if book.row.auth_profile_id is None:
            known = book.row.user_count  # as many as a description let the node in as
            book.note(user_count=found.count if known is None else max(known, found.count or 0))
        if found.recorded and book.run.state is not State.CLONING:
            book.apply(UsersKnown())
            _mark_due(row, again=found.again)
    return looked


def _mark_due(row: TestRun, *, again: bool) -> None:
    """What is tested anew, now that the users are known. With a profile tests as others were made; only what one of its
    identities was refused is made as another one that had sent it.
    """
    if row.auth_profile_id is not None:
        check_rows.mark_anothers_due(row.id)
        return
    check_rows.mark_users_due(row.id)
    check_rows.mark_half(row.id)
    if again:
        check_rows.mark_refused_due(row.id)


def _is_to_be_surveyed(row: TestRun) -> bool:
    if row.recorded is None:
        return True
    if row.auth_profile_id is not None:
        return False
    if surveying.signs_in(row):
        return row.users_due and bool(row.credential_headers)
    return row.sessions_over or _is_compared(row)


def _is_compared(row: TestRun) -> bool:
    """Whether a node has told what the record's senders are answered, and nobody has looked at it yet."""
    return row.answered is not None and row.users_due


def _clone_chunk(run_id: str) -> bool:
    """Clone the next chunk; False when there is no more to do."""
    row = TestRun.objects.filter(id=run_id, state=State.CLONING.value).first()
    if row is None:
        return False
    batch = baseline_rows.after(row.record_id, row.clone_from, row.clone_until, CHUNK)
    plans = Planner(row).plan(baseline for _, _, baseline in batch)
    with open_book(run_id) as book:
        if book.run.state is not State.CLONING:
            return False
        if book.row.clone_from == row.clone_from:
            _clone(book, [(number, digest, plan) for (number, digest, _), plan in zip(batch, plans, strict=True)])
    return book.run.state is State.CLONING


def _clone(book: Book, batch: list[tuple[int, str, Plan]]) -> None:
    only = book.row.clone_only
    taken = [each for each in batch if only is None or each[0] in only]
    if batch:
        book.note(clone_from=batch[-1][0])
    if taken:
        first = taken[0][0]
        plans = [_with_digest(plan, digest) for _, digest, plan in taken]
        marked = recording.marked(book.row.record_id, first, plans)
        made = [
            row
            for (number, _, _), pair in zip(taken, marked, strict=True)
            for row in planning.checks(book.row, number, [pair], Status.WAITING)
        ]
        rows = waves.in_waves(book.row.id, made)
        check_rows.store(book.row.id, rows)
        book.apply(recording.stored_event(rows))
        book.note(domains=recording.with_domains(book.row.domains, plans))
    if len(batch) < CHUNK:
        book.apply(CloneFinished())


def _with_digest(plan: Plan, digest: str) -> Plan:
    """The digest as it was at recording: the client's parameters may have changed since."""
    return msgspec.structs.replace(plan, duplicate=digest)


@job(services.PURGE, lease=300)
def purge_record(record_id: str) -> None:
    """Delete a deleted record's baselines, a chunk in each transaction."""
    while True:
        with transaction.atomic():
            if baseline_rows.delete(record_id, CHUNK) == 0:
                return


@job("watch_runs", every=2)
def watch_runs(_key: str) -> None:
    """What no event announces: idle recordings, nodes that are gone while they drain, nodes that are lost."""
    now = time.time()
    if TestRun.objects.filter(AT_WORK | Q(recording=True)).exists():  # where nothing is, one question instead of five
        _apply_each(_idle(now), StopRecording())
        _apply_each(_gone(now), Drained())
        _apply_each(_lost(now), Interrupt(Reason.NODE_LOST))
        _apply_each(_listened(now), Listened())
        _not_ready(now)
    if TestRecord.objects.filter(OPEN_RECORD).exists():
        _stop_idle_records(now)


def _apply_each(rows: Iterable[tuple[str, str]], event: Event) -> None:
    """Apply an event to runs of any client; each is looked at again under its lock."""
    for client_id, run_id in rows:
        with wall.client(client_id), open_book(run_id) as book:
            if _still(book, event):
                book.apply(event)


def _still(book: Book, event: Event) -> bool:
    """Whether what was read before the lock still holds."""
    now = book.now
    node = book.row.node
    last_seen = node.last_seen or 0.0
    if isinstance(event, StopRecording):
        return book.run.recording and book.row.record.heard_at <= now - book.row.inactivity_timeout
    if isinstance(event, Drained):
        since = max(last_seen, book.row.record.stopped_at or 0.0)
        return book.run.draining and since <= now - CONNECTED_SECONDS and not _may_return(last_seen, now)
    if isinstance(event, Listened):
        return not book.run.ended and book.run.listening_until <= now
    return not book.run.ended and max(last_seen, working_since()) <= now - settings.NODE_TIMEOUT


def _may_return(last_seen: float, now: float) -> bool:
    """Whether a silent node may only not have been heard: nobody listened until a moment ago."""
    return last_seen < working_since() > now - RETURN_SECONDS


def _idle(now: float) -> list[tuple[str, str]]:
    rows = TestRun.objects.filter(recording=True, record__heard_at__lte=now - F("inactivity_timeout"))
    return list(rows.values_list("client_id", "id")[:AT_ONCE])


def _gone(now: float) -> list[tuple[str, str]]:
    limit = now - CONNECTED_SECONDS
    silent = Q(node__last_seen=None) | Q(node__last_seen__lte=limit)
    rows = TestRun.objects.filter(silent, draining=True, record__stopped_at__lte=limit)
    return list(rows.values_list("client_id", "id")[:AT_ONCE])


def _lost(now: float) -> list[tuple[str, str]]:
    limit = now - settings.NODE_TIMEOUT
    if working_since() > limit:  # what a node said while the service was away, or the machine slept, nobody heard
        return []
    silent = Q(node__last_seen=None) | Q(node__last_seen__lte=limit)
    rows = TestRun.objects.filter(silent, state__in=[state.value for state in ACTIVE], created_at__lte=limit)
    return list(rows.values_list("client_id", "id")[:AT_ONCE])


def _listened(now: float) -> list[tuple[str, str]]:
    """Runs that nothing holds any more but the time for which somebody might still call."""
    rows = TestRun.objects.filter(
        state=State.RUNNING.value,
        listening_until__gt=0,
        listening_until__lte=now,
        recording=False,
        draining=False,
        waiting=0,
        running=0,
    )
    return list(rows.values_list("client_id", "id")[:AT_ONCE])


def _not_ready(now: float) -> None:
    """A node that is silent is not ready for recording, whatever it said last."""
    limit = now - CONNECTED_SECONDS
    rows = TestRun.objects.filter(confirmed=True, recording=True, node__last_seen__lte=limit)
    for client_id, run_id in list(rows.values_list("client_id", "id")[:AT_ONCE]):
        with wall.client(client_id), open_book(run_id) as book:
            if (book.row.node.last_seen or 0.0) <= limit:
                book.note(confirmed=False)


def _stop_idle_records(now: float) -> None:
    """The same timeouts for records that are made without a run."""
    limit = now - CONNECTED_SECONDS
    alone = TestRecord.objects.filter(recorder="")
    idle = alone.filter(recording=True, heard_at__lte=now - F("inactivity_timeout"))
    for client_id, record_id in list(idle.values_list("client_id", "id")[:AT_ONCE]):
        with wall.client(client_id), transaction.atomic():
            record = TestRecord.objects.select_for_update().get(id=record_id)
            if record.recording and record.heard_at <= now - record.inactivity_timeout:
                services.close_record(record, now)
    silent = Q(node__last_seen=None) | Q(node__last_seen__lte=limit)
    gone = alone.filter(silent, draining=True, stopped_at__lte=limit)
    for client_id, record_id, last_seen in list(gone.values_list("client_id", "id", "node__last_seen")[:AT_ONCE]):
        if _may_return(last_seen or 0.0, now):
            continue
        with wall.client(client_id):
            TestRecord.objects.filter(id=record_id, draining=True).update(draining=False)
