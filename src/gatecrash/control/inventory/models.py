"""Rows of the inventory: what the client configures, and the endpoints. Times are UNIX seconds.

Hourly counts are not here: they are bulk rows, in `bulk.py`. An endpoint's sums over the window stand on its own row, so
that every filter and order of the list reads one table.
"""

from django.db import models

from gatecrash.control.ids import MAX_LENGTH
from gatecrash.control.tenant import TenantModel

# SHA-256 in hexadecimal: hosts, paths and points are too long for an index of their own on every database.
DIGEST = 64
TEXT = 255
# What was made in one second keeps its order, too: the earlier of two pins that say the same has it.
OLDEST_FIRST = ("position", "created_at", "id")


class AuthParameter(TenantModel):
    """A custom authentication parameter. point: its steps. digest: of the steps, once per client. position: see `following`."""

    id = models.CharField(primary_key=True, max_length=MAX_LENGTH)
    point = models.JSONField()
    digest = models.CharField(max_length=DIGEST)
    created_at = models.BigIntegerField()
    position = models.BigIntegerField(db_default=0)

    class Meta(TenantModel.Meta):
        abstract = False
        constraints = [models.UniqueConstraint(fields=["client", "digest"], name="auth_parameter_once")]


class InventorySettings(TenantModel):
    """How a client's inventory is read. leave_refused_out: answers 401 and 403 are in no share (decisions 6)."""

    leave_refused_out = models.BooleanField(default=False)

    class Meta(TenantModel.Meta):
        abstract = False
        constraints = [models.UniqueConstraint(fields=["client"], name="inventory_settings_once")]


class Endpoint(TenantModel):
    """An endpoint: protocol, method, host, path template and operation. number: its key in the bulk tables.

    first_seen: null and last_seen: 0 where only a document tells of it. requests to status5: sums over the window, see
    `schema.COUNTS`. types: bits of the types with a valid value in the window, see `mapping.TYPE_BITS`. status:
    `mapping.STATUSES`, by the client's setting; -1 before the first count. changed_at: last change between two statuses.
    document: `mapping.DOCUMENT_STATES`. public_until: the expiry of an intentionally public mark; 0 without one.
    undetected_node, undetected_version: the last node that reported it without detection (contract 9.2); empty for none.
    """

    number = models.BigAutoField(primary_key=True)
    public_id = models.CharField(max_length=MAX_LENGTH, unique=True)
    protocol = models.CharField(max_length=16)
    method = models.CharField(max_length=64)
    host = models.CharField(max_length=300)
    path = models.TextField()
    operation = models.TextField(blank=True, db_default="")
    digest = models.CharField(max_length=DIGEST)
    first_seen = models.BigIntegerField(null=True)
    last_seen = models.BigIntegerField()
    undetected_node = models.CharField(max_length=MAX_LENGTH, blank=True)
    undetected_version = models.CharField(max_length=TEXT, blank=True, db_default="")
    requests = models.BigIntegerField(db_default=0)
    authenticated = models.BigIntegerField(db_default=0)
    answered = models.BigIntegerField(db_default=0)
    refused = models.BigIntegerField(db_default=0)
    authenticated_refused = models.BigIntegerField(db_default=0)
    undetected = models.BigIntegerField(db_default=0)
    status1 = models.BigIntegerField(db_default=0)
    status2 = models.BigIntegerField(db_default=0)
    status3 = models.BigIntegerField(db_default=0)
    status4 = models.BigIntegerField(db_default=0)
    status5 = models.BigIntegerField(db_default=0)
    types = models.BigIntegerField(db_default=0)
    status = models.SmallIntegerField(db_default=-1)
    changed_at = models.BigIntegerField(db_default=0)
    document = models.SmallIntegerField(db_default=0)
    public_until = models.BigIntegerField(db_default=0)

    class Meta(TenantModel.Meta):
        abstract = False
        constraints = [models.UniqueConstraint(fields=["client", "digest"], name="endpoint_once")]
        indexes = [
            models.Index(fields=["client", "host", "method"], name="endpoint_listing"),
            # What filters count by and batches seldom change.
            models.Index(
                fields=["client", "status", "types", "public_until", "document", "changed_at"], name="endpoint_states"
            ),
        ]


class EndpointAlias(TenantModel):
    """An endpoint that became part of another. public_id: its old identifier, which redirects.

    digest: of its old name, so that counts under it go to the target; null after a split: then it only redirects.
    decided: by a pin or a document, so that it ends with them.
    """

    public_id = models.CharField(primary_key=True, max_length=MAX_LENGTH)
    digest = models.CharField(max_length=DIGEST, null=True)
    method = models.CharField(max_length=64)
    host = models.CharField(max_length=300)
    path = models.TextField()
    target = models.BigIntegerField()
    decided = models.BooleanField(default=False)
    created_at = models.BigIntegerField()

    class Meta(TenantModel.Meta):
        abstract = False
        constraints = [models.UniqueConstraint(fields=["client", "digest"], name="endpoint_alias_once")]
        indexes = [models.Index(fields=["client", "target"], name="endpoint_alias_target")]


