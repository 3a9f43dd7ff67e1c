"""From news to deliveries: one row for each webhook that wants it, in the transaction of what happened.

Rows are only added here, never locked: whoever tells holds locks of its own. `work` finds them.
"""

import json
import time
from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.db.models import F

from gatecrash.control import ids, wall
from gatecrash.control.accounts.models import Client
from gatecrash.control.ids import Prefix
from gatecrash.control.news import About, News
from gatecrash.control.notifications.models import WAITING, Delivery, Webhook

VERSION = 1
MOST_WAITING = 1000
"""Deliveries that may wait for one webhook; what happens beyond is counted and not kept."""


def hear(kind: str, about: About) -> None:
    """Note the news for the client's webhooks that are on and want this kind."""
    wall.required()  # in a system context the webhooks of every client would hear it
    wanting = [row for row in Webhook.objects.filter(enabled=True).order_by("id") if kind in row.events]
    told = about() if wanting else None
    if told is not None:
        note(kind, told, wanting)


def note(kind: str, told: News, webhooks: Iterable[Webhook]) -> None:
    """One delivery for each webhook, all of the same event."""
    now = time.time()
    event_id = ids.new(Prefix.EVENT)
    body = json.dumps(document(event_id, kind, told, int(now)), ensure_ascii=False, separators=(",", ":"))
    made = []
    for webhook in webhooks:
        if Delivery.objects.filter(webhook=webhook, state=WAITING).count() >= MOST_WAITING:
            Webhook.objects.filter(id=webhook.id).update(dropped=F("dropped") + 1)
            continue
        made.append(
            Delivery(
                id=ids.new(Prefix.DELIVERY),
                webhook=webhook,
                event_id=event_id,
                kind=kind,
                body=body,
                next_at=now,
                created_at=int(now),
            )
        )
    Delivery.objects.bulk_create(made)


def document(event_id: str, kind: str, told: News, at: int) -> dict[str, Any]:
    """What is sent. at: UNIX seconds."""
    client = Client.objects.get(id=wall.required())
    return {
        "version": VERSION,
        "id": event_id,
        "type": kind,
        "at": at,
        "client": {"id": client.id, "name": client.name},
        "text": told.text,
        "url": link(told.path),
        "data": told.data,
    }


def link(path: str) -> str:
    """The address of a page as people outside reach it; the path alone where nobody told the service its own address."""
    own = settings.PUBLIC_URL or (settings.OWN_ADDRESSES[0] if settings.OWN_ADDRESSES else "")
    return f"{own}{path}"
