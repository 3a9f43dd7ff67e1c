"""Reads of webhooks and deliveries."""

from collections.abc import Iterable
from typing import Any

from django.db.models import Count

from gatecrash.control import ids
from gatecrash.control.notifications.models import WAITING, Delivery, Webhook


def rows() -> Any:
    """The client's webhooks by name."""
    return Webhook.objects.order_by("name", "id")


def find(webhook_id: str) -> Webhook | None:
    """The row of one of the current client; None where there is none."""
    found: Webhook | None = rows().filter(id=webhook_id).first() if ids.is_shaped(webhook_id) else None
    return found


def deliveries(webhook_id: str) -> Any:
    """What was and will be sent to a webhook, the newest first; identifiers begin with their moment."""
    return Delivery.objects.filter(webhook_id=webhook_id).order_by("-id")


def waiting(webhook_ids: Iterable[str]) -> dict[str, int]:
    """How many deliveries are not over, by webhook; those with none are missing."""
    counted = Delivery.objects.filter(webhook__in=list(webhook_ids), state=WAITING).values("webhook_id")
    return {row["webhook_id"]: row["number"] for row in counted.annotate(number=Count("id"))}
