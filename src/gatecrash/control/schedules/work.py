"""The background work of schedules."""

import logging

from django.db import DatabaseError

from gatecrash.control import wall
from gatecrash.control.clock import now
from gatecrash.control.jobs.registry import job
from gatecrash.control.schedules import running
from gatecrash.control.schedules.models import Schedule

log = logging.getLogger(__name__)

AT_ONCE = 100


@job("run_schedules", every=15, lease=120)
def run_schedules(_key: str) -> None:
    """What is due of any client, each in its own transaction: one that breaks must not keep the others from running."""
    at = now()
    due = Schedule.objects.filter(enabled=True, next_at__lte=at).order_by("next_at", "id")
    for client_id, schedule_id in list(due.values_list("client_id", "id")[:AT_ONCE]):
        try:
            with wall.client(client_id):
                running.run_due(schedule_id, at)
        except DatabaseError:
            raise
        except Exception:
            log.exception("the schedule %s failed", schedule_id)
