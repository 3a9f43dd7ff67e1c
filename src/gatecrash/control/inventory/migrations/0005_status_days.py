"""What entered and left each status by day, made up for the past from what is known of it."""

from typing import Any

import django.db.models.deletion
from django.db import migrations, models

from gatecrash.control import wall


def fill(_: Any, schema_editor: Any) -> None:
    """Endpoints that are gone left no trace, so the past lacks them; each other one came with its first sight."""
    with wall.system("a migration counts every client's endpoints by day"):
        schema_editor.execute(
            "INSERT INTO inventory_statusday (client_id, day, status, entered)"
            " SELECT client_id, at / 86400, status, SUM(step) FROM ("
            " SELECT client_id, at, before AS status, -1 AS step FROM inventory_statuschange"
            " UNION ALL SELECT client_id, at, after, 1 FROM inventory_statuschange"
            " UNION ALL SELECT e.client_id, e.first_seen, COALESCE((SELECT c.before FROM inventory_statuschange c"
            " WHERE c.client_id = e.client_id AND c.endpoint_number = e.number ORDER BY c.number LIMIT 1), e.status), 1"
            " FROM inventory_endpoint e WHERE e.first_seen IS NOT NULL) AS moves"
            " WHERE status > 0 GROUP BY client_id, at / 86400, status HAVING SUM(step) <> 0"
        )


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0001_initial"),
        ("inventory", "0004_quick_order"),
    ]

    operations = [
        migrations.CreateModel(
            name="StatusDay",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("day", models.BigIntegerField()),
                ("status", models.SmallIntegerField()),
                ("entered", models.BigIntegerField()),
                (
                    "client",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="accounts.client",
                    ),
                ),
            ],
            options={
                "abstract": False,
                "base_manager_name": "objects",
                "default_manager_name": "objects",
                "constraints": [models.UniqueConstraint(fields=("client", "day", "status"), name="status_day_once")],
            },
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
