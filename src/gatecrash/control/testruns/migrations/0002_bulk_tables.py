from typing import Any

from django.db import migrations

from gatecrash.control import bulk_sql
from gatecrash.control.testruns import baseline_rows, check_rows


def create(_apps: Any, schema_editor: Any) -> None:
    bulk_sql.create(schema_editor, (*baseline_rows.CREATE, *check_rows.CREATE))


def drop(_apps: Any, schema_editor: Any) -> None:
    schema_editor.execute("DROP TABLE testruns_baseline")
    schema_editor.execute("DROP TABLE testruns_check")


class Migration(migrations.Migration):
    dependencies = [("testruns", "0001_initial")]
    operations = [migrations.RunPython(create, drop)]
