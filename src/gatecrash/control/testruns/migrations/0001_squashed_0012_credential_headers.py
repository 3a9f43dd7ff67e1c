"""What the twelve migrations make together, for a new database: one by one they take most of a first start.

A database to which some of them were applied goes on with those that it lacks.
"""

from typing import Any

import django.db.models.deletion
from django.db import migrations, models

from gatecrash.control import bulk_sql
from gatecrash.control.testruns import baseline_rows, check_rows, undecided_rows


def create(_apps: Any, schema_editor: Any) -> None:
    bulk_sql.create(schema_editor, (*baseline_rows.CREATE, *check_rows.CREATE, *undecided_rows.CREATE))
    schema_editor.execute(check_rows.ADD_USERS)


class Migration(migrations.Migration):
    replaces = [
        ("testruns", "0001_initial"),
        ("testruns", "0002_bulk_tables"),
        ("testruns", "0003_testrun_policy"),
        ("testruns", "0004_listening"),
        ("testruns", "0005_recorded_users"),
        ("testruns", "0006_undecided"),
        ("testruns", "0007_users_due"),
        ("testruns", "0008_user_count"),
        ("testruns", "0009_sessions_over"),
        ("testruns", "0010_answered"),
        ("testruns", "0011_notes"),
        ("testruns", "0012_credential_headers"),
    ]

    initial = True

    dependencies = [
        ("accounts", "0001_initial"),
        ("nodes", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="TestRecord",
            fields=[
                ("id", models.CharField(max_length=64, primary_key=True, serialize=False)),
                ("name", models.CharField(max_length=255)),
                ("recorder", models.CharField(blank=True, default="", max_length=64)),
                ("recording", models.BooleanField(default=False)),
                ("draining", models.BooleanField(default=False)),
                ("inactivity_timeout", models.IntegerField(default=1800)),
                ("baseline_count", models.IntegerField(default=0)),
                ("last_sequence", models.IntegerField(default=0)),
                ("domains", models.JSONField(default=list)),
                ("heard_at", models.FloatField()),
                ("stopped_at", models.FloatField(null=True)),
                ("confirmed", models.BooleanField(default=False)),
                ("created_at", models.BigIntegerField()),
                ("deleted_at", models.BigIntegerField(null=True)),
                (
                    "client",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="accounts.client",
                    ),
                ),
                (
                    "node",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name="+", to="nodes.node"
                    ),
                ),
            ],
            options={
                "abstract": False,
                "base_manager_name": "objects",
                "default_manager_name": "objects",
                "indexes": [
                    models.Index(fields=["client", "-created_at"], name="record_listing"),
                    models.Index(
                        condition=models.Q(("recording", True), ("draining", True), _connector="OR"),
                        fields=["recording", "draining"],
                        name="record_open",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="TestRun",
            fields=[
                ("id", models.CharField(max_length=64, primary_key=True, serialize=False)),
                ("name", models.CharField(max_length=255)),
                ("desc", models.TextField(blank=True, default="")),
                ("test_record_name", models.CharField(max_length=255)),
                ("session", models.CharField(blank=True, default="", max_length=64)),
                ("confirmed", models.BooleanField(default=False)),
                ("policy_id", models.CharField(max_length=64)),
                ("auth_profile_id", models.CharField(max_length=64, null=True)),
                ("target_url", models.TextField(null=True)),
                ("file_extensions_to_exclude", models.TextField(blank=True, default="")),
                ("skip_duplicated_baselines", models.BooleanField(default=True)),
                ("rps", models.IntegerField(null=True)),
                ("rps_per_baseline", models.IntegerField(null=True)),
                ("inactivity_timeout", models.IntegerField(default=1800)),
                ("tags", models.JSONField(default=list)),
                ("domains", models.JSONField(default=list)),
                ("vulns", models.JSONField(default=list)),
                ("recent", models.JSONField(default=dict)),
                ("revision", models.BigIntegerField(default=1)),
                ("is_copy", models.BooleanField(default=False)),
                ("clone_from", models.IntegerField(default=0)),
                ("clone_until", models.IntegerField(default=0)),
                ("inconclusive_count", models.IntegerField(default=0)),
                ("authenticated_good", models.IntegerField(default=0)),
                ("authenticated_all", models.IntegerField(default=0)),
                ("created_at", models.BigIntegerField()),
                ("updated_at", models.FloatField()),
                ("state", models.CharField(max_length=16)),
                ("generation", models.IntegerField(default=1)),
                ("recording", models.BooleanField(default=False)),
                ("draining", models.BooleanField(default=False)),
                ("stop_on_first_fail", models.BooleanField(default=False)),
                ("waiting", models.IntegerField(default=0)),
                ("running", models.IntegerField(default=0)),
                ("skipped", models.IntegerField(default=0)),
                ("passed", models.IntegerField(default=0)),
                ("failed", models.IntegerField(default=0)),
                ("technical", models.IntegerField(default=0)),
                ("interrupted", models.IntegerField(default=0)),
                ("waiting_found", models.IntegerField(default=0)),
                ("running_found", models.IntegerField(default=0)),
                ("vulnerabilities", models.IntegerField(default=0)),
                ("planned_waiting", models.BigIntegerField(default=0)),
                ("planned_running", models.BigIntegerField(default=0)),
                ("forecast_running", models.BigIntegerField(default=0)),
                ("sent_before", models.BigIntegerField(default=0)),
                ("sent_reported", models.BigIntegerField(default=0)),
                ("sent_checked", models.BigIntegerField(default=0)),
                ("start_time", models.FloatField()),
                ("end_time", models.FloatField(null=True)),
                ("paused_at", models.FloatField(null=True)),
                ("paused_seconds", models.FloatField(default=0.0)),
                ("interrupt_reason", models.CharField(max_length=32, null=True)),
                (
                    "client",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="accounts.client",
                    ),
                ),
                (
                    "node",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.DO_NOTHING, related_name="+", to="nodes.node"
                    ),
                ),
                (
                    "record",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.DO_NOTHING, related_name="+", to="testruns.testrecord"
                    ),
                ),
                ("policy", models.JSONField(null=True)),
                ("listening_until", models.FloatField(default=0.0)),
                ("bare", models.BooleanField(default=False)),
                ("baseline_untested_count", models.IntegerField(default=0)),
                ("recorded", models.BinaryField(null=True)),
                ("users_due", models.BooleanField(default=False)),
                ("whose", models.CharField(blank=True, default="", max_length=32)),
                ("user_count", models.IntegerField(null=True)),
                ("sessions_over", models.BooleanField(default=False)),
                ("answered", models.BinaryField(null=True)),
                ("notes", models.JSONField(default=list)),
                ("credential_headers", models.JSONField(default=list)),
            ],
            options={
                "abstract": False,
                "base_manager_name": "objects",
                "default_manager_name": "objects",
                "indexes": [
                    models.Index(fields=["client", "-created_at"], name="run_listing"),
                    models.Index(fields=["client", "record"], name="run_by_record"),
                    models.Index(
                        condition=models.Q(
                            ("state__in", ("cloning", "running", "paused")), ("draining", True), _connector="OR"
                        ),
                        fields=["node"],
                        name="run_at_work",
                    ),
                ],
            },
        ),
        migrations.RunPython(create),
    ]
