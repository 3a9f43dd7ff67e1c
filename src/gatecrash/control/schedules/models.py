"""Rows of schedules. Times are UNIX seconds."""

from django.db import models

from gatecrash.control.ids import MAX_LENGTH
from gatecrash.control.tenant import TenantModel

NAME = 255


class Schedule(TenantModel):
    """A test run that is begun again and again over the same record.

    order: the fields of the runs, copied from the run `source_run_id`. rhythm: see `rhythm`; anchor: from when `hours` counts.
    next_at: when the next is due. last_at: when it was last due; last_run_id: the run that was begun last.
    last_skip: why none was begun when it was last due; empty where one was. failures: how often in a row that was for a
    reason that does not pass by itself, or the run could test nothing. paused: why it was turned off by itself.
    """

    id = models.CharField(primary_key=True, max_length=MAX_LENGTH)
    name = models.CharField(max_length=NAME)
    source_run_id = models.CharField(max_length=MAX_LENGTH)
    order = models.JSONField()
    rhythm = models.CharField(max_length=16)
    hour = models.IntegerField(default=0)
    weekday = models.CharField(max_length=16, default="monday")
    hours = models.IntegerField(default=24)
    anchor = models.BigIntegerField()
    enabled = models.BooleanField(default=True)
    next_at = models.BigIntegerField()
    last_at = models.BigIntegerField(null=True)
    last_run_id = models.CharField(max_length=MAX_LENGTH, blank=True, default="")
    last_skip = models.TextField(blank=True, default="")
    failures = models.IntegerField(default=0)
    paused = models.TextField(blank=True, default="")
    created_at = models.BigIntegerField()
    updated_at = models.BigIntegerField()

    class Meta(TenantModel.Meta):
        abstract = False
        indexes = [
            models.Index(fields=["client", "name"], name="schedule_listing"),
            models.Index(fields=["next_at"], condition=models.Q(enabled=True), name="schedule_due"),
        ]
