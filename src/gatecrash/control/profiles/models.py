"""Rows of auth profiles. Times are UNIX seconds."""

from django.db import models

from gatecrash.control.ids import MAX_LENGTH
from gatecrash.control.tenant import TenantModel

NAME = 255


class AuthProfileRow(TenantModel):
    """An auth profile. sealed: its document as JSON, encrypted for this client and row; empty once it is deleted.

    outline: what may be shown of it (see `mapping.outline`). masked: every point that a version of it ever set, for
    evidence outlives profiles and must stay masked. deleted_at: the row stays for that, its secrets do not.
    """

    id = models.CharField(primary_key=True, max_length=MAX_LENGTH)
    name = models.CharField(max_length=NAME)
    sealed = models.BinaryField()
    outline = models.JSONField()
    masked = models.JSONField(default=list)
    created_at = models.BigIntegerField()
    updated_at = models.BigIntegerField()
    deleted_at = models.BigIntegerField(null=True)

    class Meta(TenantModel.Meta):
        abstract = False
        indexes = [models.Index(fields=["client", "name"], name="profile_listing")]
