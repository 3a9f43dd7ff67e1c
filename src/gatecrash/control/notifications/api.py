"""Webhooks: list, read, register, change, delete; a new secret, a test, and what was sent."""

# ruff: noqa: ARG001 - ninja reads path parameters from the arguments' names; the gate has looked them up already

from typing import Any

from django.http import HttpRequest
from ninja import Query, Router

from gatecrash.control.api import fields
from gatecrash.control.api.caller import Caller, found
from gatecrash.control.api.envelope import Answer, ok
from gatecrash.control.api.gate import identifier, still_there
from gatecrash.control.api.operation import operation
from gatecrash.control.api.roles import EDIT, READ
from gatecrash.control.notifications import queries, services
from gatecrash.control.notifications.bodies import (
    Deleted,
    DeliveryList,
    NewWebhook,
    WebhookChange,
    WebhookList,
    WebhookSecret,
    WebhookView,
)
from gatecrash.control.notifications.mapping import shown, shown_delivery
from gatecrash.control.notifications.models import Webhook

router = Router(tags=["webhooks"])


@identifier("webhook_id")
def load(_caller: Caller, value: str) -> Webhook | None:
    """The webhook of a path."""
    return queries.find(value)


@router.get("/webhook", **operation(READ, WebhookList, query=True, summary="List webhooks"))
def list_webhooks(request: HttpRequest, wanted: Query[fields.Page]) -> Answer:
    """The client's webhooks by name."""
    part, total = fields.page(queries.rows(), wanted)
    waiting = queries.waiting(row.id for row in part)
    return ok({"objects": [shown(row, waiting.get(row.id, 0)) for row in part], "total": total})


@router.post(
    "/webhook",
    **operation(
        EDIT,
        WebhookSecret,
        body=True,
        summary="Register a webhook",
        examples={
            "findings and ended runs": {
                "name": "team chat",
                "url": "http://127.0.0.1:9000/gatecrash",
                "events": ["test_run.ended", "vulnerability.found"],
            }
        },
    ),
)
def create(request: HttpRequest, body: NewWebhook) -> Answer:
    """Register an address; the answer has the secret that its messages are signed with, this once."""
    row, secret = services.create(body.model_dump())
    return ok({**_one(row), "secret": secret})


@router.get("/webhook/{webhook_id}", **operation(READ, WebhookView, summary="Read a webhook"))
def show(request: HttpRequest, webhook_id: str) -> Answer:
    """A webhook, without its secret."""
    return ok(_one(found(request, "webhook_id")))


@router.patch("/webhook/{webhook_id}", **operation(EDIT, WebhookView, body=True, summary="Change a webhook"))
def change(request: HttpRequest, webhook_id: str, body: WebhookChange) -> Answer:
    """Change the given fields. While it is off nothing is kept for it, and what waited waits on, a day at most."""
    return ok(_one(services.change(found(request, "webhook_id"), body.given())))


@router.delete("/webhook/{webhook_id}", **operation(EDIT, Deleted, summary="Delete a webhook"))
def delete(request: HttpRequest, webhook_id: str) -> Answer:
    """Remove a webhook, and what was to be sent to it."""
    still_there(services.delete(found(request, "webhook_id")), "webhook_id")
    return ok({"id": webhook_id})


@router.post("/webhook/{webhook_id}/secret", **operation(EDIT, WebhookSecret, summary="Replace a webhook's secret"))
def replace_secret(request: HttpRequest, webhook_id: str) -> Answer:
    """Make a new secret, shown this once; for a day messages are signed with the one before, too."""
    row, secret = services.replace_secret(found(request, "webhook_id"))
    return ok({**_one(row), "secret": secret})


@router.post(
    "/webhook/{webhook_id}/test", **operation(EDIT, WebhookView, conflict=True, summary="Send a webhook a test")
)
def test(request: HttpRequest, webhook_id: str) -> Answer:
    """Send a message that says that nothing happened; 409 where the webhook is off."""
    row = found(request, "webhook_id")
    services.send_test(row)
    return ok(_one(row))


@router.get(
    "/webhook/{webhook_id}/deliveries",
    **operation(READ, DeliveryList, query=True, summary="List what was sent to a webhook"),
)
def deliveries(request: HttpRequest, webhook_id: str, wanted: Query[fields.Page]) -> Answer:
    """What was and will be sent, the newest first; what is over is kept for a week, 200 of a webhook at most."""
    part, total = fields.page(queries.deliveries(webhook_id), wanted)
    return ok({"objects": [shown_delivery(row) for row in part], "total": total})


def _one(row: Webhook) -> dict[str, Any]:
    return shown(row, queries.waiting([row.id]).get(row.id, 0))
