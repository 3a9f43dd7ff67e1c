"""Reads of runs, records and baselines."""

import threading
import time
from collections.abc import Callable, Collection, Sequence
from typing import Any

from gatecrash.control.findings import queries as findings
from gatecrash.control.testruns import baseline_rows, check_rows, parts
from gatecrash.control.testruns.check_rows import CheckRow
from gatecrash.control.testruns.heartbeats import AT_WORK, OPEN_RECORD
from gatecrash.control.testruns.mapping import to_run
from gatecrash.control.testruns.models import TestRecord, TestRun
from gatecrash.control.web_threads import MOST_WAITERS
from gatecrash.core.testing.run import ACTIVE, Run
from gatecrash.core.testing.run_events import Status, effective_status

LOOK_SECONDS = 0.25
# A node hands over its last baselines with its next heartbeats, half a second apart while it has a run, else two.
DRAIN_SECONDS = 5.0
# Each waiter holds a thread and a connection; who finds no place is answered at once and asks again.
_places = threading.BoundedSemaphore(MOST_WAITERS)
# Places of its own for a copy, which those who wait for runs would else keep from a record that is ready in a moment.
_draining = threading.BoundedSemaphore(MOST_WAITERS)


def run(run_id: str) -> Run:
    """The core's value of a run of the current client."""
    return to_run(TestRun.objects.get(id=run_id))


def record(record_id: str) -> TestRecord | None:
    """A record of the current client that was not deleted."""
    return TestRecord.objects.filter(id=record_id, deleted_at=None).first()


def signing_in_by(profile_id: str) -> list[str]:
    """The runs at work that sign in by an auth profile."""
    at_work = TestRun.objects.filter(state__in=[state.value for state in ACTIVE], auth_profile_id=profile_id)
    return list(at_work.order_by("id").values_list("id", flat=True))


def reading_as(profile_id: str) -> list[str]:
    """The records that are read from an address by whom an auth profile signs in."""
    read = TestRecord.objects.filter(recording=True, deleted_at=None, start__auth_profile_id=profile_id)
    return list(read.order_by("id").values_list("id", flat=True))


def waiting_for(node_ids: Collection[str]) -> dict[str, list[str]]:
    """The runs and records that are not over and wait for one of these nodes, by node."""
    runs = TestRun.objects.filter(AT_WORK, node__in=node_ids)
    records = TestRecord.objects.filter(OPEN_RECORD, node__in=node_ids, recorder="", deleted_at=None)
    found: dict[str, list[str]] = {}
    for rows in (runs, records):
        for node_id, one in rows.order_by("id").values_list("node_id", "id"):
            found.setdefault(node_id, []).append(one)
    return found


def why_not_copied(row: TestRecord | None) -> str:
    """Why a run cannot be made over a record, as an error code; empty where it can."""
    if row is None or row.deleted_at is not None:
        return "not_found"
    if row.recording or row.draining:
        return "not_ready_for_cloning"
    return "" if row.baseline_count else "empty_test_record"


def settled_record(record_id: str) -> TestRecord | None:
    """A record; where recording is over, its node's last baselines are waited for, a few seconds at most.

    Who has stopped recording may copy or delete at once (contract 2.9); only what is still recorded is not ready.
    """
    row = record(record_id)
    if row is None or not row.draining:
        return row
    handed_over = TestRecord.objects.filter(id=record_id, draining=False)
    return record(record_id) if _held(_draining, handed_over.exists, DRAIN_SECONDS) else row


def wait_for_change(row: TestRun, seconds: int) -> TestRun:
    """The run as soon as it changed, or after so many seconds; at once where it has ended or all places are taken."""
    changed = TestRun.objects.filter(id=row.id).exclude(revision=row.revision)
    if to_run(row).ended or not _held(_places, changed.exists, seconds):
        return row
    return TestRun.objects.get(id=row.id)


def _held(places: threading.BoundedSemaphore, is_over: Callable[[], bool], seconds: float) -> bool:
    """Look until it is over, or for so many seconds; false where all places are taken and nothing was looked at."""
    if not places.acquire(blocking=False):
        return False
    try:
        until = time.monotonic() + seconds
        while time.monotonic() < until and not is_over():
            time.sleep(LOOK_SECONDS)
    finally:
        places.release()
    return True


def runs(state: str | None, name: str | None) -> Any:
    """The client's runs, the newest first. name: a part of it, without case."""
    rows = TestRun.objects.order_by("-created_at", "-id")
    if state is not None:
        rows = rows.filter(state=state)
    return rows.filter(name__icontains=name) if name is not None else rows


def records(name: str | None) -> Any:
    """The client's records, the newest first."""
    rows = TestRecord.objects.filter(deleted_at=None).order_by("-created_at", "-id")
    return rows.filter(name__icontains=name) if name is not None else rows


def baselines(row: TestRun, limit: int, offset: int) -> list[dict[str, Any]]:
    """A part of the run's baselines with their statuses, in the order of recording."""
    return shown(row, check_rows.page(row.id, limit, offset))


def shown(row: TestRun, checks: Sequence[CheckRow]) -> list[dict[str, Any]]:
    """Baselines of the run with their statuses, in the order of their checks."""
    heads = baseline_rows.heads(row.record_id, [check.baseline_id for check in checks])
    found = findings.ids_by_baseline(row.id, [check.baseline_id for check in checks if check.found])
    has_ended = to_run(row).ended
    return [_baseline(check, heads.get(check.baseline_id), found, has_ended=has_ended) for check in checks]


def _baseline(
    check: CheckRow, head: baseline_rows.Head | None, found: dict[str, list[str]], *, has_ended: bool
) -> dict[str, Any]:
    status = effective_status(check.status, found=check.found, run_ended=has_ended)
    return {
        "id": check.baseline_id,
        "method": head.method if head else None,
        "url": head.url if head else None,
        "status": status.value,
        "reason": check.reason if status is Status.ERROR else None,
        "detail": parts.shown(check, run_ended=has_ended),
        "sent": check.sent_before + check.sent,
        "remaining": 0 if has_ended else check.remaining,
        "inconclusive": check.inconclusive,
        "vulnerabilities": found.get(check.baseline_id, []),
    }
