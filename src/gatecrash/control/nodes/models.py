"""Rows of nodes. Times are UNIX seconds; `last_seen` has fractions, for 10 seconds decide whether a node is connected."""

from django.db import models

from gatecrash.control.ids import MAX_LENGTH
from gatecrash.control.tenant import TenantModel

NAME = 255


class Node(TenantModel):
    """One node: the same token and build, or the same token and name where there is no build (decisions 7).

    session: names the node's present start; empty until its first hello. clock_offset: our clock minus the node's.
    is_default: runs go here that name no node. host_rps: test requests a second that it may be sending to one host, where
    the client limits that; it was told so, or told less and has not said yet that it holds to it. removed_at: taken off
    the list then, until its next hello; null where it is on it.
    """

    id = models.CharField(primary_key=True, max_length=MAX_LENGTH)
    name = models.CharField(max_length=NAME)
    token_id = models.CharField(max_length=MAX_LENGTH, blank=True, default="")
    identity = models.CharField(max_length=2 * NAME + MAX_LENGTH)
    build_id = models.CharField(max_length=NAME, blank=True, default="")
    kind = models.CharField(max_length=32, blank=True, default="")
    version = models.CharField(max_length=64, blank=True, default="")
    spool = models.CharField(max_length=MAX_LENGTH, blank=True, default="")
    proxy_address = models.CharField(max_length=NAME, blank=True, default="")
    workers = models.IntegerField(default=0)
    processes = models.IntegerField(default=1)
    host_rps = models.IntegerField(default=0)
    session = models.CharField(max_length=MAX_LENGTH, blank=True, default="")
    is_default = models.BooleanField(default=False)
    last_seen = models.FloatField(null=True)
    clock_offset = models.FloatField(default=0.0)
    created_at = models.BigIntegerField()
    removed_at = models.BigIntegerField(null=True)

    class Meta(TenantModel.Meta):
        abstract = False
        constraints = [
            models.UniqueConstraint(fields=["client", "identity"], name="node_identity_once"),
            models.UniqueConstraint(fields=["client"], condition=models.Q(is_default=True), name="node_default_once"),
        ]
