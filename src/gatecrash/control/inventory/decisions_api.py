"""What a client decides about its inventory, over the API: public marks, OpenAPI documents, pins and splits, settings."""

# ruff: noqa: ARG001 - ninja reads path parameters from the arguments' names; the gate has looked them up already

from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Query, Router
from pydantic import Field

from gatecrash.control.api import fields
from gatecrash.control.api.caller import Caller, found
from gatecrash.control.api.envelope import Answer, ok
from gatecrash.control.api.errors import ApiError, FieldErrors, problem
from gatecrash.control.api.gate import identifier, still_there
from gatecrash.control.api.operation import EITHER_REFUSAL, operation, refusing
from gatecrash.control.api.roles import EDIT, READ
from gatecrash.control.api.upload import stream, uploading
from gatecrash.control.inventory import decisions, marks, queries, reading, schemas, views
from gatecrash.control.inventory.models import OLDEST_FIRST, ApiDocument, PublicMark, TemplateRule

router = Router(tags=["inventory"])

SETTINGS = "/clients/{client_id}/apid/config/inventory"
TYPES = ("application/json", "application/yaml", "application/octet-stream")


@identifier("public_mark_id")
def _mark(_caller: Caller, value: str) -> PublicMark | None:
    return PublicMark.objects.filter(id=value).first()


@identifier("api_document_id")
def _document(_caller: Caller, value: str) -> ApiDocument | None:
    return ApiDocument.objects.filter(id=value).first()


@identifier("template_rule_id")
def _rule(_caller: Caller, value: str) -> TemplateRule | None:
    return TemplateRule.objects.filter(id=value).first()


@router.get(SETTINGS, **operation(READ, schemas.SettingsView, summary="Read how the inventory is read"))
def read_settings(request: HttpRequest, client_id: str) -> Answer:
    """Whether refused requests are left out of the shares."""
    return ok({"leave_refused_out": queries.leaves_refused_out()})


@router.patch(SETTINGS, **operation(EDIT, schemas.SettingsView, body=True, summary="Change how the inventory is read"))
def change_settings(request: HttpRequest, client_id: str, body: schemas.SettingsChange) -> Answer:
    """Leave answers 401 and 403 out of status, coverage, filters and exports, or take them in again."""
    decisions.change_settings(leave_refused_out=body.leave_refused_out)
    return ok({"leave_refused_out": body.leave_refused_out})


@router.get("/public_marks", **operation(READ, schemas.PublicMarkList, query=True, summary="List public marks"))
def list_marks(request: HttpRequest, wanted: Query[fields.Page]) -> Answer:
    """The endpoints that are public on purpose, the newest mark first."""
    rows, total = fields.page(queries.public_marks(), wanted)
    names = queries.public_ids([row.endpoint_number for row in rows])
    return ok({"objects": [views.public_mark(row, names[row.endpoint_number]) for row in rows], "total": total})


@router.post(
    "/public_marks",
    **operation(EDIT, schemas.PublicMarkView, body=True, conflict=True, summary="Mark an endpoint as public"),
)
def mark_public(request: HttpRequest, body: schemas.NewPublicMark) -> Answer:
    """Mark an endpoint as intentionally public: it leaves the alarms, not the inventory, until the mark expires."""
    row = marks.mark_public(body.endpoint_id, body.reason, body.owner, body.expires_at)
    return ok(views.public_mark(row, body.endpoint_id))


@router.get("/public_marks/{public_mark_id}", **operation(READ, schemas.PublicMarkView, summary="Read a public mark"))
def read_mark(request: HttpRequest, public_mark_id: str) -> Answer:
    """One mark."""
    return ok(_shown_mark(found(request, "public_mark_id")))


@router.delete(
    "/public_marks/{public_mark_id}", **operation(EDIT, schemas.PublicMarkView, summary="Remove a public mark")
)
def remove_mark(request: HttpRequest, public_mark_id: str) -> Answer:
    """Take the mark off: the endpoint is in the alarms again."""
    row = found(request, "public_mark_id")
    shown = _shown_mark(row)
    still_there(marks.remove_mark(row), "public_mark_id")
    return ok(shown)


@router.get("/api_documents", **operation(READ, schemas.ApiDocumentList, query=True, summary="List API documents"))
def list_documents(request: HttpRequest, wanted: Query[fields.Page]) -> Answer:
    """The uploaded OpenAPI documents, the oldest first."""
    rows, total = fields.page(ApiDocument.objects.order_by(*OLDEST_FIRST), wanted)
    return ok({"objects": [views.api_document(row) for row in rows], "total": total})


