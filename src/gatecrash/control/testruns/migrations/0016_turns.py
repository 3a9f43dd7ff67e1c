"""In which turn of its run each check is made next."""

from typing import Any

from django.db import migrations

from gatecrash.control.testruns import check_rows


def add(_apps: Any, schema_editor: Any) -> None:
    for statement in check_rows.ADD_TURNS:
        schema_editor.execute(statement)


def drop(_apps: Any, schema_editor: Any) -> None:
    for statement in check_rows.DROP_TURNS:
        schema_editor.execute(statement)


class Migration(migrations.Migration):
    dependencies = [("testruns", "0015_clone_only")]
    operations = [migrations.RunPython(add, drop)]
