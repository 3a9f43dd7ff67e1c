"""The bulk table of recorded baselines: the one place that reads and writes it.

A row is (client, record, sequence): its exchange and its head (method and address) are sealed by the vault for exactly
this client and identifier, for both may hold credentials. duplicate: a keyed digest that is equal for identical requests.
Rows may hold megabytes, so the table keeps SQLite's row numbers; a table without them wants short rows.
"""

from collections.abc import Iterable, Sequence

import msgspec

from gatecrash.control import bulk_sql, vault, wall
from gatecrash.core.message import Exchange
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.fingerprint import endpoint_of
from gatecrash.formats.draft import Draft, unpacked

CREATE = (
    """
    CREATE TABLE testruns_baseline (
        client_id varchar(64) NOT NULL,
        record_id varchar(64) NOT NULL,
        sequence integer NOT NULL,
        id varchar(64) NOT NULL,
        duplicate varchar(64) NOT NULL,
        size integer NOT NULL,
        recorded_at bigint NOT NULL,
        head {bytes} NOT NULL,
        exchange {bytes} NOT NULL,
        PRIMARY KEY (client_id, record_id, sequence)
    )
    """,
    "CREATE UNIQUE INDEX testruns_baseline_id ON testruns_baseline (client_id, record_id, id)",
    "CREATE INDEX testruns_baseline_duplicate ON testruns_baseline (client_id, record_id, duplicate)",
)

_exchange = msgspec.msgpack.Decoder(Exchange)


class Head(msgspec.Struct, frozen=True, array_like=True):
    """What lists show of a baseline without opening the whole of it. operation: of its endpoint; rows of old have none."""

    method: str
    url: str
    operation: str = ""


class Sealed(msgspec.Struct, frozen=True):
    """A baseline ready to be stored; sealing megabytes has no place inside a transaction."""

    id: str
    duplicate: str
    size: int
    recorded_at: int
    head: bytes
    exchange: bytes


_head = msgspec.msgpack.Decoder(Head)


def seal(record_id: str, baseline: Baseline, url: str, duplicate: str, recorded_at: int) -> Sealed:
    """Encrypt a baseline for its row. url: as lists show it."""
    client_id = wall.required()
    head = msgspec.msgpack.encode(Head(baseline.request.method, url, endpoint_of(baseline.request).operation))
    exchange = msgspec.msgpack.encode(baseline.exchange)
    return Sealed(
        baseline.id,
        duplicate,
        len(exchange),
        recorded_at,
        vault.seal(head, client_id=client_id, row=f"{record_id}/{baseline.id}/head"),
        vault.seal(exchange, client_id=client_id, row=f"{record_id}/{baseline.id}"),
    )


def store(record_id: str, first: int, rows: Iterable[Sealed]) -> None:
    """Insert baselines of the current client under sequence numbers from `first` on."""
    client_id = wall.required()
    bulk_sql.insert(
        "INSERT INTO testruns_baseline "
        "(client_id, record_id, sequence, id, duplicate, size, recorded_at, head, exchange) "
        "VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s)",
        [(client_id, record_id, first + place, *msgspec.structs.astuple(row)) for place, row in enumerate(rows)],
    )


def known(record_id: str, ids: Sequence[str]) -> set[str]:
    """Which of the identifiers the record has already."""
    rows = bulk_sql.select_in(
        "SELECT id FROM testruns_baseline WHERE client_id = %s AND record_id = %s AND id IN ({})",
        (wall.required(), record_id),
        ids,
    )
    return {row[0] for row in rows}


def known_duplicates(record_id: str, keys: Sequence[str], before: int) -> set[str]:
    """Which of the digests the record has already, before a sequence."""
    sql = (
        "SELECT DISTINCT duplicate FROM testruns_baseline "
        "WHERE client_id = %s AND record_id = %s AND sequence < %s AND duplicate IN ({})"
    )
    return {row[0] for row in bulk_sql.select_in(sql, (wall.required(), record_id, before), keys)}


