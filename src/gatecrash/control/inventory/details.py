"""What is shown of one endpoint beside its row: the hours of the window, the history, who is without, what was weak."""

import json
from typing import Any

from gatecrash.control import wall
from gatecrash.control.bulk_sql import select
from gatecrash.control.inventory import views
from gatecrash.control.inventory.models import PublicMark

WINDOW_HOURS = 168
HISTORY_SHOWN = 100
MOST_NOTES_SHOWN = 200
_CLASSES = 5

Document = dict[str, Any]


def details(number: int, at: int) -> Document:
    """Series, history, clients without credentials, weaknesses and the public mark of an endpoint, at a UNIX second."""
    return {
        "series": series(number, at),
        "history": history(number),
        "without": without(number, at),
        "notes": notes(number),
        "public_mark": _mark(number, at),
    }


def series(number: int, at: int) -> list[Document]:
    """168 hours, the oldest first, those without traffic too. hour: UNIX seconds of its beginning."""
    last = at // 3600
    hours = range(last - WINDOW_HOURS + 1, last + 1)
    rows = select(
        "SELECT hour, requests, authenticated, refused FROM hourly_count"  # noqa: S608 - our names
        f" WHERE client_id = %s AND hour IN ({_marks(hours)}) AND endpoint = %s",
        [wall.required(), *hours, number],
    )
    known = {hour: values for hour, *values in rows}
    return [
        dict(
            zip(
                ("hour", "requests", "authenticated", "refused"),
                (hour * 3600, *known.get(hour, (0, 0, 0))),
                strict=True,
            )
        )
        for hour in hours
    ]


def history(number: int) -> list[Document]:
    """Changes of the status, the newest first."""
    rows = select(
        "SELECT at, before, after FROM inventory_statuschange WHERE client_id = %s AND endpoint_number = %s"
        " ORDER BY number DESC LIMIT %s",
        [wall.required(), number, HISTORY_SHOWN],
    )
    return [views.status_change(row) for row in rows]


def without(number: int, at: int) -> Document:
    """Who came without valid authentication within the window: how often, since when, which clients, which answers.

    since: UNIX seconds of the first such request in the window; None where there was none.
    """
    last = at // 3600
    hours = range(last - WINDOW_HOURS + 1, last + 1)
    rows = select(
        "SELECT family, status, SUM(requests), MIN(first_seen), MAX(last_seen) FROM hourly_without"  # noqa: S608 - our names
        f" WHERE client_id = %s AND hour IN ({_marks(hours)}) AND endpoint = %s GROUP BY family, status",
        [wall.required(), *hours, number],
    )
    families: dict[str, Document] = {}
    for family, status, requests, first, until in rows:
        one = families.setdefault(
            family, {"family": family, "requests": 0, "since": first, "last_seen": until, "statuses": _no_answers()}
        )
        one["requests"] += int(requests)
        one["since"] = min(one["since"], first)
        one["last_seen"] = max(one["last_seen"], until)
        one["statuses"][f"{status}xx" if status else "unknown"] += int(requests)
    clients = sorted(families.values(), key=lambda one: (-one["requests"], one["family"]))
    statuses = _no_answers()
    for one in clients:
        for name, requests in one["statuses"].items():
            statuses[name] += requests
    return {
        "requests": sum(one["requests"] for one in clients),
        "since": min((one["since"] for one in clients), default=None),
        "last_seen": max((one["last_seen"] for one in clients), default=None),
        "statuses": statuses,
        "clients": clients,
    }


def notes(number: int) -> list[Document]:
    """Weaknesses of credentials that traffic showed by itself, the most frequent first; never with a value."""
    rows = select(
        "SELECT k.type, k.point, n.requests, n.first_seen, n.last_seen FROM endpoint_note n"
        " JOIN inventory_credentialkind k ON k.client_id = n.client_id AND k.number = n.credential"
        " WHERE n.client_id = %s AND n.endpoint = %s ORDER BY n.requests DESC, n.credential LIMIT %s",
        [wall.required(), number, MOST_NOTES_SHOWN],
    )
    return [
        {
            "kind": kind,
            "point": [json.loads(point) if isinstance(point, str) else point],
            "requests": requests,
            "first_seen": first,
            "last_seen": last,
        }
        for kind, point, requests, first, last in rows
    ]


def _mark(number: int, at: int) -> Document | None:
    """The endpoint's mark where it has not expired."""
    row = PublicMark.objects.filter(endpoint_number=number).first()
    if row is None or (row.expires_at is not None and row.expires_at <= at):
        return None
    return {name: getattr(row, name) for name in ("id", "reason", "owner", "expires_at", "created_at")}


def _no_answers() -> dict[str, int]:
    return dict.fromkeys((*(f"{number + 1}xx" for number in range(_CLASSES)), "unknown"), 0)


def _marks(values: range) -> str:
    return ", ".join(["%s"] * len(values))
