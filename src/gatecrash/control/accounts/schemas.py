"""Bodies and answers of the accounts' operations."""

from typing import Annotated, Any, Literal

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from pydantic import BaseModel, Field, field_validator

from gatecrash.control.api import fields
from gatecrash.control.api.errors import refuse
from gatecrash.control.clock import now
from gatecrash.control.nodes.queries import there

RoleName = Literal["admin", "analyst", "viewer", "ci", "node"]
# People read and work; `ci` and `node` are for machines, so for tokens.
MemberRole = Literal["admin", "analyst", "viewer"]
Expiry = Annotated[int, Field(ge=0, le=2**53, description="UNIX seconds")]
Address = Annotated[
    str, Field(min_length=3, max_length=254, pattern=r"^[^@\s]+@[^@\s]+$", examples=["anna@example.com"])
]
Password = Annotated[str, Field(min_length=1, max_length=1024)]


class ClientView(BaseModel):
    """A client (tenant). tests_stopped: the one switch that stops all its tests.

    rps_per_host: test requests a second to any one host, over all its runs and nodes; null is unlimited.
    """

    id: str
    name: str
    tests_stopped: bool
    rps_per_host: int | None
    created_at: int


class ClientList(BaseModel):
    """One page of clients."""

    objects: list[ClientView]
    total: int


class NewClient(fields.Body):
    """A client to create."""

    name: fields.Name


class ClientChange(fields.Body):
    """What to change; what is left out stays. rps_per_host: null is unlimited."""

    name: fields.Name | None = None
    tests_stopped: bool | None = None
    rps_per_host: Annotated[int, Field(ge=1, le=1000)] | None = None


class MemberView(BaseModel):
    """A user as a member of this client."""

    id: str
    email: str
    name: str
    role: RoleName
    is_owner: bool
    is_active: bool
    created_at: int


class MemberList(BaseModel):
    """One page of members."""

    objects: list[MemberView]
    total: int


class NewMember(fields.Body):
    """A user to add. Without a password the user signs in by other means, or once one is set."""

    email: Address
    role: MemberRole
    name: Annotated[str, Field(max_length=fields.MAX_NAME)] = ""
    password: Password | None = None

    @field_validator("password")
    @classmethod
    def strong(cls, value: str | None) -> str | None:
        """Refuse a weak password with the framework's reasons."""
        return _strong(value)


class MemberChange(fields.Body):
    """What to change; what is left out stays."""

    role: MemberRole | None = None
    name: Annotated[str, Field(max_length=fields.MAX_NAME)] | None = None
    password: Password | None = None

    @field_validator("password")
    @classmethod
    def strong(cls, value: str | None) -> str | None:
        """Refuse a weak password with the framework's reasons."""
        return _strong(value)


class TokenView(BaseModel):
    """A token without its text. deployment: it may manage clients. node_id: the test node that it is tied to."""

    id: str
    name: str
    role: RoleName
    deployment: bool
    node_id: str | None
    created_at: int
    expires_at: int | None
    revoked_at: int | None
    last_used_at: int | None


class TokenCreated(TokenView):
    """A new token. token: its text, shown this once."""

    token: str


class TokenList(BaseModel):
    """One page of tokens."""

    objects: list[TokenView]
    total: int


class NewToken(fields.Body):
    """A token to issue."""

    name: fields.Name
    role: RoleName
    expires_at: Expiry | None = None
    node_id: str | None = None

    @field_validator("expires_at")
    @classmethod
    def ahead(cls, value: int | None) -> int | None:
        """Refuse a token that is over before it begins."""
        return _ahead(value)

    @field_validator("node_id")
    @classmethod
    def known_here(cls, value: str | None) -> str | None:
        """Refuse a node that the client does not have; its runs would have nowhere to go."""
        if value is not None and not there().filter(id=value).exists():
            raise refuse("not_found")
        return value


class TokenChange(fields.Body):
    """What to change; what is left out stays. An explicit null for `expires_at` takes the expiry away."""

    name: fields.Name | None = None
    expires_at: Expiry | None = None

    @field_validator("expires_at")
    @classmethod
    def ahead(cls, value: int | None) -> int | None:
        """Refuse an expiry in the past; to end a token, revoke it."""
        return _ahead(value)


class AuditEntryView(BaseModel):
    """One change: who (a token, a user or `system`) did what to what, and when.

    actor_name: the token's name or the user's address, null where nobody knows it any more.
    """

    id: str
    at: int
    actor: str
    actor_name: str | None
    action: str
    target: str
    detail: dict[str, Any]


class AuditFilter(fields.Page):
    """Which changes are wanted: by whom (an identifier or a name), which, to what; each as the entry has it."""

    actor: fields.Part | None = None
    action: fields.Part | None = None
    target: fields.Part | None = None


class AuditList(BaseModel):
    """One page of the audit log, the newest first."""

    objects: list[AuditEntryView]
    total: int


def _ahead(value: int | None) -> int | None:
    earliest = now() + 1
    if value is not None and value < earliest:
        raise refuse("out_of_range", min=earliest)
    return value


def _strong(value: str | None) -> str | None:
    if value is not None:
        try:
            validate_password(value)
        except ValidationError as error:
            raise refuse("invalid_value", reason=" ".join(error.messages)) from error
    return value
