"""Rows of webhooks and of what is sent to them. Times are UNIX seconds; those that waits are made of have fractions."""

from django.db import models

from gatecrash.control.ids import MAX_LENGTH
from gatecrash.control.tenant import TenantModel

NAME = 255
ORIGIN = 300
WAITING, DELIVERED, GIVEN_UP = "waiting", "delivered", "given_up"


class Webhook(TenantModel):
    """An address that is told what happens. origin: the part of the address that is shown.

    sealed: the whole address and the secrets that sign, encrypted for this client and row: addresses often hold a credential.
    events: the kinds of news wanted. dropped: news that were not kept, as too many waited already. resting_until: nobody
    answered there, so nothing is sent before. last_*: how the last try ended; last_status is null where no answer came.
    """

    id = models.CharField(primary_key=True, max_length=MAX_LENGTH)
    name = models.CharField(max_length=NAME)
    origin = models.CharField(max_length=ORIGIN)
    sealed = models.BinaryField()
    events = models.JSONField()
    enabled = models.BooleanField(default=True)
    dropped = models.IntegerField(default=0)
    resting_until = models.FloatField(default=0)
    last_at = models.BigIntegerField(null=True)
    last_status = models.IntegerField(null=True)
    last_error = models.TextField(blank=True, default="")
    created_at = models.BigIntegerField()
    updated_at = models.BigIntegerField()

    class Meta(TenantModel.Meta):
        abstract = False
        indexes = [models.Index(fields=["client", "name"], name="webhook_listing")]


class Delivery(TenantModel):
    """One piece of news on its way to one webhook. event_id: the same at every webhook and every try.

    state: `waiting`, `delivered` or `given_up`. body: what is sent; empty once it is not sent any more.
    status: of the last answer; null where none came. error: why the last try failed.
    """

    id = models.CharField(primary_key=True, max_length=MAX_LENGTH)
    webhook = models.ForeignKey(Webhook, on_delete=models.DO_NOTHING, related_name="+", db_index=False)
    event_id = models.CharField(max_length=MAX_LENGTH)
    kind = models.CharField(max_length=64)
    body = models.TextField()
    state = models.CharField(max_length=16, default=WAITING)
    tries = models.IntegerField(default=0)
    next_at = models.FloatField()
    tried_at = models.BigIntegerField(null=True)
    status = models.IntegerField(null=True)
    error = models.TextField(blank=True, default="")
    created_at = models.BigIntegerField()

    class Meta(TenantModel.Meta):
        abstract = False
        indexes = [
            models.Index(fields=["client", "webhook", "-id"], name="delivery_listing"),
            models.Index(fields=["next_at"], condition=models.Q(state="waiting"), name="delivery_due"),
        ]
