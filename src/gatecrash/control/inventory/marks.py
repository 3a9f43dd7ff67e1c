"""Intentionally public marks: made, removed, expired. A mark leaves the alarms, never the inventory. Part of `services`."""

from django.db import transaction

from gatecrash.control import ids
from gatecrash.control.accounts import audit
from gatecrash.control.api.errors import FieldErrors, problem
from gatecrash.control.clock import now
from gatecrash.control.ids import Prefix
from gatecrash.control.inventory.bulk import NEVER
from gatecrash.control.inventory.models import Endpoint, PublicMark


def mark_public(endpoint_id: str, reason: str, owner: str, expires_at: int | None) -> PublicMark:
    """Mark an endpoint of the current client; a mark that expired gives way.

    Raises FieldErrors: `not_found` for the endpoint, `out_of_range` for an expiry that is over, `already_exists`.
    """
    moment = now()
    endpoint = Endpoint.objects.filter(public_id=endpoint_id).first() if ids.is_shaped(endpoint_id) else None
    faults = {}
    if endpoint is None:
        faults["endpoint_id"] = problem("not_found", endpoint_id)
    if expires_at is not None and expires_at <= moment:
        faults["expires_at"] = problem("out_of_range", expires_at, min=moment + 1)
    if endpoint is None or faults:
        raise FieldErrors(faults)
    with transaction.atomic():
        locked = Endpoint.objects.select_for_update().get(number=endpoint.number)
        if locked.public_until > moment:
            raise FieldErrors({"endpoint_id": problem("already_exists", endpoint_id)})
        PublicMark.objects.filter(endpoint_number=locked.number).delete()
        row = PublicMark.objects.create(
            id=ids.new(Prefix.PUBLIC_MARK),
            endpoint_number=locked.number,
            reason=reason,
            owner=owner,
            expires_at=expires_at,
            created_at=moment,
        )
        Endpoint.objects.filter(number=locked.number).update(public_until=NEVER if expires_at is None else expires_at)
        audit.record(
            "public_mark.create", row.id, endpoint=endpoint_id, reason=reason, owner=owner, expires_at=expires_at
        )
    return row


def remove_mark(row: PublicMark, *, action: str = "public_mark.delete") -> bool:
    """Take a mark off: its endpoint is in the alarms again. False where another has done so already."""
    with transaction.atomic():
        removed = bool(PublicMark.objects.filter(id=row.id).delete()[0])
        if removed:
            Endpoint.objects.filter(number=row.endpoint_number).update(public_until=0)
            audit.record(action, row.id, owner=row.owner)
    return removed


def expire_marks(at: int) -> None:
    """Take marks off whose time is over. Until then they are already of no effect: every read looks at the clock."""
    for row in PublicMark.objects.filter(expires_at__lte=at):
        remove_mark(row, action="public_mark.expire")
