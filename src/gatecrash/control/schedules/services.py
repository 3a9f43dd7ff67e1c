"""Changes to schedules."""

from typing import Any

from django.db import transaction

from gatecrash.control import ids, wall
from gatecrash.control.accounts import audit
from gatecrash.control.accounts.models import Client
from gatecrash.control.api.errors import FieldErrors, problem
from gatecrash.control.clock import now
from gatecrash.control.ids import Prefix
from gatecrash.control.schedules import queries
from gatecrash.control.schedules.mapping import rhythm_of
from gatecrash.control.schedules.models import Schedule
from gatecrash.control.testruns.models import TestRun

MOST = 100
# What a run is made of besides its name: these fields of a new one.
COPIED = (
    "desc", "policy_id", "auth_profile_id", "target_url", "rps", "rps_per_baseline", "inactivity_timeout", "node_id",
    "skip_duplicated_baselines", "stop_on_first_fail", "file_extensions_to_exclude",
)  # fmt: skip
TAG = "scheduled"
_RHYTHM = ("rhythm", "hour", "weekday", "hours")


def create(wanted: dict[str, Any]) -> Schedule:
    """A schedule of the current client. wanted: validated fields. Raises FieldErrors at the limit."""
    with transaction.atomic():
        Client.objects.select_for_update().get(id=wall.required())  # one after the other, so that the limit holds
        if Schedule.objects.count() >= MOST:
            raise FieldErrors({"name": problem("out_of_range", wanted["name"], max=MOST)})
        moment = now()
        row = Schedule(id=ids.new(Prefix.SCHEDULE), created_at=moment)
        _write(row, wanted, moment)
        row.save(force_insert=True)
        audit.record("schedule.create", row.id, name=row.name, rhythm=rhythm_of(row).words)
    return row


def change(row: Schedule, wanted: dict[str, Any]) -> Schedule:
    """Change the given fields; one that is turned on again begins with no failures."""
    with transaction.atomic():
        row = Schedule.objects.select_for_update().get(id=row.id)
        _write(row, wanted, now())
        row.save()
        audit.record("schedule.change", row.id, name=row.name, rhythm=rhythm_of(row).words, fields=sorted(wanted))
    return row


def delete(row: Schedule) -> bool:
    """Remove a schedule, false where another has done so already; its runs stay."""
    with transaction.atomic():
        removed = bool(row.delete()[0])
        if removed:
            audit.record("schedule.delete", row.id, name=row.name)
    return removed


def _write(row: Schedule, wanted: dict[str, Any], moment: int) -> None:
    is_new, turned_on = row.next_at is None, wanted.get("enabled", row.enabled) and not row.enabled
    is_due_anew = is_new or turned_on or any(name in wanted for name in _RHYTHM)
    for name in ("name", "enabled", *_RHYTHM):
        setattr(row, name, wanted.get(name, getattr(row, name)))
    if "test_run_id" in wanted:
        run, reason = queries.source(wanted["test_run_id"])
        if run is None or reason:  # it changed since it was checked
            raise FieldErrors({"test_run_id": problem("invalid_value", wanted["test_run_id"], message=reason)})
        row.source_run_id, row.order = run.id, order_of(run)
    if is_due_anew:
        row.anchor = moment
        row.next_at = rhythm_of(row).after(moment)
    if row.enabled:
        row.failures, row.paused = 0, ""
    row.updated_at = moment


def order_of(run: TestRun) -> dict[str, Any]:
    """The fields of a new run like this one, over its record."""
    tags = list(dict.fromkeys([*run.tags, TAG]))[:100]
    return {**{name: getattr(run, name) for name in COPIED}, "test_record_id": run.record_id, "tags": tags}
