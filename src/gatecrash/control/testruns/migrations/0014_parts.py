"""Of which checks of a run only what was put off is left to make."""

from typing import Any

from django.db import migrations

from gatecrash.control.testruns import check_rows


def add(_apps: Any, schema_editor: Any) -> None:
    for statement in check_rows.ADD_PARTS:
        schema_editor.execute(statement)


def drop(_apps: Any, schema_editor: Any) -> None:
    for statement in check_rows.DROP_PARTS:
        schema_editor.execute(statement)


class Migration(migrations.Migration):
    dependencies = [("testruns", "0013_waves")]
    operations = [migrations.RunPython(add, drop)]
