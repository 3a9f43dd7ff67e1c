"""Pages of webhooks: the list, one with what was sent to it, and the forms. A secret is shown once, when it is made."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.debug import sensitive_post_parameters

from gatecrash.control.api.errors import FieldErrors
from gatecrash.control.api.roles import EDIT, READ
from gatecrash.control.notifications import queries, services
from gatecrash.control.notifications.bodies import NewWebhook, WebhookChange
from gatecrash.control.notifications.mapping import shown, shown_delivery
from gatecrash.control.notifications.models import Webhook
from gatecrash.control.ui import words
from gatecrash.control.ui.forms import Field, Form, sent
from gatecrash.control.ui.listing import listing
from gatecrash.control.ui.page import is_live, page

DELIVERY_ROWS = 20
_NAME = Field("name", "Name", required=True, hint="Who is told, or by what: “team chat”.")
_URL = "https to any public address. It is sealed, and shown again as its origin only."
_EVENTS = Field("events", "Tell it when", "checks", choices=tuple(words.EVENTS.items()), initial=tuple(words.EVENTS))
_ENABLED = Field(
    "enabled", "Turned on", "check", initial=True, hint="While it is off, what happens is not kept for it."
)


@page(READ)
def webhooks(request: HttpRequest) -> HttpResponse:
    """The client's webhooks and how the last try at each ended."""
    found = listing(request, queries.rows())
    waiting = queries.waiting(row.id for row in found.rows)
    context = {"list": found, "webhooks": [shown(row, waiting.get(row.id, 0)) for row in found.rows]}
    return render(request, "notifications/webhooks.html", context)


@page(READ)
def webhook(request: HttpRequest, webhook_id: str) -> HttpResponse:
    """One webhook and its deliveries, which come anew while something waits."""
    row = find(webhook_id)
    if is_live(request):
        return render(request, "notifications/deliveries.html", _context(request, row))
    return _one(request, row, "")


@sensitive_post_parameters()
@page(EDIT, "GET", "POST")
def new_webhook(request: HttpRequest) -> HttpResponse:
    """Register an address."""
    fields = (_NAME, Field("url", "Address", required=True, hint=_URL), _EVENTS, _ENABLED)
    form = Form(fields, sent(request))
    order = form.checked(NewWebhook) if request.method == "POST" else None
    if order is not None:
        try:
            row, secret = services.create(order.model_dump())
        except FieldErrors as error:
            form.refuse(error)
        else:
            return _one(request, row, secret)
    context = {"form": form, "webhook": None}
    return render(request, "notifications/form.html", context, status=400 if form.problems else 200)


@sensitive_post_parameters()
@page(EDIT, "GET", "POST")
def change_webhook(request: HttpRequest, webhook_id: str) -> HttpResponse:
    """Change a webhook; where the address is left empty it stays."""
    row = find(webhook_id)
    address = Field("url", "New address", hint=f"Empty: the present one at {row.origin} stays.")
    initial = {"name": row.name, "events": row.events, "enabled": row.enabled}
    form = Form((_NAME, address, _EVENTS, _ENABLED), sent(request), initial)
    order = form.checked(WebhookChange) if request.method == "POST" else None
    if order is not None:
        services.change(row, order.given())
        messages.success(request, f"The webhook “{order.name}” is changed.")
        return redirect("webhook", webhook_id=row.id)
    context = {"form": form, "webhook": row}
    return render(request, "notifications/form.html", context, status=400 if form.problems else 200)


@page(EDIT, "POST")
def test_webhook(request: HttpRequest, webhook_id: str) -> HttpResponse:
    """Send a message that says that nothing happened."""
    row = find(webhook_id)
    try:
        services.send_test(row)
    except FieldErrors as error:
        messages.warning(request, words.problem(error.problems["webhook_id"]))
    else:
        messages.success(request, "A test is on its way; the list below says what becomes of it.")
    return redirect("webhook", webhook_id=row.id)


@page(EDIT, "POST")
def replace_secret(request: HttpRequest, webhook_id: str) -> HttpResponse:
    """Make a new secret and show it this once."""
    row, secret = services.replace_secret(find(webhook_id))
    return _one(request, row, secret, is_replaced=True)


@page(EDIT, "POST")
def delete_webhook(request: HttpRequest, webhook_id: str) -> HttpResponse:
    """Remove a webhook and what was to be sent to it."""
    row = find(webhook_id)
    services.delete(row)
    messages.success(request, f"The webhook “{row.name}” is deleted.")
    return redirect("webhooks")


def find(webhook_id: str) -> Webhook:
    """The client's webhook of this identifier. Raises Http404."""
    row = queries.find(webhook_id)
    if row is None:
        raise Http404
    return row


def _one(request: HttpRequest, row: Webhook, secret: str, *, is_replaced: bool = False) -> HttpResponse:
    context = _context(request, row) | {"secret": secret, "is_replaced": is_replaced, "events": words.EVENTS}
    return render(request, "notifications/webhook.html", context)


def _context(request: HttpRequest, row: Webhook) -> dict[str, Any]:
    found = listing(request, queries.deliveries(row.id), DELIVERY_ROWS)
    waiting = queries.waiting([row.id]).get(row.id, 0)
    return {
        "webhook": shown(row, waiting),
        "list": found,
        "deliveries": [shown_delivery(one) for one in found.rows],
    }
