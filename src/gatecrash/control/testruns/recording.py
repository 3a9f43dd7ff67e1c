"""Baselines coming in from a node: stored once, planned for the run that records, acknowledged after the commit.

A baseline is taken whatever became of its run: one that was recorded before the stop and arrives after it is stored,
and one whose run has ended is kept in the record with an interrupted check. Nothing recorded is lost.
"""

import time
from collections.abc import Sequence

import msgspec
from django.db import transaction

from gatecrash.control import ids
from gatecrash.control.findings.services import plain
from gatecrash.control.inventory import sessions
from gatecrash.control.nodes.models import Node
from gatecrash.control.profiles.queries import identities
from gatecrash.control.testruns import baseline_rows, check_rows, planning, waves
from gatecrash.control.testruns.book import Book
from gatecrash.control.testruns.models import TestRecord, TestRun
from gatecrash.control.testruns.planning import Plan, Planner
from gatecrash.core.message import Request
from gatecrash.core.testing.authorization.callers.oneself import asks_about_oneself
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.effects.sign_out import signs_out
from gatecrash.core.testing.profiles.recorded_logins import signed_in
from gatecrash.core.testing.run_events import Status, Stored
from gatecrash.formats.draft import unpacked
from gatecrash.wire.work import Recorded
from gatecrash.wire.work import Stored as Receipt

MOST_DOMAINS = 1000
_SEVERAL = 2


def record(node: Node, message: Recorded) -> Receipt:
    """Store what the node recorded; the receipt names what is on disk now, and what will never be taken."""
    record_row = TestRecord.objects.filter(id=message.record_id).first() if ids.is_shaped(message.record_id) else None
    if record_row is None or record_row.node_id != node.id:
        names = (*(item.id for item in message.baselines), *(name for name, _ in message.drafts))
        return Receipt(refused=tuple((name, "there is no such record on this node") for name in names))
    told = (*message.baselines, *(Baseline(name, unpacked(draft)) for name, draft in message.drafts))
    good = {item.id: item for item in told if ids.is_shaped(item.id)}
    refused = tuple((item.id, "this is no identifier") for item in told if item.id not in good)
    run = TestRun.objects.filter(id=record_row.recorder).first() if record_row.recorder else None
    add(record_row, run, tuple(good.values()))
    return Receipt(stored=tuple(good), refused=refused)


def add(record_row: TestRecord, run: TestRun | None, baselines: Sequence[Baseline]) -> None:
    """Store baselines that the record does not have yet, with their checks where a run records."""
    now = time.time()
    planner = Planner(run)
    plans = planner.plan(baselines)
    sealed = {plan.baseline.id: _seal(record_row.id, plan, now) for plan in plans}
    with transaction.atomic():
        locked = TestRun.objects.select_for_update().get(id=run.id) if run else None
        record_row = TestRecord.objects.select_for_update().get(id=record_row.id)
        known = baseline_rows.known(record_row.id, list(sealed))
        fresh = [plan for plan in plans if plan.baseline.id not in known]
        if not fresh:
            return
        first = record_row.last_sequence + 1
        if locked is not None:
            _check(locked, record_row.id, first, fresh, now)
        baseline_rows.store(record_row.id, first, [sealed[plan.baseline.id] for plan in fresh])
        _count(record_row, fresh, now)
    # In a transaction of its own: heartbeats take the rows of sessions and runs in another order.
    if learned := planner.learned():
        with transaction.atomic():
            sessions.learn(learned)


def _seal(record_id: str, plan: Plan, now: float) -> baseline_rows.Sealed:
    recorded_at = int(plan.baseline.exchange.started or now)
    return baseline_rows.seal(record_id, plan.baseline, plan.url, plan.duplicate, recorded_at)


def _check(row: TestRun, record_id: str, first: int, fresh: Sequence[Plan], now: float) -> None:
    """Make the checks of new baselines and tell the run."""
    book = Book(row, now)
    open_as = Status.INTERRUPTED if book.run.ended else Status.WAITING
    rows = waves.in_waves(row.id, planning.checks(row, first, marked(record_id, first, fresh), open_as))
    check_rows.store(row.id, rows)
    book.apply(msgspec.structs.replace(stored_event(rows), users=_may_show_users(book, fresh)))
    book.note(domains=with_domains(row.domains, fresh))
    book.save()


def _may_show_users(book: Book, fresh: Sequence[Plan]) -> bool:
    """Whether not all came with the same credentials, or somebody signed in, signed out or was told about himself; with a
    profile of one identity it does not matter who was recorded.
    """
    if book.row.auth_profile_id is not None and len(identities(book.row.auth_profile_id)) < _SEVERAL:
        return False
    seen = {plan.whose for plan in fresh if plan.whose}
    book.note(whose=book.row.whose or next((plan.whose for plan in fresh if plan.whose), ""))
    return bool(seen - {book.row.whose}) or any(_names_its_user(plan.baseline.request) for plan in fresh)


def _names_its_user(request: Request) -> bool:
    return signs_out(request) or bool(signed_in(request)) or asks_about_oneself(request)


def marked(record_id: str, first: int, plans: Sequence[Plan]) -> list[tuple[Plan, bool]]:
    """Each plan with whether the record, or the plans before it, hold an identical baseline."""
    seen = baseline_rows.known_duplicates(record_id, sorted({plan.duplicate for plan in plans}), first)
    result = []
    for plan in plans:
        result.append((plan, plan.duplicate in seen))
        seen.add(plan.duplicate)
    return result


def stored_event(rows: Sequence[check_rows.CheckRow]) -> Stored:
    """What new checks mean for the run's counters."""
    skipped = sum(row.status is Status.SKIPPED for row in rows)
    return Stored(len(rows) - skipped, skipped, sum(row.remaining for row in rows))


def with_domains(domains: list[str], plans: Sequence[Plan]) -> list[str]:
    """The names the baselines were aimed at, each once, in the order of recording."""
    return list(dict.fromkeys([*domains, *(plain(plan.baseline.request.host) for plan in plans)]))[:MOST_DOMAINS]


def _count(record_row: TestRecord, fresh: Sequence[Plan], now: float) -> None:
    TestRecord.objects.filter(id=record_row.id).update(
        last_sequence=record_row.last_sequence + len(fresh),
        baseline_count=record_row.baseline_count + len(fresh),
        domains=with_domains(record_row.domains, fresh),
        heard_at=now,
    )
