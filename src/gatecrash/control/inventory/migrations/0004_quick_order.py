"""On PostgreSQL: the order of the list as an index, and room in the pages for rows that every batch changes."""

from typing import Any

from django.db import migrations


def quicken(_: Any, schema_editor: Any) -> None:
    """An index's row has at most 2,704 bytes and a path may have more: `filters.Sort` asks for its beginning first."""
    if schema_editor.connection.vendor != "postgresql":
        return  # SQLite sorts 50,000 rows for one page in 10 ms
    schema_editor.execute(
        'CREATE INDEX endpoint_order ON inventory_endpoint (client_id, host COLLATE "C", (left(path, 200)) COLLATE "C")'
    )
    # With room beside it, a changed row stays on its page and no index has to hear of it.
    schema_editor.execute("ALTER TABLE inventory_endpoint SET (fillfactor = 60)")
    schema_editor.execute("ALTER TABLE rollup_parameter SET (fillfactor = 60)")


class Migration(migrations.Migration):
    dependencies = [("inventory", "0003_wider_inventory")]

    operations = [migrations.RunPython(quicken, migrations.RunPython.noop)]
