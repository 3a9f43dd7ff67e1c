"""Rows of background work. Times are UNIX seconds with fractions."""

from django.db import models

from gatecrash.control.ids import MAX_LENGTH


class Job(models.Model):
    """One piece of work that is due at `run_at`; name, client and key name it once.

    client_id: empty for work across clients. lease_until: while in the future, one worker has it; 0 for none.
    wanted: grows with every request for it, so that a wish that arrives while it runs is not lost. every: seconds
    between two runs of a periodic job; 0 for work that is done once.
    """

    name = models.CharField(max_length=64)
    client_id = models.CharField(max_length=MAX_LENGTH, blank=True)
    key = models.CharField(max_length=255, blank=True)
    run_at = models.FloatField()
    every = models.FloatField(default=0)
    lease_until = models.FloatField(default=0)
    wanted = models.BigIntegerField(default=1)
    attempts = models.IntegerField(default=0)
    last_error = models.TextField(blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["name", "client_id", "key"], name="job_once")]
        indexes = [models.Index(fields=["run_at"], name="job_due")]