def alike(record_id: str, keys: Sequence[str], most: int) -> dict[str, list[Baseline]]:
    """The baselines that the record has of these digests, up to so many of each."""
    rows = bulk_sql.select_in(
        "SELECT duplicate, id FROM testruns_baseline WHERE client_id = %s AND record_id = %s AND duplicate IN ({})",
        (wall.required(), record_id),
        keys,
    )
    ids: dict[str, list[str]] = {}
    for key, identifier in rows:
        ids.setdefault(key, []).append(identifier)
    found = read(record_id, [identifier for each in ids.values() for identifier in each[:most]])
    return {key: [found[identifier] for identifier in each[:most] if identifier in found] for key, each in ids.items()}


def after(record_id: str, sequence: int, until: int, limit: int) -> list[tuple[int, str, Baseline]]:
    """(sequence, digest, baseline) of the next rows behind a sequence, up to another."""
    client_id = wall.required()
    rows = bulk_sql.select(
        "SELECT sequence, duplicate, id, exchange FROM testruns_baseline WHERE client_id = %s AND record_id = %s AND sequence > %s AND sequence <= %s "
        "ORDER BY sequence LIMIT %s",
        (client_id, record_id, sequence, until, limit),
    )
    return [(row[0], row[1], _opened(client_id, record_id, row[2], row[3])) for row in rows]


def read(record_id: str, ids: Sequence[str]) -> dict[str, Baseline]:
    """The baselines of these identifiers."""
    client_id = wall.required()
    rows = bulk_sql.select_in(
        "SELECT id, exchange FROM testruns_baseline WHERE client_id = %s AND record_id = %s AND id IN ({})",
        (client_id, record_id),
        ids,
    )
    return {row[0]: _opened(client_id, record_id, row[0], row[1]) for row in rows}


def drafts_after(record_id: str, sequence: int, limit: int) -> tuple[int | None, list[tuple[str, Draft]]]:
    """The drafts without an answer among the next rows behind a sequence, and the last row's; None behind the last."""
    client_id = wall.required()
    rows = bulk_sql.select(
        "SELECT sequence, id, exchange FROM testruns_baseline WHERE client_id = %s AND record_id = %s AND sequence > %s "
        "ORDER BY sequence LIMIT %s",
        (client_id, record_id, sequence, limit),
    )
    found = []
    for _, identifier, sealed in rows:
        draft = unpacked(vault.unseal(sealed, client_id=client_id, row=f"{record_id}/{identifier}"))
        if draft.drafted and draft.response is None:
            found.append((identifier, draft))
    return (rows[-1][0] if rows else None), found


def heads(record_id: str, ids: Sequence[str]) -> dict[str, Head]:
    """Method and address of the baselines of these identifiers."""
    client_id = wall.required()
    rows = bulk_sql.select_in(
        "SELECT id, head FROM testruns_baseline WHERE client_id = %s AND record_id = %s AND id IN ({})",
        (client_id, record_id),
        ids,
    )
    return {
        row[0]: _head.decode(vault.unseal(row[1], client_id=client_id, row=f"{record_id}/{row[0]}/head"))
        for row in rows
    }


def sequences(record_id: str, ids: Sequence[str]) -> dict[str, int]:
    """The sequence number of each baseline."""
    rows = bulk_sql.select_in(
        "SELECT id, sequence FROM testruns_baseline WHERE client_id = %s AND record_id = %s AND id IN ({})",
        (wall.required(), record_id),
        ids,
    )
    return {row[0]: int(row[1]) for row in rows}


def sizes(record_id: str, ids: Sequence[str]) -> dict[str, int]:
    """How many bytes each baseline has."""
    rows = bulk_sql.select_in(
        "SELECT id, size FROM testruns_baseline WHERE client_id = %s AND record_id = %s AND id IN ({})",
        (wall.required(), record_id),
        ids,
    )
    return {row[0]: row[1] for row in rows}


def delete(record_id: str, limit: int) -> int:
    """Delete up to so many baselines of a record; how many there were."""
    client_id = wall.required()
    return bulk_sql.execute(
        "DELETE FROM testruns_baseline WHERE client_id = %s AND record_id = %s AND sequence IN "
        "(SELECT sequence FROM testruns_baseline WHERE client_id = %s AND record_id = %s ORDER BY sequence LIMIT %s)",
        (client_id, record_id, client_id, record_id, limit),
    )


def _opened(client_id: str, record_id: str, baseline_id: str, sealed: bytes) -> Baseline:
    plain = vault.unseal(sealed, client_id=client_id, row=f"{record_id}/{baseline_id}")
    return Baseline(baseline_id, _exchange.decode(plain))
