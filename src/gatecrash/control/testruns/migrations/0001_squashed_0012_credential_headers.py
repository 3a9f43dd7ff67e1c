from typing import Any

from django.db import migrations

from gatecrash.control import bulk_sql
from gatecrash.control.folded_migrations import folded
from gatecrash.control.testruns import baseline_rows, check_rows, undecided_rows

FOLDED = (
    "0001_initial",
    "0002_bulk_tables",
    "0003_testrun_policy",
    "0004_listening",
    "0005_recorded_users",
    "0006_undecided",
    "0007_users_due",
    "0008_user_count",
    "0009_sessions_over",
    "0010_answered",
    "0011_notes",
    "0012_credential_headers",
)


def create(_apps: Any, schema_editor: Any) -> None:
    bulk_sql.create(schema_editor, (*baseline_rows.CREATE, *check_rows.CREATE, *undecided_rows.CREATE))
    schema_editor.execute(check_rows.ADD_USERS)


class Migration(migrations.Migration):
    initial = True
    replaces = [("testruns", name) for name in FOLDED]
    dependencies = [("accounts", "0001_initial"), ("nodes", "0001_initial")]
    operations = [*folded("testruns", FOLDED), migrations.RunPython(create)]
