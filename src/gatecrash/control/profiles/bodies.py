"""Bodies and answers of auth profiles, for checking and for the OpenAPI document."""

from typing import Any, ClassVar, Literal

from pydantic import BaseModel, Field

from gatecrash.control.api import fields
from gatecrash.core.testing.profiles.profile_document import MOST_IDENTITIES

_WRITE_ONLY: dict[str, Any] = {"writeOnly": True}


class NewProfile(fields.Body):
    """An auth profile as people write it (docs/auth-profiles.md). What it holds is read as a whole.

    All but name, base and identities may stand in an identity too, which then has its own.
    """

    secret: ClassVar[bool] = True

    name: fields.Name
    base: Any = Field(default=None, description="origin that the steps' paths belong to; the baseline's where null")
    check: Any = Field(default=None, description="a safe request that tells whether a session lives: url, status, …")
    identities: Any = Field(
        default=None,
        description=f"up to {MOST_IDENTITIES}, each with name and rank; the first is the one tests are sent as",
        json_schema_extra=_WRITE_ONLY,
    )
    variables: Any = Field(default=None, description="names and texts", json_schema_extra=_WRITE_ONLY)
    values: Any = Field(default=None, description="points and the texts set there", json_schema_extra=_WRITE_ONLY)
    login: Any = Field(default=None, description="requests that make a session", json_schema_extra=_WRITE_ONLY)
    refresh: Any = Field(default=None, description="requests that renew one", json_schema_extra=_WRITE_ONLY)
    oauth2: Any = Field(default=None, description="a grant in the place of login", json_schema_extra=_WRITE_ONLY)
    expires_in: Any = Field(default=None, description="seconds that a session lives")
    cookies: Any = Field(default=None, description="false: the login's cookies are not kept")
    renew: Any = Field(default=None, description="what is taken from the answer to every request")
    once: Any = Field(default=None, description="values that serve one request", json_schema_extra=_WRITE_ONLY)
    sign: Any = Field(default=None, description="a signature over each request", json_schema_extra=_WRITE_ONLY)
    hosts: Any = Field(default=None, description="where the credentials may go, as in ALLOWED_HOSTS")

    def document(self) -> dict[str, Any]:
        """The fields that were given and are not null."""
        return self.model_dump(exclude_none=True)


class IdentityView(BaseModel):
    """An identity without any of its values. points: where its credentials stand. variables: their names.

    check: whether it names a request that tells of its session's life. hosts: where its credentials may go.
    """

    name: str
    rank: int
    kinds: list[Literal["values", "login", "refresh", "renew", "once", "sign"]]
    points: list[list[str]]
    variables: list[str]
    login_steps: int
    refresh_steps: int
    signature: str | None
    check: bool
    hosts: str


class ProfileView(BaseModel):
    """An auth profile without its secrets, which are never shown again. created_at, updated_at: UNIX seconds."""

    id: str
    name: str
    base: str
    identities: list[IdentityView]
    created_at: int
    updated_at: int


class ProfileList(BaseModel):
    """A part of the client's auth profiles."""

    objects: list[ProfileView]
    total: int


class Deleted(BaseModel):
    """What was removed."""

    id: str
