"""What is told of endpoints whose authentication status became Missing or Partial."""

from collections.abc import Sequence
from typing import Any

from gatecrash.control.inventory.mapping import STATUSES
from gatecrash.control.inventory.models import Endpoint
from gatecrash.control.news import News

MOST = 20
"""Endpoints that are named in one piece of news; one batch of counts may bring thousands."""
_TOLD = (STATUSES.index("missing"), STATUSES.index("partial"))


def less_guarded(changed: Sequence[tuple[int, int, int]], at: int) -> News | None:
    """News of status changes. changed: endpoint's number, status before and after, by `mapping.STATUSES`. at: UNIX seconds.

    What is public on purpose is left out, as it is of every alarm; None where nothing is left.
    """
    moves = {number: (before, after) for number, before, after in changed if after in _TOLD}
    if not moves:
        return None
    public = set(Endpoint.objects.filter(public_until__gt=at).values_list("number", flat=True))
    numbers = sorted(moves.keys() - public)
    if not numbers:
        return None
    rows = Endpoint.objects.filter(number__in=numbers[:MOST]).order_by("number")
    shown, total = [_endpoint(row, *moves[row.number]) for row in rows], len(numbers)
    path = f"/inventory/{shown[0]['id']}/" if total == 1 else "/inventory/"
    return News(_text(shown, total), path, {"total": total, "endpoints": shown})


def _endpoint(row: Endpoint, before: int, after: int) -> dict[str, Any]:
    """before: null where the endpoint is new, or had no traffic."""
    return {
        "id": row.public_id,
        "protocol": row.protocol,
        "method": row.method,
        "host": row.host,
        "path": row.path,
        "operation": row.operation or None,
        "before": STATUSES[before] if before > 0 else None,
        "status": STATUSES[after],
    }


def _text(shown: Sequence[dict[str, Any]], total: int) -> str:
    first = shown[0]
    if total == 1:
        return f"Authentication is now {first['status']} at {first['method']} {first['host']}{first['path']}."
    return f"Authentication is now missing or partial at {total} endpoints."
