"""`gatecrash schedule`: test runs that begin again by themselves (docs/schedules.md)."""

from collections.abc import Callable
from typing import Any

import click

from gatecrash.cli.api import Api, segment
from gatecrash.cli.options import json_option, with_api
from gatecrash.cli.output import document, moment, say, table
from gatecrash.cli.shape import Group

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
DEFAULT_HOUR = 3
_SCHEDULE = click.argument("schedule_id", metavar="SCHEDULE")


def _when(function: Callable[..., None]) -> Callable[..., None]:
    """The options that say when a schedule is due."""
    for option in (
        click.option(
            "--hour",
            type=click.IntRange(0, 23),
            metavar="HOUR",
            help=f"Of the day in UTC, for --daily and --weekly ({DEFAULT_HOUR} where none was ever said).",
        ),
        click.option(
            "--every", "hours", type=click.IntRange(1, 168), metavar="HOURS", help="So many hours apart, from now on."
        ),
        click.option("--weekly", "weekday", type=click.Choice(WEEKDAYS), help="Once a week."),
        click.option("--daily", is_flag=True, help="Once a day."),
    ):
        function = option(function)
    return function


@click.group(cls=Group, epilog="gatecrash schedule add nightly tr_9f2c41 --daily --hour 3")
def command() -> None:
    """List, add, change, pause and remove schedules: runs that begin again by themselves."""


@command.command("list", epilog="gatecrash schedule list --json")
@json_option
@with_api
def list_schedules(api: Api, as_json: bool) -> None:
    """List the schedules with their next time and what came of the last; hours are of UTC."""
    body = api.pages("/v1/schedule")
    if as_json:
        document(body)
        return
    columns = ("id", "name", "due", "state", "next", "last", "run", "remark")
    rows = (
        (
            one["id"],
            one["name"],
            due(one),
            "on" if one["enabled"] else "paused",
            moment(one["next_at"]),
            moment(one["last_at"]),
            one["last_run_id"],
            one["paused"] or one["last_skip"],
        )
        for one in body["objects"]
    )
    table(columns, rows, empty="There are no schedules. `gatecrash schedule add NAME RUN --daily` makes one.")


@command.command(
    "add",
    epilog="""
    gatecrash schedule add nightly tr_9f2c41 --daily --hour 3
    gatecrash schedule add weekend tr_9f2c41 --weekly saturday
    gatecrash schedule add often tr_9f2c41 --every 6
    """,
)
@click.argument("name")
@click.argument("run_id", metavar="RUN")
@_when
@json_option
@with_api
def add(
    api: Api,
    name: str,
    run_id: str,
    daily: bool,
    weekday: str | None,
    hours: int | None,
    hour: int | None,
    as_json: bool,
) -> None:
    """Have a run that is over begun again and again: its record, with its settings; the identifier goes to standard output."""
    rhythm = _rhythm(daily, weekday, hours, hour)
    if "rhythm" not in rhythm:
        raise click.UsageError("Say when: --daily, --weekly DAY or --every HOURS.")
    at = {} if hours is not None else {"hour": DEFAULT_HOUR}
    body = api.post("/v1/schedule", {"name": name, "test_run_id": run_id} | at | rhythm)
    if as_json:
        document(body)
        return
    click.echo(body["id"])
    say(f"Due {due(body)}, next {moment(body['next_at'])}.")


@command.command(
    "change",
    epilog="""
    gatecrash schedule change sch_5d0c7e --weekly sunday --hour 4
    gatecrash schedule change sch_5d0c7e --name nightly --run tr_81ab03
    """,
)
@_SCHEDULE
@click.option("--name", help="Its new name, and that of the runs to come.")
@click.option("--run", "run_id", metavar="RUN", help="Begin this run again instead: its record, with its settings.")
@_when
@json_option
@with_api
def change(
    api: Api,
    schedule_id: str,
    name: str | None,
    run_id: str | None,
    daily: bool,
    weekday: str | None,
    hours: int | None,
    hour: int | None,
    as_json: bool,
) -> None:
    """Change what is named; all else stays, the hour of the day too."""
    given = {"name": name, "test_run_id": run_id}
    wish = {field: value for field, value in given.items() if value is not None} | _rhythm(daily, weekday, hours, hour)
    if not wish:
        raise click.UsageError("Nothing to change: give --name, --run, --hour, --daily, --weekly or --every.")
    if "hour" in wish and "rhythm" not in wish and api.get(_path(schedule_id))["rhythm"] == "hours":
        raise click.UsageError("This schedule counts hours from a moment on; --hour goes with --daily and --weekly.")
    body = api.patch(_path(schedule_id), wish)
    if as_json:
        document(body)
        return
    say(f"{schedule_id}: {body['name']}, due {due(body)}, next {moment(body['next_at'])}.")


@command.command("pause", epilog="gatecrash schedule pause sch_5d0c7e")
@_SCHEDULE
@with_api
def pause(api: Api, schedule_id: str) -> None:
    """Begin no run until it is resumed."""
    api.patch(_path(schedule_id), {"enabled": False})
    say(f"Paused {schedule_id}.")


@command.command("resume", epilog="gatecrash schedule resume sch_5d0c7e")
@_SCHEDULE
@with_api
def resume(api: Api, schedule_id: str) -> None:
    """Turn one on again, also one that paused itself."""
    body = api.patch(_path(schedule_id), {"enabled": True})
    say(f"Resumed {schedule_id}, next {moment(body['next_at'])}.")


@command.command("remove", epilog="gatecrash schedule remove sch_5d0c7e")
@_SCHEDULE
@with_api
def remove(api: Api, schedule_id: str) -> None:
    """Remove a schedule; the runs that it began stay."""
    api.delete(_path(schedule_id))
    say(f"Removed {schedule_id}.")


def due(one: dict[str, Any]) -> str:
    """A rhythm in words."""
    if one["rhythm"] == "hours":
        return f"every {one['hours']} h"
    day = "daily" if one["rhythm"] == "daily" else f"{one['weekday']}s"
    return f"{day} at {one['hour']:02d}:00 UTC"


def _rhythm(daily: bool, weekday: str | None, hours: int | None, hour: int | None) -> dict[str, Any]:
    """The API's fields for what the options say. Raises UsageError where they contradict each other."""
    if (daily, weekday is not None, hours is not None).count(True) > 1:
        raise click.UsageError("Say when, once: --daily, --weekly DAY or --every HOURS.")
    if hours is not None and hour is not None:
        raise click.UsageError("--hour goes with --daily and --weekly; --every counts from now on.")
    rhythm = "daily" if daily else "weekly" if weekday is not None else "hours" if hours is not None else None
    fields = {"rhythm": rhythm, "weekday": weekday, "hours": hours, "hour": hour}
    return {name: value for name, value in fields.items() if value is not None}


def _path(schedule_id: str) -> str:
    return f"/v1/schedule/{segment(schedule_id)}"
