"""Rows of a client's own test policies. Times are UNIX seconds."""

from django.db import models

from gatecrash.control.ids import MAX_LENGTH
from gatecrash.control.tenant import TenantModel

NAME = 255


class TestPolicy(TenantModel):
    """A policy. content: the core's policy without identifier, name, description and tags."""

    __test__ = False  # pytest would take the name for a test class

    id = models.CharField(primary_key=True, max_length=MAX_LENGTH)
    name = models.CharField(max_length=NAME)
    desc = models.TextField(blank=True, default="")
    tags = models.JSONField(default=list)
    content = models.JSONField()
    created_at = models.BigIntegerField()
    updated_at = models.BigIntegerField()

    class Meta(TenantModel.Meta):
        abstract = False
        indexes = [models.Index(fields=["client", "name"], name="policy_listing")]
