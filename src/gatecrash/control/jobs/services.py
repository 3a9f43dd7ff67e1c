"""Background work leased from rows, by any number of workers, on both databases.

Our own, because no kept library does this on SQLite and PostgreSQL with leases, and it is small: a worker takes a row
by a conditional update on what it read, so two workers never both succeed; a worker that dies loses its lease by time.
"""

import time
from collections.abc import Iterable

from django.db import IntegrityError, transaction
from django.db.models import F

from gatecrash.control import bulk_sql
from gatecrash.control.jobs.models import Job
from gatecrash.control.jobs.registry import Handler

CANDIDATES = 8
RETRY_FIRST_SECONDS = 1.0
RETRY_MOST_SECONDS = 300.0
ERROR_KEPT = 1000
# Asked four times a second, nearly always for nothing: Django would take ten times as long to put it into words.
_DUE = "SELECT 1 FROM jobs_job WHERE run_at <= %s AND lease_until <= %s LIMIT 1"


def enqueue(name: str, *, client_id: str = "", key: str = "", run_at: float | None = None) -> None:
    """Ask for a job, at once or at a time; asked twice before it ran, it runs once, at the earlier time.

    Part of the caller's transaction: rolled back with it, and seen by workers when it commits. Asked for while it
    runs, it runs once more afterwards.
    """
    due = time.time() if run_at is None else run_at
    if _ask_again(name, client_id, key, due):
        return
    try:
        with transaction.atomic():
            Job.objects.create(name=name, client_id=client_id, key=key, run_at=due)
    except IntegrityError:  # another asked in between
        _ask_again(name, client_id, key, due)


def ensure_periodic(handlers: Iterable[Handler]) -> None:
    """Make a row for every periodic job."""
    for handler in handlers:
        if not handler.every:
            continue
        row, made = Job.objects.get_or_create(
            name=handler.name, client_id="", key="", defaults={"run_at": time.time(), "every": handler.every}
        )
        if not made and row.every != handler.every:
            Job.objects.filter(id=row.id).update(every=handler.every)


def lease(handlers: dict[str, Handler], now: float) -> Job | None:
    """A due job that this worker alone now holds, or None."""
    if not bulk_sql.select(_DUE, (now, now)):
        return None
    due = Job.objects.filter(run_at__lte=now, lease_until__lte=now, name__in=handlers).order_by("run_at")
    for job in due[:CANDIDATES]:
        until = now + handlers[job.name].lease
        taken = Job.objects.filter(id=job.id, lease_until=job.lease_until, run_at=job.run_at, wanted=job.wanted)
        if taken.update(lease_until=until):
            job.lease_until = until
            return job
    return None


def finish(job: Job, now: float) -> None:
    """The job is done: a periodic one waits for its next time, another goes unless it was asked for again meanwhile."""
    held = Job.objects.filter(id=job.id, lease_until=job.lease_until)
    if job.every:
        held.update(run_at=now + job.every, lease_until=0, attempts=0, last_error="")
    elif not held.filter(wanted=job.wanted).delete()[0]:
        held.update(lease_until=0, attempts=0, last_error="")


def fail(job: Job, now: float, error: BaseException) -> None:
    """The job broke: it is tried again, later each time. Its error stays on the row for `check` to show."""
    wait = min(RETRY_FIRST_SECONDS * 2 ** min(job.attempts, 20), RETRY_MOST_SECONDS)
    text = f"{type(error).__name__}: {error}"[:ERROR_KEPT].replace("\x00", "")
    Job.objects.filter(id=job.id, lease_until=job.lease_until).update(
        run_at=now + wait, lease_until=0, attempts=F("attempts") + 1, last_error=text
    )


def _ask_again(name: str, client_id: str, key: str, due: float) -> bool:
    """Note another wish for a job that has a row; the earlier time counts."""
    rows = Job.objects.filter(name=name, client_id=client_id, key=key)
    later = rows.filter(run_at__gt=due).update(wanted=F("wanted") + 1, run_at=due)
    return bool(later or rows.update(wanted=F("wanted") + 1))
