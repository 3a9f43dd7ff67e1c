"""Rows of vulnerabilities and their codes. Times are UNIX seconds."""

from django.db import models

from gatecrash.control.ids import MAX_LENGTH
from gatecrash.control.tenant import TenantModel

DIGEST = 64


class Fingerprint(TenantModel):
    """What a code belongs to: type, endpoint and point within a client; stable across runs.

    digest: of the three, in hexadecimal. number: 1 for S0001. state: what people decided about it (see `triage.STATES`).
    """

    digest = models.CharField(max_length=DIGEST)
    number = models.IntegerField()
    created_at = models.BigIntegerField()
    state = models.CharField(max_length=16, default="open")

    class Meta(TenantModel.Meta):
        abstract = False
        constraints = [
            models.UniqueConstraint(fields=["client", "digest"], name="fingerprint_once"),
            models.UniqueConstraint(fields=["client", "number"], name="code_once"),
        ]


class Vulnerability(TenantModel):
    """A finding in one run, unique by run, baseline, point and type.

    point: its steps. point_digest: of the steps, as a point may be longer than an index takes.
    url: without the values of its query, which may be credentials.
    """

    id = models.CharField(primary_key=True, max_length=MAX_LENGTH)
    run_id = models.CharField(max_length=MAX_LENGTH)
    baseline_id = models.CharField(max_length=MAX_LENGTH)
    type = models.CharField(max_length=32)
    point = models.JSONField()
    point_digest = models.CharField(max_length=DIGEST)
    fingerprint = models.ForeignKey(Fingerprint, on_delete=models.DO_NOTHING, related_name="+")
    code = models.CharField(max_length=16)
    threat = models.IntegerField()
    cwe = models.JSONField()
    title = models.CharField(max_length=255)
    method = models.CharField(max_length=64)
    url = models.TextField()
    endpoint = models.TextField()
    verified_by = models.TextField()
    found_at = models.BigIntegerField()

    class Meta(TenantModel.Meta):
        abstract = False
        constraints = [
            models.UniqueConstraint(
                fields=["client", "run_id", "baseline_id", "type", "point_digest"], name="vulnerability_once"
            )
        ]
        indexes = [models.Index(fields=["client", "-found_at"], name="vulnerability_listing")]


class TriageEntry(TenantModel):
    """What somebody decided or wrote about a code. state: the new one, empty where only words were written."""

    number = models.BigAutoField(primary_key=True)
    code = models.CharField(max_length=16)
    at = models.BigIntegerField()
    actor = models.CharField(max_length=MAX_LENGTH)
    state = models.CharField(max_length=16, blank=True)
    comment = models.TextField(blank=True)

    class Meta(TenantModel.Meta):
        abstract = False
        indexes = [models.Index(fields=["client", "code", "number"], name="triage_history")]


class Suppression(TenantModel):
    """A code that must not fail a pipeline. expires_at: null for one without an end."""

    id = models.CharField(primary_key=True, max_length=MAX_LENGTH)
    code = models.CharField(max_length=16)
    reason = models.TextField()
    actor = models.CharField(max_length=MAX_LENGTH)
    created_at = models.BigIntegerField()
    expires_at = models.BigIntegerField(null=True)

    class Meta(TenantModel.Meta):
        abstract = False
        indexes = [models.Index(fields=["client", "code"], name="suppression_by_code")]
