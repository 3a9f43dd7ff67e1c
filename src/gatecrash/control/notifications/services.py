"""Changes to webhooks. Secrets are given out once, when they are made."""

import time
from typing import Any

import msgspec
from django.db import transaction

from gatecrash.control import ids, wall
from gatecrash.control.accounts import audit
from gatecrash.control.accounts.models import Client
from gatecrash.control.api.errors import FieldErrors, problem
from gatecrash.control.clock import now
from gatecrash.control.ids import Prefix
from gatecrash.control.news import News
from gatecrash.control.notifications import destinations, hearing, signing
from gatecrash.control.notifications.mapping import Sealed, seal, unseal
from gatecrash.control.notifications.models import Delivery, Webhook

MOST = 20
TEST = "webhook.test"
# Both secrets sign for so long after a new one was made, so that no receiver has to change at the same moment.
OVERLAP_SECONDS = 24 * 3600


def create(wanted: dict[str, Any]) -> tuple[Webhook, str]:
    """A webhook of the current client, and its secret. wanted: validated fields. Raises FieldErrors at the limit."""
    client_id = wall.required()
    secret = signing.new_secret()
    with transaction.atomic():
        Client.objects.select_for_update().get(id=client_id)  # one after the other, so that the limit holds
        if Webhook.objects.count() >= MOST:
            raise FieldErrors({"name": problem("out_of_range", wanted["name"], max=MOST)})
        row_id, moment = ids.new(Prefix.WEBHOOK), now()
        row = Webhook.objects.create(
            id=row_id,
            name=wanted["name"],
            origin=destinations.read(wanted["url"]).origin,
            sealed=seal(row_id, client_id, Sealed(wanted["url"], secret)),
            events=wanted["events"],
            enabled=wanted["enabled"],
            created_at=moment,
            updated_at=moment,
        )
        audit.record("webhook.create", row.id, name=row.name, origin=row.origin, events=row.events)
    return row, secret


def change(row: Webhook, wanted: dict[str, Any]) -> Webhook:
    """Change the given fields. A new address, or one that is turned on, is tried at once."""
    with transaction.atomic():
        row = Webhook.objects.select_for_update().get(id=row.id)
        for name in ("name", "events", "enabled"):
            setattr(row, name, wanted.get(name, getattr(row, name)))
        if "url" in wanted:
            row.origin = destinations.read(wanted["url"]).origin
            row.sealed = seal(row.id, row.client_id, msgspec.structs.replace(unseal(row), url=wanted["url"]))
        row.resting_until = 0.0
        row.updated_at = now()
        row.save()
        audit.record("webhook.change", row.id, name=row.name, origin=row.origin, fields=sorted(wanted))
    return row


def replace_secret(row: Webhook) -> tuple[Webhook, str]:
    """A new secret. The one before signs beside it for a day; one before that no more."""
    secret = signing.new_secret()
    with transaction.atomic():
        row = Webhook.objects.select_for_update().get(id=row.id)
        before = unseal(row)
        fresh = Sealed(before.url, secret, before.secret, time.time() + OVERLAP_SECONDS)
        row.sealed, row.updated_at = seal(row.id, row.client_id, fresh), now()
        row.save()
        audit.record("webhook.replace_secret", row.id, name=row.name)
    return row, secret


def delete(row: Webhook) -> bool:
    """Remove a webhook with all that waits for it; false where another has done so already."""
    with transaction.atomic():
        if not Webhook.objects.select_for_update().filter(id=row.id).exists():
            return False
        Delivery.objects.filter(webhook_id=row.id).delete()
        row.delete()
        audit.record("webhook.delete", row.id, name=row.name, origin=row.origin)
    return True


def send_test(row: Webhook) -> None:
    """Send a message that says nothing happened, at once, to this webhook alone. Raises FieldErrors (409) where it is off."""
    if not row.enabled:
        words = "The webhook is off; turn it on first."
        raise FieldErrors({"webhook_id": problem("action_not_allowed", row.id, message=words)})
    with transaction.atomic():
        told = News(f"This is a test of the webhook “{row.name}”.", f"/webhooks/{row.id}/", {"webhook_id": row.id})
        hearing.note(TEST, told, [row])
        Webhook.objects.filter(id=row.id).update(resting_until=0.0)
        audit.record("webhook.test", row.id, name=row.name)
