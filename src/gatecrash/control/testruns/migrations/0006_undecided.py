"""Why checks of a baseline could not decide, beside how many."""

from typing import Any

from django.db import migrations

from gatecrash.control import bulk_sql
from gatecrash.control.testruns import undecided_rows


def create(_apps: Any, schema_editor: Any) -> None:
    bulk_sql.create(schema_editor, undecided_rows.CREATE)


def drop(_apps: Any, schema_editor: Any) -> None:
    schema_editor.execute("DROP TABLE testruns_undecided")


class Migration(migrations.Migration):
    dependencies = [("testruns", "0005_recorded_users")]
    operations = [migrations.RunPython(create, drop)]
