"""Pages of schedules: the list and the form."""

from datetime import UTC, datetime
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from gatecrash.control.api.errors import FieldErrors
from gatecrash.control.api.roles import EDIT, READ
from gatecrash.control.schedules import queries, services
from gatecrash.control.schedules.bodies import NewSchedule, ScheduleChange
from gatecrash.control.schedules.mapping import rhythm_of, shown
from gatecrash.control.schedules.models import Schedule
from gatecrash.control.schedules.rhythm import WEEKDAYS
from gatecrash.control.ui.forms import Field, Form, sent
from gatecrash.control.ui.listing import listing
from gatecrash.control.ui.page import page
from gatecrash.control.ui.reads.runs import run_names

_RHYTHMS = (("daily", "daily"), ("weekly", "weekly"), ("hours", "every so many hours"))
_DAYS = tuple((day, day.capitalize()) for day in WEEKDAYS)
_SETTINGS = "Policy, sign-in, speed and record are taken from this run."


@page(READ)
def schedules(request: HttpRequest) -> HttpResponse:
    """The client's schedules: when each is due, and what came of it last."""
    found = listing(request, queries.rows())
    shown_rows = [shown(row) | {"words": rhythm_of(row).words} for row in found.rows]
    names = run_names([one["last_run_id"] for one in shown_rows if one["last_run_id"]])
    return render(request, "schedules/schedules.html", {"list": found, "schedules": shown_rows, "names": names})


@page(EDIT, "GET", "POST")
def new_schedule(request: HttpRequest) -> HttpResponse:
    """Repeat a run that is over."""
    run, _ = queries.source(request.GET.get("run", ""))
    initial = {"name": run.name, "test_run_id": run.id} if run is not None else {}
    form = Form(_fields(None), sent(request), initial)
    order = form.checked(NewSchedule) if request.method == "POST" else None
    if order is not None and (row := _try(form, lambda: services.create(order.model_dump()))) is not None:
        messages.success(request, f"“{row.name}” runs {rhythm_of(row).words} from now on.")
        return redirect("schedules")
    return _form(request, form, None)


@page(EDIT, "GET", "POST")
def change_schedule(request: HttpRequest, schedule_id: str) -> HttpResponse:
    """Change a schedule, or turn it on or off."""
    row = find(schedule_id)
    initial = {name: getattr(row, name) for name in ("name", "rhythm", "hour", "weekday", "hours", "enabled")}
    form = Form(_fields(row), sent(request), initial)
    order = form.checked(ScheduleChange) if request.method == "POST" else None
    if order is not None and _try(form, lambda: services.change(row, order.given())) is not None:
        messages.success(request, f"The schedule “{order.name}” is changed.")
        return redirect("schedules")
    return _form(request, form, row)


@page(EDIT, "POST")
def delete_schedule(request: HttpRequest, schedule_id: str) -> HttpResponse:
    """Remove a schedule; its runs stay."""
    row = find(schedule_id)
    services.delete(row)
    messages.success(request, f"The schedule “{row.name}” is deleted. Its runs stay.")
    return redirect("schedules")


def find(schedule_id: str) -> Schedule:
    """The client's schedule of this identifier. Raises Http404."""
    row = queries.find(schedule_id)
    if row is None:
        raise Http404
    return row


def _fields(row: Schedule | None) -> tuple[Field, ...]:
    """row: the schedule that is changed; its run may stay without being named."""
    runs = [(run.id, f"{run.name} ({_moment(run.created_at)})") for run in queries.offered()]
    first = ("", "the settings stay as they are") if row is not None else ("", "choose a run that is over")
    return (
        Field("name", "Name", required=True, hint="Its runs are called so, too."),
        Field("test_run_id", "Repeats", "choice", choices=[first, *runs], hint=_SETTINGS, required=row is None),
        Field("rhythm", "How often", "choice", choices=_RHYTHMS, initial="daily", required=True),
        Field("weekday", "Day of the week", "choice", choices=_DAYS, required=True),
        Field("hour", "At the hour (UTC)", "number", low=0, high=23, initial=3, required=True),
        Field("hours", "Hours between two runs", "number", low=1, high=168, initial=24, required=True),
        Field("enabled", "Turned on", "check", initial=True),
    )


def _moment(at: int) -> str:
    """When a run was made: runs of a schedule have all one name."""
    return datetime.fromtimestamp(at, UTC).strftime("%d %b %Y, %H:%M UTC")


def _try(form: Form, change: Any) -> Schedule | None:
    try:
        row: Schedule = change()
    except FieldErrors as error:
        form.refuse(error)
        return None
    return row


def _form(request: HttpRequest, form: Form, row: Schedule | None) -> HttpResponse:
    context = {"form": form, "schedule": row}
    return render(request, "schedules/form.html", context, status=400 if form.problems else 200)
