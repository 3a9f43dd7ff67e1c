"""Rows of the inventory: authentication parameters, endpoints and the parameters seen on them. Times are UNIX seconds.

Counts are not here: they are bulk rows, in `bulk.py`.
"""

from django.db import models

from gatecrash.control.ids import MAX_LENGTH
from gatecrash.control.tenant import TenantModel

# SHA-256 in hexadecimal: hosts, paths and points are too long for an index of their own on every database.
DIGEST = 64


class AuthParameter(TenantModel):
    """A custom authentication parameter. point: its steps. digest: of the steps, once per client."""

    id = models.CharField(primary_key=True, max_length=MAX_LENGTH)
    point = models.JSONField()
    digest = models.CharField(max_length=DIGEST)
    created_at = models.BigIntegerField()

    class Meta(TenantModel.Meta):
        abstract = False
        constraints = [models.UniqueConstraint(fields=["client", "digest"], name="auth_parameter_once")]


class Endpoint(TenantModel):
    """An endpoint: protocol, method, host and path template. number: its key in the bulk tables.

    undetected_node: the last node that reported it without authentication detection (contract 9.2); empty for none.
    """

    number = models.BigAutoField(primary_key=True)
    public_id = models.CharField(max_length=MAX_LENGTH, unique=True)
    protocol = models.CharField(max_length=16)
    method = models.CharField(max_length=64)
    host = models.CharField(max_length=300)
    path = models.TextField()
    digest = models.CharField(max_length=DIGEST)
    first_seen = models.BigIntegerField()
    last_seen = models.BigIntegerField()
    undetected_node = models.CharField(max_length=MAX_LENGTH, blank=True)

    class Meta(TenantModel.Meta):
        abstract = False
        constraints = [models.UniqueConstraint(fields=["client", "digest"], name="endpoint_once")]
        indexes = [models.Index(fields=["client", "host", "method"], name="endpoint_listing")]


class EndpointParameter(TenantModel):
    """A place on an endpoint where a credential was seen. type: the JSON name of the authentication type."""

    number = models.BigAutoField(primary_key=True)
    endpoint_number = models.BigIntegerField()
    type = models.CharField(max_length=16)
    point = models.JSONField()
    digest = models.CharField(max_length=DIGEST)

    class Meta(TenantModel.Meta):
        abstract = False
        constraints = [
            models.UniqueConstraint(fields=["client", "endpoint_number", "digest"], name="endpoint_parameter_once")
        ]
