"""A schedule's rhythm, and a schedule as the API shows it."""

from typing import Any

from gatecrash.control.schedules.models import Schedule
from gatecrash.control.schedules.rhythm import Rhythm


def rhythm_of(row: Schedule) -> Rhythm:
    """When it is due."""
    return Rhythm(row.rhythm, row.hour, row.weekday, row.hours, row.anchor)


def shown(row: Schedule) -> dict[str, Any]:
    """A schedule as the API shows it: of hour, weekday and hours those that its rhythm has."""
    return {
        "id": row.id,
        "name": row.name,
        "rhythm": row.rhythm,
        "hour": None if row.rhythm == "hours" else row.hour,
        "weekday": row.weekday if row.rhythm == "weekly" else None,
        "hours": row.hours if row.rhythm == "hours" else None,
        "enabled": row.enabled,
        "source_run_id": row.source_run_id,
        "order": row.order,
        "next_at": row.next_at if row.enabled else None,
        "last_at": row.last_at,
        "last_run_id": row.last_run_id or None,
        "last_skip": row.last_skip,
        "failures": row.failures,
        "paused": row.paused,
        "created_at": row.created_at,
        "updated_at": row.updated_at,
    }
