"""What people decide about vulnerabilities: states, comments and suppressions."""

# ruff: noqa: ARG001 - ninja reads path parameters from the arguments' names; the gate has looked them up already

from typing import Annotated, Any, Literal

from django.http import HttpRequest
from ninja import Query, Router
from pydantic import BaseModel, Field

from gatecrash.control.accounts.reading_names import named
from gatecrash.control.api import fields
from gatecrash.control.api.caller import Caller, found
from gatecrash.control.api.envelope import Answer, ok
from gatecrash.control.api.gate import identifier, still_there
from gatecrash.control.api.operation import operation
from gatecrash.control.api.roles import EDIT, READ
from gatecrash.control.findings import triage
from gatecrash.control.findings.models import Suppression

router = Router(tags=["vulnerabilities"])

Code = Annotated[str, Field(min_length=1, max_length=16)]
MOST_SECONDS = 2**53


class Decision(fields.Body):
    """A new state, a comment, or both."""

    state: Literal["open", "fixed", "accepted", "false_positive"] | None = None
    comment: fields.Description = ""


class NewSuppression(fields.Body):
    """A code that must not fail a pipeline. expires_at: UNIX seconds; null for no end."""

    code: Code
    reason: Annotated[str, Field(min_length=1, max_length=fields.MAX_DESCRIPTION)]
    expires_at: Annotated[int, Field(ge=0, le=MOST_SECONDS)] | None = None


class SuppressionView(BaseModel):
    """A suppression. active: its end, if it has one, is not over. actor_name: as in the audit log."""

    id: str
    code: str
    reason: str
    actor: str
    actor_name: str | None
    created_at: int
    expires_at: int | None
    active: bool


class SuppressionList(BaseModel):
    """A part of the client's suppressions."""

    objects: list[SuppressionView]
    total: int


class SuppressionFilter(fields.Page):
    """Which suppressions are wanted."""

    code: fields.Name | None = None


class Deleted(BaseModel):
    """What was removed."""

    id: str


@identifier("suppression_id")
def load(_caller: Caller, value: str) -> Suppression | None:
    """The suppression of a path."""
    return Suppression.objects.filter(id=value).first()


@router.get("/suppressions", **operation(READ, SuppressionList, query=True, summary="List suppressions"))
def list_suppressions(request: HttpRequest, wanted: Query[SuppressionFilter]) -> Answer:
    """The client's suppressions, the newest first."""
    part, total = fields.page(triage.suppressions(wanted.code), wanted)
    return ok({"objects": named([triage.shown(row) for row in part]), "total": total})


@router.post("/suppressions", **operation(EDIT, SuppressionView, body=True, summary="Suppress a code"))
def create(request: HttpRequest, body: NewSuppression) -> Answer:
    """Keep a code from failing pipelines; runs and their states stay as they are."""
    return ok(named([triage.shown(triage.suppress(body.code, body.reason, body.expires_at))])[0])


@router.get("/suppressions/{suppression_id}", **operation(READ, SuppressionView, summary="Read a suppression"))
def show(request: HttpRequest, suppression_id: str) -> Answer:
    """A suppression."""
    return ok(named([triage.shown(found(request, "suppression_id"))])[0])


@router.delete("/suppressions/{suppression_id}", **operation(EDIT, Deleted, summary="Delete a suppression"))
def delete(request: HttpRequest, suppression_id: str) -> Answer:
    """Delete a suppression: its code fails pipelines again."""
    row: Any = found(request, "suppression_id")
    still_there(triage.unsuppress(row), "suppression_id")
    return ok({"id": suppression_id})