class CredentialKind(TenantModel):
    """What is seen on endpoints: a type of authentication, or a kind of weakness, at a point. number: in bulk rows."""

    number = models.BigAutoField(primary_key=True)
    type = models.CharField(max_length=32)
    point = models.JSONField()
    digest = models.CharField(max_length=DIGEST)

    class Meta(TenantModel.Meta):
        abstract = False
        constraints = [models.UniqueConstraint(fields=["client", "digest"], name="credential_kind_once")]


class StatusChange(TenantModel):
    """An endpoint's status went from one to another. before, after: `mapping.STATUSES`."""

    number = models.BigAutoField(primary_key=True)
    endpoint_number = models.BigIntegerField()
    at = models.BigIntegerField()
    before = models.SmallIntegerField()
    after = models.SmallIntegerField()

    class Meta(TenantModel.Meta):
        abstract = False
        indexes = [models.Index(fields=["client", "endpoint_number", "number"], name="status_change_listing")]


class StatusDay(TenantModel):
    """How many endpoints more, or fewer, had a status at the end of a day than at its beginning.

    day: days since 1970, UTC. status: `mapping.STATUSES`, those with traffic. entered: negative where more left.
    """

    id = models.BigAutoField(primary_key=True)
    day = models.BigIntegerField()
    status = models.SmallIntegerField()
    entered = models.BigIntegerField()

    class Meta(TenantModel.Meta):
        abstract = False
        constraints = [models.UniqueConstraint(fields=["client", "day", "status"], name="status_day_once")]


class PublicMark(TenantModel):
    """An endpoint that is public on purpose. owner: who answers for it. expires_at: null for never."""

    id = models.CharField(primary_key=True, max_length=MAX_LENGTH)
    endpoint_number = models.BigIntegerField()
    reason = models.TextField()
    owner = models.CharField(max_length=TEXT)
    expires_at = models.BigIntegerField(null=True)
    created_at = models.BigIntegerField()

    class Meta(TenantModel.Meta):
        abstract = False
        constraints = [models.UniqueConstraint(fields=["client", "endpoint_number"], name="public_mark_once")]


class ApiDocument(TenantModel):
    """An uploaded OpenAPI document: what it says of paths, and no more of it; examples in documents hold secrets.

    servers: [host, base path] each. operations: [method, template] each, as written. position: see `following`.
    """

    id = models.CharField(primary_key=True, max_length=MAX_LENGTH)
    name = models.CharField(max_length=TEXT)
    title = models.CharField(max_length=TEXT)
    version = models.CharField(max_length=TEXT)
    openapi = models.CharField(max_length=16)
    servers = models.JSONField()
    operations = models.JSONField()
    created_at = models.BigIntegerField()
    updated_at = models.BigIntegerField()
    position = models.BigIntegerField(db_default=0)

    class Meta(TenantModel.Meta):
        abstract = False
        constraints = [models.UniqueConstraint(fields=["client", "name"], name="api_document_once")]


class TemplateRule(TenantModel):
    """A decision on templates. kind: `pin` (what matches is this endpoint) or `split` (do not merge here).

    position: see `following`.
    """

    id = models.CharField(primary_key=True, max_length=MAX_LENGTH)
    kind = models.CharField(max_length=8)
    host = models.CharField(max_length=300, blank=True)
    template = models.TextField()
    digest = models.CharField(max_length=DIGEST)
    created_at = models.BigIntegerField()
    position = models.BigIntegerField(db_default=0)

    class Meta(TenantModel.Meta):
        abstract = False
        constraints = [models.UniqueConstraint(fields=["client", "digest"], name="template_rule_once")]


LIKELY = "likely"


class LearnedSession(TenantModel):
    """What a client's nodes learned of a session cookie on a host; names only.

    state: of core/auth/sessions.State, or LIKELY for an unproven one that tests take for a credential.
    """

    host = models.CharField(max_length=300)
    name = models.CharField(max_length=256)
    state = models.CharField(max_length=16)
    learned_at = models.BigIntegerField()

    class Meta(TenantModel.Meta):
        abstract = False
        constraints = [models.UniqueConstraint(fields=["client", "host", "name"], name="learned_session_once")]


def following(model: type[AuthParameter | ApiDocument | TemplateRule]) -> int:
    """The position behind all rows of the current client; rows made before there were positions have 0.

    The caller holds the client's row locked, so that no two get the same.
    """
    last = model.objects.aggregate(last=models.Max("position"))["last"]
    return (last or 0) + 1
