"""A schedule that is due: a run is begun, or it is said why none was. Both at once with its next time, so it happens once.

Nobody's work is broken off: while its last run, or any other of the same node, is not over, it is left out this time.
"""

import time
from typing import Any

from django.db import transaction

from gatecrash.control import news, wall
from gatecrash.control.accounts import audit
from gatecrash.control.api import fields
from gatecrash.control.api.caller import Caller
from gatecrash.control.api.errors import FieldErrors
from gatecrash.control.api.roles import Role
from gatecrash.control.nodes.models import Node
from gatecrash.control.nodes.queries import is_connected, there
from gatecrash.control.schedules.mapping import rhythm_of
from gatecrash.control.schedules.models import Schedule
from gatecrash.control.testruns import services as testruns
from gatecrash.control.testruns.bodies import NewRun
from gatecrash.control.testruns.heartbeats import AT_WORK
from gatecrash.control.testruns.mapping import to_run
from gatecrash.control.testruns.models import TestRun

MOST_FAILURES = 5
# Later than this a run is not begun: what was meant for the night must not begin at noon, nor from a restored backup.
LATE_SECONDS = 3600
STILL_RUNNING = "Its last run is not over yet."
# Why no run can be made of its order, by the field that was refused.
_GONE = {
    "test_record_id": "Its test record is gone, empty, or being recorded.",
    "policy_id": "Its test policy is gone.",
    "auth_profile_id": "Its auth profile is gone.",
    "node_id": "Its test node is gone.",
}


class _Skipped(Exception):
    """No run is begun this time. is_failure: the reason does not pass by itself."""

    def __init__(self, reason: str, *, is_failure: bool = True) -> None:
        super().__init__(reason)
        self.is_failure = is_failure


def run_due(schedule_id: str, at: int) -> None:
    """Do what is due of a schedule of the current client; nothing where another has done it already. at: UNIX seconds."""
    with transaction.atomic():
        rows = Schedule.objects.select_for_update()
        row = rows.filter(id=schedule_id, enabled=True, next_at__lte=at).first()
        if row is None:
            return
        if row.last_skip in ("", STILL_RUNNING):  # its last run has not been judged yet
            row.failures = _failures(row)
        try:
            run = _begin(row, at)
        except _Skipped as skipped:
            row.last_skip = str(skipped)
            row.failures += skipped.is_failure
            audit.record("schedule.skip", row.id, name=row.name, reason=row.last_skip)
        else:
            row.last_run_id, row.last_skip = run.id, ""
            audit.record("schedule.run", row.id, name=row.name, test_run_id=run.id)
        row.last_at, row.next_at = at, rhythm_of(row).after(at)
        row.save()
        if row.failures >= MOST_FAILURES:
            _pause(row)


def _begin(row: Schedule, at: int) -> TestRun:
    """A new run. Raises _Skipped."""
    if at - row.next_at > LATE_SECONDS:
        raise _Skipped("The service was down when it was due.", is_failure=False)
    last = TestRun.objects.filter(id=row.last_run_id).first() if row.last_run_id else None
    if last is not None and not to_run(last).ended:
        raise _Skipped(STILL_RUNNING, is_failure=False)
    node = _node(row.order["node_id"])
    if TestRun.objects.filter(AT_WORK, node=node).exists():
        raise _Skipped("Its test node is at work on another run.", is_failure=False)
    try:
        with transaction.atomic():
            order = fields.validate(NewRun, {**row.order, "name": row.name})
            return testruns.create_run(order, Caller(row.id, wall.required(), Role.CI, False, None, None))
    except FieldErrors as error:
        raise _Skipped(" ".join(_GONE.get(name, f"{name} is refused.") for name in error.problems)) from error


def _node(node_id: str | None) -> Node:
    """The node that is there to do it. Raises _Skipped."""
    node = there().filter(**({"id": node_id} if node_id else {"is_default": True})).first()
    if node is None:
        raise _Skipped("Its test node is gone.")
    if not is_connected(node, time.time()):
        raise _Skipped(f"Its test node {node.name} is silent.")
    found: Node = node
    return found


def _failures(row: Schedule) -> int:
    """The failures with what came of the last run: one more where it could test nothing, else none."""
    last = TestRun.objects.filter(id=row.last_run_id).first() if row.last_run_id else None
    if last is None or not to_run(last).ended:
        return row.failures
    came_to_nothing = last.interrupt_reason == "node_lost" or (last.technical > 0 and not last.passed + last.failed)
    return row.failures + 1 if came_to_nothing else 0


def _pause(row: Schedule) -> None:
    """Turn it off, and tell."""
    reason = row.last_skip or "Its last runs could test nothing."
    row.enabled, row.paused = False, f"{row.failures} times in a row it came to nothing. {reason}"
    row.save()
    audit.record("schedule.pause", row.id, name=row.name, reason=reason)
    news.tell(news.SCHEDULE_PAUSED, lambda: _told(row, reason))


def _told(row: Schedule, reason: str) -> news.News:
    data: dict[str, Any] = {"schedule_id": row.id, "name": row.name, "reason": reason, "failures": row.failures}
    return news.News(f"The schedule “{row.name}” is paused. {reason}", "/schedules/", data)
