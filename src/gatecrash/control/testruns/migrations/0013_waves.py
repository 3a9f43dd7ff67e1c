"""Which checks of a run are of one kind, and how many of it come before each."""

from typing import Any

from django.db import migrations

from gatecrash.control.testruns import check_rows


def add(_apps: Any, schema_editor: Any) -> None:
    for statement in check_rows.ADD_WAVES:
        schema_editor.execute(statement)


def drop(_apps: Any, schema_editor: Any) -> None:
    for statement in check_rows.DROP_WAVES:
        schema_editor.execute(statement)


class Migration(migrations.Migration):
    dependencies = [("testruns", "0012_credential_headers")]
    operations = [migrations.RunPython(add, drop)]
