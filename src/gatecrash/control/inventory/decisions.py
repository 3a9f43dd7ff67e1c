"""What a client decides about its inventory: documents, pins, splits, and how shares are read. Part of `services`."""

from django.db import IntegrityError, transaction
from django.db.models import Q

from gatecrash.control import ids, wall
from gatecrash.control.accounts import audit
from gatecrash.control.accounts.models import Client
from gatecrash.control.accounts.services import bump_config
from gatecrash.control.api.errors import FieldErrors, problem
from gatecrash.control.clock import now
from gatecrash.control.ids import Prefix
from gatecrash.control.inventory import bulk, mapping, settling
from gatecrash.control.inventory.models import (
    ApiDocument,
    Endpoint,
    EndpointAlias,
    InventorySettings,
    TemplateRule,
    following,
)
from gatecrash.control.inventory.reading import Read
from gatecrash.control.jobs import services as jobs

ARRANGE = "arrange_inventory"
MOST_DOCUMENTS = 200
MOST_RULES = 1000


def change_settings(*, leave_refused_out: bool) -> None:
    """Leave answers 401 and 403 out of the shares, or take them in; every status follows in the same transaction."""
    with transaction.atomic():
        bulk.one_writer()
        row = InventorySettings.objects.first() or InventorySettings()
        if row.leave_refused_out == leave_refused_out and row.pk:
            return
        row.leave_refused_out = leave_refused_out
        row.save()
        settling.settle(None, now())
        audit.record("inventory.settings", wall.required(), leave_refused_out=leave_refused_out)


def add_document(name: str, given: Read) -> ApiDocument:
    """Take a new document. Raises FieldErrors: `already_exists` for its name, `out_of_range` at the limit."""
    moment = now()
    try:
        with transaction.atomic():
            _lock_client()
            if ApiDocument.objects.count() >= MOST_DOCUMENTS:
                raise FieldErrors({"name": problem("out_of_range", name, max=MOST_DOCUMENTS)})
            row = ApiDocument(
                id=ids.new(Prefix.API_DOCUMENT), name=name, created_at=moment, position=following(ApiDocument)
            )
            _write(row, given, moment)
            audit.record("api_document.create", row.id, name=name)
    except IntegrityError as error:
        raise FieldErrors({"name": problem("already_exists", name)}) from error
    return row


def replace_document(row: ApiDocument, given: Read) -> ApiDocument:
    """Put another version in a document's place."""
    with transaction.atomic():
        _write(row, given, now())
        audit.record("api_document.change", row.id, name=row.name)
    return row


def remove_document(row: ApiDocument) -> bool:
    """Take a document away, false where another has done so already.

    What it merged stays merged for the past and counts by itself from now on.
    """
    with transaction.atomic():
        removed = bool(ApiDocument.objects.filter(id=row.id).delete()[0])
        if removed:
            audit.record("api_document.delete", row.id, name=row.name)
            _changed()
    return removed


def add_rule(kind: str, host: str, template: str) -> TemplateRule:
    """Pin or split a template. Raises FieldErrors: `already_exists`, `out_of_range` at the limit."""
    with transaction.atomic():
        _lock_client()
        digest = mapping.digest([kind, host, template])
        if TemplateRule.objects.filter(digest=digest).exists():
            raise FieldErrors({"template": problem("already_exists", template)})
        if TemplateRule.objects.count() >= MOST_RULES:
            raise FieldErrors({"template": problem("out_of_range", template, max=MOST_RULES)})
        row = TemplateRule.objects.create(
            id=ids.new(Prefix.TEMPLATE_RULE),
            kind=kind,
            host=host,
            template=template,
            digest=digest,
            created_at=now(),
            position=following(TemplateRule),
        )
        if kind == "split":
            _part(host, template)
        audit.record(f"template.{kind}", row.id, host=host, template=template)
        _changed()
    return row


def remove_rule(row: TemplateRule) -> bool:
    """Take a pin or a split back; false where another has done so already."""
    with transaction.atomic():
        removed = bool(TemplateRule.objects.filter(id=row.id).delete()[0])
        if removed:
            audit.record("template.delete", row.id, kind=row.kind, template=row.template)
            _changed()
    return removed


def _part(host: str, template: str) -> None:
    """What became part of the template's endpoints counts for itself from now on; old identifiers still redirect."""
    merged = Endpoint.objects.filter(Q(path=template) | Q(path__startswith=f"{template}/"))
    if host:
        merged = merged.filter(host=host)
    EndpointAlias.objects.filter(target__in=merged.values("number"), decided=False).update(digest=None)


def _write(row: ApiDocument, given: Read, moment: int) -> None:
    row.title, row.version, row.openapi = given.title, given.version, given.openapi
    row.servers = [list(server) for server in given.servers]
    row.operations = [list(operation) for operation in given.operations]
    row.updated_at = moment
    row.save()
    _changed()


def _changed() -> None:
    """Nodes hear of it at their next heartbeat, and the inventory is put in order."""
    client_id = wall.required()
    bump_config(client_id)
    jobs.enqueue(ARRANGE, client_id=client_id)


def _lock_client() -> None:
    Client.objects.select_for_update().get(id=wall.required())  # one after the other, so that limits hold
