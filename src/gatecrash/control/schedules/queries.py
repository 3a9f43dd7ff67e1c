"""Reads of schedules, and of the runs that may be repeated."""

from typing import Any

from gatecrash.control import ids
from gatecrash.control.schedules.models import Schedule
from gatecrash.control.testruns.mapping import to_run
from gatecrash.control.testruns.models import TestRun
from gatecrash.core.testing.run import ACTIVE

MOST_OFFERED = 100


def rows() -> Any:
    """The client's schedules by name."""
    return Schedule.objects.order_by("name", "id")


def find(schedule_id: str) -> Schedule | None:
    """The row of one of the current client; None where there is none."""
    found: Schedule | None = rows().filter(id=schedule_id).first() if ids.is_shaped(schedule_id) else None
    return found


def source(run_id: str) -> tuple[TestRun | None, str]:
    """The run that a schedule is to repeat, and why it cannot; the reason is empty where it can."""
    row = TestRun.objects.select_related("record").filter(id=run_id).first() if ids.is_shaped(run_id) else None
    if row is None:
        return None, "There is no test run with this identifier."
    if not to_run(row).ended:
        return row, "The run is not over yet."
    if row.clone_only is not None:
        return row, "The run tested a part of its record only."
    if row.record.deleted_at is not None:
        return row, "Its test record is deleted."
    return row, ""


def offered() -> Any:
    """The runs that may be repeated, the newest first."""
    over = TestRun.objects.exclude(state__in=[state.value for state in ACTIVE])
    return over.filter(clone_only__isnull=True, record__deleted_at=None).order_by("-created_at", "-id")[:MOST_OFFERED]
