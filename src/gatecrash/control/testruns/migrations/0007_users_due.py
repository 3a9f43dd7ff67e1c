"""What a recorded run needs to be tested as its users once they are known."""

from typing import Any

from django.db import migrations, models

from gatecrash.control.testruns import check_rows


def add(_apps: Any, schema_editor: Any) -> None:
    schema_editor.execute(check_rows.ADD_USERS)


def drop(_apps: Any, schema_editor: Any) -> None:
    schema_editor.execute("ALTER TABLE testruns_check DROP COLUMN users")


class Migration(migrations.Migration):
    dependencies = [("testruns", "0006_undecided")]
    operations = [
        migrations.AddField(
            model_name="testrun",
            name="users_due",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="testrun",
            name="whose",
            field=models.CharField(blank=True, default="", max_length=32),
        ),
        migrations.RunPython(add, drop),
    ]
