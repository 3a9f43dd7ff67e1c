from typing import Any

from django.db import migrations

_COUNTS = [
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
]


def _numbers(*names: str) -> str:
    return ", ".join(f"{name} bigint NOT NULL DEFAULT 0" for name in names)


TABLES = {
    "hourly_count": (_numbers("hour", "endpoint", *_COUNTS), "hour, endpoint"),
    "hourly_parameter": (_numbers("hour", "parameter", "seen", "valid"), "hour, parameter"),
    "rollup_count": (_numbers("endpoint", *_COUNTS), "endpoint"),
    "rollup_parameter": (_numbers("parameter", "seen", "valid"), "parameter"),
    "count_batch": (
        (
            "node_id varchar(64) NOT NULL, spool varchar(128) NOT NULL, sequence bigint NOT NULL,"
            " late bigint NOT NULL, applied_at bigint NOT NULL"
        ),
        "node_id, spool, sequence",
    ),
}


def create(apps: Any, schema_editor: Any) -> None:
    del apps
    ending = " WITHOUT ROWID" if schema_editor.connection.vendor == "sqlite" else ""
    for table, (columns, key) in TABLES.items():
        schema_editor.execute(
            f"CREATE TABLE {table} (client_id varchar(64) NOT NULL, {columns}, PRIMARY KEY (client_id, {key})){ending}"
        )


def drop(apps: Any, schema_editor: Any) -> None:
    del apps
    for table in TABLES:
        schema_editor.execute(f"DROP TABLE {table}")


class Migration(migrations.Migration):
    dependencies = [("inventory", "0001_initial")]
    operations = [migrations.RunPython(create, drop)]
