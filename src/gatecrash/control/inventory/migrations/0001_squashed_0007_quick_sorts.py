from importlib import import_module
from typing import Any

from django.db import migrations

from gatecrash.control.folded_migrations import folded
from gatecrash.control.inventory import schema

FOLDED = (
    "0001_initial",
    "0002_bulk_tables",
    "0003_wider_inventory",
    "0004_quick_order",
    "0005_status_days",
    "0006_positions",
    "0007_quick_sorts",
)


def create(apps: Any, schema_editor: Any) -> None:
    schema.create(schema_editor)
    for name in ("0004_quick_order", "0007_quick_sorts"):
        import_module(f"gatecrash.control.inventory.migrations.{name}").quicken(apps, schema_editor)


class Migration(migrations.Migration):
    initial = True
    replaces = [("inventory", name) for name in FOLDED]
    dependencies = [("accounts", "0001_initial")]
    operations = [*folded("inventory", FOLDED), migrations.RunPython(create)]
