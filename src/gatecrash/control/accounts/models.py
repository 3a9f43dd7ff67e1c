"""Rows of clients, users, memberships, API tokens and the audit log. Times are UNIX seconds."""

from typing import Any

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.db import models

from gatecrash.control.ids import MAX_LENGTH
from gatecrash.control.tenant import TenantModel

NAME = 255


class Client(models.Model):
    """A tenant. config_version grows with every change that nodes must hear of.

    tests_stopped: the one switch that stops all tests (decisions 11). rps_per_host: test requests a second to any one
    host, over all runs and nodes; null is unlimited.
    """

    id = models.CharField(primary_key=True, max_length=MAX_LENGTH)
    name = models.CharField(max_length=NAME)
    config_version = models.BigIntegerField(default=1)
    tests_stopped = models.BooleanField(default=False)
    rps_per_host = models.IntegerField(null=True)
    created_at = models.BigIntegerField()


class UserManager(BaseUserManager):
    """Finds users by their e-mail address; users are made by services.create_user."""

    def get_by_natural_key(self, username: str) -> Any:
        """The user who signs in with this address, without case."""
        return self.get(email=username.strip().lower())


class User(AbstractBaseUser):
    """A person. is_owner: owner of the deployment, who manages clients."""

    id = models.CharField(primary_key=True, max_length=MAX_LENGTH)
    email = models.CharField(max_length=254, unique=True)
    name = models.CharField(max_length=NAME, blank=True)
    is_active = models.BooleanField(default=True)
    is_owner = models.BooleanField(default=False)
    created_at = models.BigIntegerField()

    objects = UserManager()

    USERNAME_FIELD = "email"


class Membership(TenantModel):
    """A user's role in a client."""

    user = models.ForeignKey(User, on_delete=models.DO_NOTHING, related_name="+")
    role = models.CharField(max_length=16)
    created_at = models.BigIntegerField()

    class Meta(TenantModel.Meta):
        abstract = False
        constraints = [models.UniqueConstraint(fields=["client", "user"], name="membership_once")]


class ApiToken(TenantModel):
    """A token, of which only the SHA-256 is kept. node_id: the test node that it is tied to.

    deployment: it may manage clients. digest: hexadecimal.
    """

    id = models.CharField(primary_key=True, max_length=MAX_LENGTH)
    name = models.CharField(max_length=NAME)
    digest = models.CharField(max_length=64, unique=True)
    role = models.CharField(max_length=16)
    deployment = models.BooleanField(default=False)
    node_id = models.CharField(max_length=MAX_LENGTH, null=True)
    created_at = models.BigIntegerField()
    expires_at = models.BigIntegerField(null=True)
    revoked_at = models.BigIntegerField(null=True)
    last_used_at = models.BigIntegerField(null=True)

    class Meta(TenantModel.Meta):
        abstract = False
        indexes = [models.Index(fields=["client", "created_at"], name="token_listing")]


class AuditEntry(TenantModel):
    """One change: who did what to what. number: the order of changes, also within a second. detail holds no secret."""

    number = models.BigAutoField(primary_key=True)
    public_id = models.CharField(max_length=MAX_LENGTH, unique=True)
    at = models.BigIntegerField()
    actor = models.CharField(max_length=MAX_LENGTH)
    action = models.CharField(max_length=64)
    target = models.CharField(max_length=MAX_LENGTH)
    detail = models.JSONField(default=dict)

    class Meta(TenantModel.Meta):
        abstract = False
        indexes = [models.Index(fields=["client", "-number"], name="audit_listing")]
