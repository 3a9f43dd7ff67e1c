"""The audit log: every change writes one entry, in the change's own transaction."""

from gatecrash.control import ids, wall
from gatecrash.control.accounts import actor
from gatecrash.control.accounts.models import AuditEntry, Client
from gatecrash.control.clock import now
from gatecrash.control.ids import Prefix

JSONValue = str | int | bool | None | list[str] | list[list[str]]


def record(action: str, target: str, **detail: JSONValue) -> None:
    """Note that who acts did `action` (`token.create`) to `target`, in the current client. No secret goes in."""
    AuditEntry.objects.create(
        public_id=ids.new(Prefix.AUDIT), at=now(), actor=actor.current(), action=action, target=target, detail=detail
    )


def record_for_all(action: str, **detail: JSONValue) -> None:
    """Note what was done to the whole installation in the log of each client; the target is the client."""
    for client_id in Client.objects.order_by("id").values_list("id", flat=True):
        with wall.client(client_id):
            record(action, client_id, **detail)
