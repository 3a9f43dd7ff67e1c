"""After counts changed: each touched endpoint's status and types are made to fit them, and changes go to the history."""

import json
from collections.abc import Collection

from django.db import connection

from gatecrash.control import news, wall
from gatecrash.control.bulk_sql import execute, insert, select
from gatecrash.control.inventory import shares, status_days, telling
from gatecrash.control.inventory.bulk import ENDPOINTS
from gatecrash.control.inventory.mapping import TYPE_BITS

# More endpoints than this are found by reading all: 50,000 rows are read in some 10 ms.
_NAMED = 2000


def settle(touched: Collection[int] | None, at: int) -> None:
    """Give the touched endpoints (None: all) the status that their sums have; at: UNIX seconds, for the history.

    Runs in the caller's transaction. The first status of a new endpoint is no change of its own history, but one of the
    day's counts.
    """
    client_id = wall.required()
    status = shares.current().status
    where, named = ("", []) if touched is None or len(touched) > _NAMED else _among("number", touched)
    changed = select(
        f"SELECT number, status, {status} FROM {ENDPOINTS} WHERE client_id = %s AND status <> {status}{where}",  # noqa: S608 - our names
        [client_id, *named],
    )
    if not changed:
        return
    status_days.note(((before, after) for _, before, after in changed), at)
    insert(
        "INSERT INTO inventory_statuschange (client_id, endpoint_number, at, before, after) VALUES (%s, %s, %s, %s, %s)",
        [(client_id, number, at, before, after) for number, before, after in changed if before >= 0],
    )
    execute(
        # A change is one between two statuses; traffic that ends or begins again has its own badge.
        f"UPDATE {ENDPOINTS} SET changed_at = CASE WHEN status > 0 AND {status} > 0 THEN %s ELSE changed_at END,"  # noqa: S608 - our names
        f" status = {status} WHERE client_id = %s AND status <> {status}{where}",
        [at, client_id, *named],
    )
    news.tell(news.ENDPOINT_STATUS, lambda: telling.less_guarded(changed, at))


def widen_types(bits: dict[int, int], at: int) -> None:
    """Add the types of valid values to endpoints. bits: by endpoint. Counts that are added can only add types."""
    client_id = wall.required()
    groups: dict[int, list[int]] = {}
    for number, value in bits.items():
        groups.setdefault(value, []).append(number)
    for value, numbers in groups.items():
        where, named = _among("number", numbers)
        execute(
            f"UPDATE {ENDPOINTS} SET types = types | %s, changed_at = CASE WHEN status > 0 THEN %s ELSE changed_at END"  # noqa: S608 - our names
            f" WHERE client_id = %s AND (types & %s) <> %s{where}",
            [value, at, client_id, value, value, *named],
        )


def narrow_types(touched: Collection[int]) -> None:
    """Take the types away that no parameter of these endpoints has any more."""
    client_id = wall.required()
    where, named = _among("r.endpoint", touched)
    rows = select(
        "SELECT DISTINCT r.endpoint, k.type FROM rollup_parameter r JOIN inventory_credentialkind k"  # noqa: S608 - our names
        f" ON k.client_id = r.client_id AND k.number = r.credential WHERE r.client_id = %s AND r.valid > 0{where}",
        [client_id, *named],
    )
    bits = dict.fromkeys(touched, 0)
    for number, type_ in rows:
        bits[number] |= TYPE_BITS.get(type_, 0)
    insert(
        f"UPDATE {ENDPOINTS} SET types = %s WHERE client_id = %s AND number = %s AND types <> %s",  # noqa: S608 - our names
        [(value, client_id, number, value) for number, value in sorted(bits.items())],
    )


def _among(column: str, numbers: Collection[int]) -> tuple[str, list[object]]:
    """A condition on numbers with its parameter; one prepared statement for any length."""
    listed = list(numbers)
    if connection.vendor == "postgresql":
        return f" AND {column} = ANY(%s::bigint[])", [listed]
    return f" AND {column} IN (SELECT value FROM json_each(%s))", [json.dumps(listed)]  # noqa: S608 - our names
