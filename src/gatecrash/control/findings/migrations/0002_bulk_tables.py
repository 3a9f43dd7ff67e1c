from typing import Any

from django.db import migrations

from gatecrash.control import bulk_sql
from gatecrash.control.findings import evidence_rows


def create(_apps: Any, schema_editor: Any) -> None:
    bulk_sql.create(schema_editor, evidence_rows.CREATE)


def drop(_apps: Any, schema_editor: Any) -> None:
    schema_editor.execute("DROP TABLE findings_evidence")


class Migration(migrations.Migration):
    dependencies = [("findings", "0001_initial")]
    operations = [migrations.RunPython(create, drop)]
