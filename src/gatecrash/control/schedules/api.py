"""Schedules: list, read, make, change, delete."""

# ruff: noqa: ARG001 - ninja reads path parameters from the arguments' names; the gate has looked them up already

from django.http import HttpRequest
from ninja import Query, Router

from gatecrash.control.api import fields
from gatecrash.control.api.caller import Caller, found
from gatecrash.control.api.envelope import Answer, ok
from gatecrash.control.api.gate import identifier, still_there
from gatecrash.control.api.operation import operation
from gatecrash.control.api.roles import EDIT, READ
from gatecrash.control.schedules import queries, services
from gatecrash.control.schedules.bodies import Deleted, NewSchedule, ScheduleChange, ScheduleList, ScheduleView
from gatecrash.control.schedules.mapping import shown
from gatecrash.control.schedules.models import Schedule

router = Router(tags=["schedules"])


@identifier("schedule_id")
def load(_caller: Caller, value: str) -> Schedule | None:
    """The schedule of a path."""
    return queries.find(value)


@router.get("/schedule", **operation(READ, ScheduleList, query=True, summary="List schedules"))
def list_schedules(request: HttpRequest, wanted: Query[fields.Page]) -> Answer:
    """The client's schedules by name."""
    part, total = fields.page(queries.rows(), wanted)
    return ok({"objects": [shown(row) for row in part], "total": total})


@router.post("/schedule", **operation(EDIT, ScheduleView, body=True, summary="Make a schedule"))
def create(request: HttpRequest, body: NewSchedule) -> Answer:
    """Have a run that is over begun again and again, over its record and with its settings."""
    return ok(shown(services.create(body.model_dump())))


@router.get("/schedule/{schedule_id}", **operation(READ, ScheduleView, summary="Read a schedule"))
def show(request: HttpRequest, schedule_id: str) -> Answer:
    """A schedule: its rhythm, its next time, and what came of its last."""
    return ok(shown(found(request, "schedule_id")))


@router.patch("/schedule/{schedule_id}", **operation(EDIT, ScheduleView, body=True, summary="Change a schedule"))
def change(request: HttpRequest, schedule_id: str, body: ScheduleChange) -> Answer:
    """Change the given fields; `enabled` turns one on again that paused itself."""
    return ok(shown(services.change(found(request, "schedule_id"), body.given())))


@router.delete("/schedule/{schedule_id}", **operation(EDIT, Deleted, summary="Delete a schedule"))
def delete(request: HttpRequest, schedule_id: str) -> Answer:
    """Remove a schedule; the runs that it began stay."""
    still_there(services.delete(found(request, "schedule_id")), "schedule_id")
    return ok({"id": schedule_id})
