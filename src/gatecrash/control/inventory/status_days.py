"""Endpoints by status over time: what entered and left each status on a day, and the counts that follow from it.

The counts of the present are on the endpoints' own rows. Those of an earlier day are the present ones without what
happened since, so a day costs three rows however many endpoints there are, and no job has to look at midnight.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from gatecrash.control import wall
from gatecrash.control.bulk_sql import select
from gatecrash.control.inventory import bulk
from gatecrash.control.inventory.mapping import STATUSES
from gatecrash.control.inventory.models import StatusDay

DAY = 86400
MOST_DAYS = 90  # that anybody can ask for
# Those with traffic; an endpoint without any is in no count of a day.
COUNTED = tuple(number for number, name in enumerate(STATUSES) if name)


def note(moves: Iterable[tuple[int, int]], at: int) -> None:
    """Add endpoints' moves from one status to another, in the caller's transaction.

    moves: numbers of `mapping.STATUSES`; UNCOUNTED before the first count and after the end. at: UNIX seconds.
    """
    net: Counter[int] = Counter()
    for before, after in moves:
        net[before] -= 1
        net[after] += 1
    client_id, day = wall.required(), at // DAY
    rows = [(client_id, day, status, net[status]) for status in COUNTED if net[status]]
    bulk.upsert("inventory_statusday", ("day", "status"), ("entered",), rows)


def days(count: int, at: int) -> list[dict[str, Any]]:
    """The last so many days, the oldest first: `day` (UNIX seconds of its beginning, UTC) and endpoints by status.

    Each as at the day's end, the last one as of now. Intentionally public endpoints count by their status.
    """
    client_id, last = wall.required(), at // DAY
    # One statement: both halves must see the same moment.
    rows = select(
        f"SELECT -1 AS day, status, COUNT(*) FROM {bulk.ENDPOINTS} WHERE client_id = %s AND status > 0 GROUP BY status"  # noqa: S608 - our names
        " UNION ALL SELECT day, status, entered FROM inventory_statusday WHERE client_id = %s AND day > %s",
        [client_id, client_id, last - count],
    )
    now = {status: number for day, status, number in rows if day < 0}
    moved = Counter({(min(day, last), status): number for day, status, number in rows if day >= 0})
    found = []
    for day in range(last, last - count, -1):
        found.append({"day": day * DAY, **{str(STATUSES[status]): now.get(status, 0) for status in COUNTED}})
        now = {status: now.get(status, 0) - moved[day, status] for status in COUNTED}
    return found[::-1]


def forget(at: int) -> None:
    """Drop the days that nobody can ask for any more."""
    StatusDay.objects.filter(day__lt=at // DAY - MOST_DAYS).delete()
