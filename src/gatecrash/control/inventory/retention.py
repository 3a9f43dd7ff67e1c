"""What leaves the inventory by itself: endpoints unseen for 30 days, long histories, marks whose time is over."""

from django.db import transaction

from gatecrash.control import wall
from gatecrash.control.bulk_sql import execute
from gatecrash.control.inventory import bulk, marks, merging, status_days
from gatecrash.control.inventory.mapping import DOCUMENTED
from gatecrash.control.inventory.models import Endpoint

UNSEEN_SECONDS = 30 * 86400
HISTORY_KEPT = 100
CHUNK = 200


def forget(at: int) -> None:
    """Tidy the current client's inventory, in chunks. What a document tells of stays, as unused. at: UNIX seconds."""
    marks.expire_marks(at)
    while _forget_unseen(at):
        pass
    _trim_history()
    status_days.forget(at)


def _forget_unseen(at: int) -> bool:
    unseen = Endpoint.objects.filter(last_seen__lt=at - UNSEEN_SECONDS).exclude(first_seen=None)
    with transaction.atomic():
        bulk.one_writer()
        numbers = list(unseen.exclude(document=DOCUMENTED).values_list("number", flat=True)[:CHUNK])
        if numbers:
            merging.remove(numbers, at)
    return bool(numbers)


def _trim_history() -> None:
    client_id = wall.required()
    execute(
        "DELETE FROM inventory_statuschange WHERE client_id = %s AND number IN (SELECT number FROM (SELECT number,"
        " ROW_NUMBER() OVER (PARTITION BY endpoint_number ORDER BY number DESC) AS place FROM inventory_statuschange"
        " WHERE client_id = %s) AS ranked WHERE place > %s)",
        [client_id, client_id, HISTORY_KEPT],
    )
