"""Sealing again under the first key what an older one sealed, so that the older one may be forgotten.

Every column of sealed values is named here. A value is changed only where it is still the one that was read, so the
service may work meanwhile; the second factors of users belong to no client and are done by their own module.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from django.db import transaction

from gatecrash.control import bulk_sql, vault, wall
from gatecrash.control.accounts import audit, two_factor
from gatecrash.control.accounts.models import Client
from gatecrash.control.testruns import surveying

ROWS = 50
_HEAD = 21  # version, key name and nonce: no two sealed values share it


class Column(NamedTuple):
    """A column of sealed values. key: what names a row within a client. named: the row's name in the seal, by its key."""

    table: str
    column: str
    key: tuple[str, ...]
    named: Callable[..., str]


class Outcome(NamedTuple):
    """resealed: values under the first key now. unopened: those whose key is not in the ring, or that were changed."""

    resealed: int
    unopened: int


COLUMNS = (
    Column("testruns_baseline", "exchange", ("record_id", "id"), lambda record, name: f"{record}/{name}"),
    Column("testruns_baseline", "head", ("record_id", "id"), lambda record, name: f"{record}/{name}/head"),
    Column("findings_evidence", "evidence", ("vulnerability_id",), str),
    Column("profiles_authprofilerow", "sealed", ("id",), str),
    Column("notifications_webhook", "sealed", ("id",), str),
    Column("testruns_testrun", "recorded", ("id",), surveying.named),
    Column("testruns_testrun", "answered", ("id",), surveying.named_answers),
)


def reseal() -> Outcome:
    """Seal everything with the first key. May be repeated, and goes on where it was cut off."""
    done, unopened = two_factor.reseal()
    for client_id in list(Client.objects.order_by("id").values_list("id", flat=True)):
        with wall.client(client_id):
            parts = [_column(column, client_id) for column in COLUMNS]
            resealed = sum(number for number, _ in parts)
            if resealed:
                audit.record("key.reseal", client_id, values=resealed)
            done, unopened = done + resealed, unopened + sum(left for _, left in parts)
    return Outcome(done, unopened)


def _column(column: Column, client_id: str) -> Outcome:
    last: Sequence[str] = ("",) * len(column.key)
    done = unopened = 0
    while rows := _older(column, client_id, last):
        last = rows[-1][:-1]
        fresh = []
        for *key, sealed in rows:
            again = _again(bytes(sealed), client_id, column.named(*key))
            if again is None:
                unopened += 1
            else:
                fresh.append((again, *key, bytes(sealed)[:_HEAD]))
        done += _write(column, client_id, fresh)
    return Outcome(done, unopened)


def _older(column: Column, client_id: str, last: Sequence[str]) -> list[tuple[Any, ...]]:
    """The next rows whose value an older key sealed; deleted profiles have an empty one."""
    names, marks = ", ".join(column.key), ", ".join(["%s"] * len(column.key))
    return bulk_sql.select(
        f"SELECT {names}, {column.column} FROM {column.table} WHERE client_id = %s AND ({names}) > ({marks}) "  # noqa: S608 - names from above
        f"AND length({column.column}) > 0 AND substr({column.column}, 2, 8) <> %s ORDER BY {names} LIMIT %s",
        [client_id, *last, vault.vault().first, ROWS],
    )


def _again(sealed: bytes, client_id: str, row: str) -> bytes | None:
    try:
        return vault.vault().reseal(sealed, client_id=client_id, row=row)
    except vault.CannotOpen:
        return None


def _write(column: Column, client_id: str, fresh: Sequence[tuple[object, ...]]) -> int:
    same = " AND ".join(f"{name} = %s" for name in column.key)
    sql = (
        f"UPDATE {column.table} SET {column.column} = %s WHERE client_id = %s AND {same} "  # noqa: S608 - names from above
        f"AND substr({column.column}, 1, {_HEAD}) = %s"
    )
    with transaction.atomic():
        return sum(bulk_sql.execute(sql, [value, client_id, *rest]) for value, *rest in fresh)
