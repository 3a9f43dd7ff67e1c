"""Changes to authentication parameters and to the counts of observed traffic."""

from django.db import transaction

from gatecrash.control import ids, wall
from gatecrash.control.accounts import audit
from gatecrash.control.accounts.models import Client
from gatecrash.control.accounts.services import bump_config
from gatecrash.control.api import metrics
from gatecrash.control.api.errors import FieldErrors, problem
from gatecrash.control.clock import now
from gatecrash.control.ids import Prefix
from gatecrash.control.inventory import bulk, counting, mapping, settling
from gatecrash.control.inventory.models import AuthParameter, following
from gatecrash.core.auth.parameters import DEFAULTS
from gatecrash.core.point import Point
from gatecrash.wire.counts import Added, Counts

MAX_CUSTOM = 1000
WINDOW_HOURS = 168
BATCHES_KEPT_SECONDS = 8 * 86400
# Rows in one transaction of the window's roll, so that SQLite's one writer is never held for long.
CHUNK = 1000

_DEFAULT_POINTS = frozenset(DEFAULTS)


def add_auth_parameter(point: Point, given: object) -> AuthParameter:
    """Add a custom parameter to the current client; nodes get it at their next heartbeat.

    given: the point as the caller wrote it, for the answer. Raises FieldErrors: `already_exists` for a duplicate, a
    default included; `out_of_range` at the limit.
    """
    client_id = wall.required()
    if point in _DEFAULT_POINTS:
        raise FieldErrors({"point": problem("already_exists", given)})
    with transaction.atomic():
        Client.objects.select_for_update().get(id=client_id)  # one after the other, so that the limit holds
        digest = mapping.point_digest(point)
        if AuthParameter.objects.filter(digest=digest).exists():
            raise FieldErrors({"point": problem("already_exists", given)})
        if AuthParameter.objects.count() >= MAX_CUSTOM:
            raise FieldErrors({"point": problem("out_of_range", given, max=MAX_CUSTOM)})
        row = AuthParameter.objects.create(
            id=ids.new(Prefix.AUTH_PARAMETER),
            point=list(point),
            digest=digest,
            created_at=now(),
            position=following(AuthParameter),
        )
        bump_config(client_id)
        audit.record("auth_parameter.create", row.id, point=list(point))
    return row


def remove_auth_parameter(row: AuthParameter) -> bool:
    """Remove a custom parameter of the current client, false where another has done so already; what was counted stays."""
    with transaction.atomic():
        removed = bool(row.delete()[0])
        if removed:
            bump_config(wall.required())
            audit.record("auth_parameter.delete", row.id, point=list(row.point))
    return removed


def apply_counts(client_id: str, node_id: str, batch: Counts, *, at: int | None = None, version: str = "") -> Added:
    """Add a node's batch to hourly counts and sums, once: repeated it changes nothing and is answered alike.

    at: UNIX seconds, the present by default. Rows whose hour has left the window are counted as late and not kept; an
    hour ahead of our clock is counted as the present one. version: kind and version of a node without detection, for
    endpoints to show. Raises ProtocolMismatch where the numbers are impossible.
    """
    mapping.check(batch)
    moment = now() if at is None else at
    hour = moment // 3600
    kept = [count for count in batch.endpoints if count.hour > hour - WINDOW_HOURS]
    late = len(batch.endpoints) - len(kept)
    with wall.client(client_id), transaction.atomic():
        bulk.one_writer()
        known = bulk.claim_batch(node_id, batch.spool, batch.sequence, late=late, at=moment)
        if known is not None:
            return Added(sequence=batch.sequence, late=known)
        if kept:
            counting.add(kept, moment, undetected=None if batch.detection else (node_id, version))
    metrics.COUNT_ROWS.add(len(kept), outcome="added")
    metrics.COUNT_ROWS.add(late, outcome="late")
    return Added(sequence=batch.sequence, late=late)


def roll_window(*, at: int | None = None) -> None:
    """Take the current client's hours that left the window out of the sums, in chunks; also with no traffic at all."""
    moment = now() if at is None else at
    first = moment // 3600 - WINDOW_HOURS + 1
    for table in bulk.HOURLY:
        while _chunk(table, first, moment):
            pass
    while _forget(moment - BATCHES_KEPT_SECONDS):
        pass


def _chunk(table: str, first: int, moment: int) -> bool:
    with transaction.atomic():
        bulk.one_writer()
        touched = bulk.drop_before(table, first, CHUNK)
        if touched and table == "hourly_parameter":
            settling.narrow_types(touched)
        if touched and table == "hourly_count":
            settling.settle(touched, moment)
    return bool(touched)


def _forget(before: int) -> bool:
    with transaction.atomic():
        return bulk.forget_batches(before, CHUNK) > 0