class DocumentHost(fields.Query):
    """Which host the document is of. host: takes the place of those that its servers name."""

    host: Annotated[str, Field(min_length=1, max_length=reading.LONGEST_HOST)] | None = None


def _taking(summary: str) -> dict[str, Any]:
    """Arguments of a route that takes a document: its query may be refused by the field, its body as a whole."""
    arguments = uploading(EDIT, schemas.ApiDocumentWhole, TYPES, summary=summary)
    refusing(arguments, {400: EITHER_REFUSAL})
    return arguments


class NewDocument(DocumentHost):
    """The document's name, once a client."""

    name: Annotated[str, Field(min_length=1, max_length=fields.MAX_NAME)]


@router.post("/api_documents", **_taking("Upload an API document"))
def add_document(request: HttpRequest, wanted: Query[NewDocument]) -> Answer:
    """Upload an OpenAPI document, 3.0 or 3.1, as JSON or YAML, gzipped or not, of 16 MiB at most.

    Its templates win where they match; endpoints on its hosts become `documented`, `shadow` or `unused`.
    """
    return ok(views.api_document_whole(decisions.add_document(wanted.name, _read(request, wanted.host))))


@router.get(
    "/api_documents/{api_document_id}", **operation(READ, schemas.ApiDocumentWhole, summary="Read an API document")
)
def read_document(request: HttpRequest, api_document_id: str) -> Answer:
    """One document with its operations."""
    return ok(views.api_document_whole(found(request, "api_document_id")))


@router.put("/api_documents/{api_document_id}", **_taking("Replace an API document"))
def replace_document(request: HttpRequest, api_document_id: str, wanted: Query[DocumentHost]) -> Answer:
    """Put another version in its place."""
    row = decisions.replace_document(found(request, "api_document_id"), _read(request, wanted.host))
    return ok(views.api_document_whole(row))


@router.delete(
    "/api_documents/{api_document_id}", **operation(EDIT, schemas.ApiDocumentWhole, summary="Delete an API document")
)
def remove_document(request: HttpRequest, api_document_id: str) -> Answer:
    """Delete a document: endpoints that only it told of go with it."""
    row = found(request, "api_document_id")
    still_there(decisions.remove_document(row), "api_document_id")
    return ok(views.api_document_whole(row))


@router.get("/template_rules", **operation(READ, schemas.TemplateRuleList, query=True, summary="List pins and splits"))
def list_rules(request: HttpRequest, wanted: Query[fields.Page]) -> Answer:
    """The decisions on templates, the oldest first."""
    rows, total = fields.page(TemplateRule.objects.order_by(*OLDEST_FIRST), wanted)
    return ok({"objects": [views.template_rule(row) for row in rows], "total": total})


@router.post(
    "/template_rules",
    **operation(EDIT, schemas.TemplateRuleView, body=True, conflict=True, summary="Pin or split a template"),
)
def add_rule(request: HttpRequest, body: schemas.NewTemplateRule) -> Answer:
    """Make all that matches a template one endpoint (pin), or keep apart what was merged into it (split)."""
    if not body.template.startswith("/"):
        raise FieldErrors({"template": problem("invalid_value", body.template, message="It must begin with a slash.")})
    return ok(views.template_rule(decisions.add_rule(body.kind, (body.host or "").lower(), body.template)))


@router.get(
    "/template_rules/{template_rule_id}", **operation(READ, schemas.TemplateRuleView, summary="Read a pin or split")
)
def read_rule(request: HttpRequest, template_rule_id: str) -> Answer:
    """One decision."""
    return ok(views.template_rule(found(request, "template_rule_id")))


@router.delete(
    "/template_rules/{template_rule_id}", **operation(EDIT, schemas.TemplateRuleView, summary="Remove a pin or split")
)
def remove_rule(request: HttpRequest, template_rule_id: str) -> Answer:
    """Take it back."""
    row = found(request, "template_rule_id")
    still_there(decisions.remove_rule(row), "template_rule_id")
    return ok(views.template_rule(row))


def _shown_mark(row: PublicMark) -> views.Document:
    return views.public_mark(row, queries.public_ids([row.endpoint_number])[row.endpoint_number])


def _read(request: HttpRequest, host: str | None) -> reading.Read:
    """The uploaded document. Raises ApiError: 413 over 16 MiB, 400 with the place where it cannot be read."""
    with stream(request, reading.MOST_BYTES) as body:
        data = body.read()
    try:
        return reading.read(data, host)
    except reading.UnreadableDocument as error:
        raise ApiError("invalid_value", f"The OpenAPI document cannot be read. {error}") from error
