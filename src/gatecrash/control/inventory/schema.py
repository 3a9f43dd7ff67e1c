"""The bulk tables' shape, for their migration: keyed by client, without foreign keys (see `bulk.py`).

An hour's rows lie together: a batch touches the end of the table, and the hour that leaves the window is one range.
"""

from typing import Any

# requests, authenticated: what the shares are made of. answered: requests from sources that show answers; refused: those
# of them answered 401 or 403. undetected: requests from nodes without detection, in no share. status1 to 5: by class.
COUNTS = (
    "requests",
    "authenticated",
    "answered",
    "refused",
    "undetected",
    "status1",
    "status2",
    "status3",
    "status4",
    "status5",
)
SEEN = ("seen", "valid")

_COUNT_COLUMNS = ", ".join(f"{name} bigint NOT NULL DEFAULT 0" for name in COUNTS)
_SEEN_COLUMNS = ", ".join(f"{name} bigint NOT NULL DEFAULT 0" for name in SEEN)
_BATCH_COLUMNS = (
    "node_id varchar(64) NOT NULL, spool varchar(128) NOT NULL, sequence bigint NOT NULL,"
    " late bigint NOT NULL, applied_at bigint NOT NULL"
)

TABLES = {
    "hourly_count": (f"hour bigint NOT NULL, endpoint bigint NOT NULL, {_COUNT_COLUMNS}", "hour, endpoint"),
    "hourly_parameter": (f"hour bigint NOT NULL, parameter bigint NOT NULL, {_SEEN_COLUMNS}", "hour, parameter"),
    "rollup_count": (f"endpoint bigint NOT NULL, {_COUNT_COLUMNS}", "endpoint"),
    "rollup_parameter": (f"parameter bigint NOT NULL, {_SEEN_COLUMNS}", "parameter"),
    "count_batch": (
        _BATCH_COLUMNS,
        "node_id, spool, sequence",
    ),
}


def create(apps: Any, schema_editor: Any) -> None:
    """Make the tables. WITHOUT ROWID: the primary key is the table, half the pages of a row and its index."""
    del apps
    ending = " WITHOUT ROWID" if schema_editor.connection.vendor == "sqlite" else ""
    for table, (columns, key) in TABLES.items():
        schema_editor.execute(
            f"CREATE TABLE {table} (client_id varchar(64) NOT NULL, {columns}, PRIMARY KEY (client_id, {key})){ending}"
        )


def drop(apps: Any, schema_editor: Any) -> None:
    """Undo `create`."""
    del apps
    for table in TABLES:
        schema_editor.execute(f"DROP TABLE {table}")
