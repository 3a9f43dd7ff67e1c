"""The bulk tables' shape, for their migrations: keyed by client, without foreign keys (see `bulk.py`).

An hour's rows lie together: a batch touches the end of the table, and the hour that leaves the window is one range.
"""

from collections.abc import Iterable
from typing import Any

# requests, authenticated: what the shares are made of. answered: requests from sources that show answers; refused: those
# of them answered 401 or 403; authenticated_refused: the authenticated among these. undetected: requests from nodes
# without detection, in no share. status1 to 5: by class.
COUNTS = (
    "requests",
    "authenticated",
    "answered",
    "refused",
    "authenticated_refused",
    "undetected",
    "status1",
    "status2",
    "status3",
    "status4",
    "status5",
)
SEEN = ("seen", "valid")
SPAN = ("first_seen", "last_seen")


def _numbers(*names: str) -> str:
    return ", ".join(f"{name} bigint NOT NULL DEFAULT 0" for name in names)


_BATCH_COLUMNS = (
    "node_id varchar(64) NOT NULL, spool varchar(128) NOT NULL, sequence bigint NOT NULL,"
    " late bigint NOT NULL, applied_at bigint NOT NULL"
)

# A parameter's name (type and point) is a row of `CredentialKind`, told once for all endpoints of a client: a batch
# looks up a few dozen names and not one for each endpoint.
TABLES = {
    "hourly_count": (_numbers("hour", "endpoint", *COUNTS), "hour, endpoint"),
    "hourly_parameter": (_numbers("hour", "endpoint", "credential", *SEEN), "hour, endpoint, credential"),
    "hourly_without": (
        f"{_numbers('hour', 'endpoint')}, family varchar(32) NOT NULL, {_numbers('status', 'requests', *SPAN)}",
        "hour, endpoint, family, status",
    ),
    "rollup_parameter": (_numbers("endpoint", "credential", *SEEN, "unproven"), "endpoint, credential"),
    "endpoint_note": (_numbers("endpoint", "credential", "requests", *SPAN), "endpoint, credential"),
    "count_batch": (_BATCH_COLUMNS, "node_id, spool, sequence"),
}


def create(schema_editor: Any, tables: Iterable[str] = TABLES) -> None:
    """Make the tables. WITHOUT ROWID: the primary key is the table, half the pages of a row and its index."""
    ending = " WITHOUT ROWID" if schema_editor.connection.vendor == "sqlite" else ""
    for table in tables:
        columns, key = TABLES[table]
        schema_editor.execute(
            f"CREATE TABLE {table} (client_id varchar(64) NOT NULL, {columns}, PRIMARY KEY (client_id, {key})){ending}"
        )
