"""A webhook's sealed part, and webhooks and deliveries as they may be shown: never a secret, never more than the origin."""

from typing import Any

import msgspec

from gatecrash.control import vault
from gatecrash.control.notifications.models import WAITING, Delivery, Webhook


class Sealed(msgspec.Struct, frozen=True):
    """What is sealed. previous: the secret before, which signs too until `previous_until` (UNIX seconds)."""

    url: str
    secret: str
    previous: str = ""
    previous_until: float = 0.0

    def keys(self, now: float) -> list[str]:
        """The secrets that sign now, the newest first."""
        return [self.secret, self.previous] if self.previous and now < self.previous_until else [self.secret]


def seal(row_id: str, client_id: str, content: Sealed) -> bytes:
    """The content, encrypted for its row."""
    return vault.seal(msgspec.json.encode(content), client_id=client_id, row=row_id)


def unseal(row: Webhook) -> Sealed:
    """The content of a row. Raises CannotOpen where its key is gone."""
    return msgspec.json.decode(vault.unseal(row.sealed, client_id=row.client_id, row=row.id), type=Sealed)


def shown(row: Webhook, waiting: int) -> dict[str, Any]:
    """A webhook as the API shows it. waiting: its deliveries that are not over."""
    return {
        "id": row.id,
        "name": row.name,
        "origin": row.origin,
        "events": row.events,
        "enabled": row.enabled,
        "waiting": waiting,
        "dropped": row.dropped,
        "last_at": row.last_at,
        "last_status": row.last_status,
        "last_error": row.last_error,
        "created_at": row.created_at,
        "updated_at": row.updated_at,
    }


def shown_delivery(row: Delivery) -> dict[str, Any]:
    """A delivery as the API shows it."""
    return {
        "id": row.id,
        "event_id": row.event_id,
        "type": row.kind,
        "state": row.state,
        "tries": row.tries,
        "tried_at": row.tried_at,
        "status": row.status,
        "error": row.error,
        "next_at": int(row.next_at) if row.state == WAITING else None,
        "created_at": row.created_at,
    }
