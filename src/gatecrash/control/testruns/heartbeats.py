"""A node's heartbeat: its progress in, its orders out, in one transaction."""

from collections.abc import Iterable

import msgspec
from django.db import transaction
from django.db.models import Q

from gatecrash.control import ids
from gatecrash.control.inventory import sessions
from gatecrash.control.inventory.queries import config_version
from gatecrash.control.nodes import services as nodes
from gatecrash.control.nodes.models import Node
from gatecrash.control.testruns import check_rows, host_shares, lease, orders, starting
from gatecrash.control.testruns.book import Book
from gatecrash.control.testruns.mapping import merge_recent
from gatecrash.control.testruns.models import TestRecord, TestRun
from gatecrash.core.testing.run import ACTIVE
from gatecrash.core.testing.run_events import Drained, Progress, Status
from gatecrash.wire.session import MOST_LEARNED_TOLD, Heartbeat, Orders, RunOrder, RunProgress

AT_WORK = Q(state__in=[state.value for state in ACTIVE]) | Q(draining=True)
OPEN_RECORD = Q(recording=True) | Q(draining=True)
MOST_REMAINING = 1000


def beat(message: Heartbeat, token_id: str, now: float) -> Orders:
    """Take in how far the node is, and say what it is to do.

    Raises ApiError: 404 for an unknown node, 409 where another start of the node has taken over.
    """
    with transaction.atomic():
        node = nodes.known(message.node_id, token_id, lock=True)
        nodes.require_session(node, message.session)
        nodes.heard(node, message.now, now)
        said = {progress.run_id: progress for progress in message.runs if ids.is_shaped(progress.run_id)}
        sessions.learn(message.learned[:MOST_LEARNED_TOLD])
        ordered = (*_runs(node, said, now), *_records(node, said, now))
        wanted, rps = host_shares.divided(node, ordered, message.rps_per_host, now)
        version = config_version(node.client_id)
    fresh = orders.config(node.client_id) if version != message.config_version else None
    return Orders(now=now, runs=tuple(wanted), config=fresh, rps_per_host=rps)


def _runs(node: Node, said: dict[str, RunProgress], now: float) -> Iterable[RunOrder]:
    """The node's runs, and those that ended since it was last told: their last numbers still count."""
    mine = TestRun.objects.filter(AT_WORK | Q(id__in=list(said)), node=node)
    for row in mine.select_for_update().order_by("id"):
        book = Book(row, now)
        if not book.run.ended or book.run.draining:
            lease.take(book, node)
        if row.id in said:
            _hear(book, node, said[row.id])
        book.save()
        if not book.run.ended or book.run.draining:
            yield orders.of_run(row)


def _hear(book: Book, node: Node, progress: RunProgress) -> None:
    """Take in the node's word on one run. An old generation's numbers are no longer counted, its recording still is."""
    if progress.generation == book.run.generation and book.row.session == node.session:
        change = _remaining(book, progress) if not book.run.ended else 0
        book.apply(Progress(sent=progress.sent, remaining=change))
        if progress.recent or book.row.recent.get("seconds"):
            book.note(recent=merge_recent(book.row.recent, node.session, node.clock_offset, progress.recent, book.now))
    if book.run.recording:
        book.note(confirmed=progress.recording)
    if book.run.draining and not progress.recording and not progress.unsent_baselines:
        book.apply(Drained())


def _remaining(book: Book, progress: RunProgress) -> int:
    """Write what remains of each running check; how much the sum changed."""
    said = {name: left for name, left in progress.remaining[:MOST_REMAINING] if ids.is_shaped(name)}
    change = 0
    for row in check_rows.of_baselines(book.row.id, list(said)).values():
        left = max(0, said[row.baseline_id])
        if row.status is Status.IN_PROGRESS and row.remaining != left:
            change += left - row.remaining
            check_rows.write(book.row.id, msgspec.structs.replace(row, remaining=left))
    return change


def _records(node: Node, said: dict[str, RunProgress], now: float) -> Iterable[RunOrder]:
    """Records that are made without a run."""
    for row in TestRecord.objects.filter(OPEN_RECORD, node=node, recorder="").select_for_update().order_by("id"):
        progress = said.get(row.id)
        if row.start is not None and progress is not None and progress.start is not None:
            starting.hear(row, progress.start, now)
            if progress.start.ended:
                continue
        elif row.draining and progress and not progress.recording and not progress.unsent_baselines:
            TestRecord.objects.filter(id=row.id).update(draining=False)
            continue
        if row.recording and progress and row.confirmed != progress.recording:
            TestRecord.objects.filter(id=row.id).update(confirmed=progress.recording)
        yield orders.of_record(row)
