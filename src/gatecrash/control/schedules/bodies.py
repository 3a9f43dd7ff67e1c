"""Bodies and answers of schedules, for checking and for the OpenAPI document."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, field_validator

from gatecrash.control.api import fields
from gatecrash.control.api.errors import refuse
from gatecrash.control.schedules import queries

RhythmName = Literal["daily", "weekly", "hours"]
Weekday = Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
Hour = Annotated[int, Field(ge=0, le=23)]
Hours = Annotated[int, Field(ge=1, le=168)]
_SOURCE = "a run that is over: its settings and its record are those of the runs to come"
_HOUR = "of the day in UTC, for daily and weekly"


class _Fields(fields.Body):
    """What the fields of a schedule must be like."""

    @field_validator("test_run_id", check_fields=False)
    @classmethod
    def run_can_be_repeated(cls, value: str) -> str:
        """Refuse a run that is unknown, at work, or of a part of a record, with the reason."""
        row, reason = queries.source(value)
        if row is None:
            raise refuse("not_found")
        if reason:
            raise refuse("invalid_value", message=reason)
        return value


class NewSchedule(_Fields):
    """A schedule to make (docs/schedules.md)."""

    name: fields.Name
    test_run_id: str = Field(description=_SOURCE)
    rhythm: RhythmName = Field(description="hours: every so many, from now on")
    hour: Hour = Field(default=3, description=_HOUR)
    weekday: Weekday = Field(default="monday", description="for weekly")
    hours: Hours = Field(default=24, description="between two runs, for hours")
    enabled: bool = True


class ScheduleChange(_Fields):
    """The fields that are to change; the others stay."""

    name: fields.Name = ""
    test_run_id: str = Field(default="", description=_SOURCE)
    rhythm: RhythmName = "daily"
    hour: Hour = Field(default=3, description=_HOUR)
    weekday: Weekday = "monday"
    hours: Hours = 24
    enabled: bool = True


class ScheduleView(BaseModel):
    """A schedule. Times are UNIX seconds. hour, weekday, hours: null where the rhythm has none.

    order: the fields of its runs. last_skip: why no run was begun when it was last due; empty where one was.
    failures: how often in a row it came to nothing. paused: why it was turned off by itself; empty where it was not.
    """

    id: str
    name: str
    rhythm: RhythmName
    hour: int | None
    weekday: Weekday | None
    hours: int | None
    enabled: bool
    source_run_id: str
    order: dict[str, Any]
    next_at: int | None
    last_at: int | None
    last_run_id: str | None
    last_skip: str
    failures: int
    paused: str
    created_at: int
    updated_at: int


class ScheduleList(BaseModel):
    """A part of the client's schedules."""

    objects: list[ScheduleView]
    total: int


class Deleted(BaseModel):
    """What was removed."""

    id: str
