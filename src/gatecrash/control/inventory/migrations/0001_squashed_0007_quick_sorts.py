"""What the seven migrations make together, for a new database: one by one they take most of a first start.

A database to which some of them were applied goes on with those that it lacks, for they also move what it holds.
"""

from importlib import import_module
from typing import Any

import django.db.models.deletion
from django.db import migrations, models

from gatecrash.control.inventory import schema

_ORDER = import_module("gatecrash.control.inventory.migrations.0004_quick_order")
_SORTS = import_module("gatecrash.control.inventory.migrations.0007_quick_sorts")


def create(apps: Any, schema_editor: Any) -> None:
    schema.create(schema_editor)
    _ORDER.quicken(apps, schema_editor)
    _SORTS.quicken(apps, schema_editor)


class Migration(migrations.Migration):
    replaces = [
        ("inventory", "0001_initial"),
        ("inventory", "0002_bulk_tables"),
        ("inventory", "0003_wider_inventory"),
        ("inventory", "0004_quick_order"),
        ("inventory", "0005_status_days"),
        ("inventory", "0006_positions"),
        ("inventory", "0007_quick_sorts"),
    ]

    initial = True

    dependencies = [
        ("accounts", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="CredentialKind",
            fields=[
                ("number", models.BigAutoField(primary_key=True, serialize=False)),
                ("type", models.CharField(max_length=32)),
                ("point", models.JSONField()),
                ("digest", models.CharField(max_length=64)),
                (
                    "client",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="accounts.client",
                    ),
                ),
            ],
            options={
                "abstract": False,
                "base_manager_name": "objects",
                "default_manager_name": "objects",
                "constraints": [models.UniqueConstraint(fields=("client", "digest"), name="credential_kind_once")],
            },
        ),
        migrations.CreateModel(
            name="InventorySettings",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("leave_refused_out", models.BooleanField(default=False)),
                (
                    "client",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="accounts.client",
                    ),
                ),
            ],
            options={
                "abstract": False,
                "base_manager_name": "objects",
                "default_manager_name": "objects",
                "constraints": [models.UniqueConstraint(fields=("client",), name="inventory_settings_once")],
            },
        ),
        migrations.CreateModel(
            name="LearnedSession",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("host", models.CharField(max_length=300)),
                ("name", models.CharField(max_length=256)),
                ("state", models.CharField(max_length=16)),
                ("learned_at", models.BigIntegerField()),
                (
                    "client",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="accounts.client",
                    ),
                ),
            ],
            options={
                "abstract": False,
                "base_manager_name": "objects",
                "default_manager_name": "objects",
                "constraints": [
                    models.UniqueConstraint(fields=("client", "host", "name"), name="learned_session_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="PublicMark",
            fields=[
                ("id", models.CharField(max_length=64, primary_key=True, serialize=False)),
                ("endpoint_number", models.BigIntegerField()),
                ("reason", models.TextField()),
                ("owner", models.CharField(max_length=255)),
                ("expires_at", models.BigIntegerField(null=True)),
                ("created_at", models.BigIntegerField()),
                (
                    "client",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="accounts.client",
                    ),
                ),
            ],
            options={
                "abstract": False,
                "base_manager_name": "objects",
                "default_manager_name": "objects",
                "constraints": [models.UniqueConstraint(fields=("client", "endpoint_number"), name="public_mark_once")],
            },
        ),
        migrations.CreateModel(
            name="StatusDay",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("day", models.BigIntegerField()),
                ("status", models.SmallIntegerField()),
                ("entered", models.BigIntegerField()),
                (
                    "client",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="accounts.client",
                    ),
                ),
            ],
            options={
                "abstract": False,
                "base_manager_name": "objects",
                "default_manager_name": "objects",
                "constraints": [models.UniqueConstraint(fields=("client", "day", "status"), name="status_day_once")],
            },
        ),
        migrations.CreateModel(
            name="AuthParameter",
            fields=[
                ("id", models.CharField(max_length=64, primary_key=True, serialize=False)),
                ("point", models.JSONField()),
                ("digest", models.CharField(max_length=64)),
                ("created_at", models.BigIntegerField()),
                (
                    "client",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="accounts.client",
                    ),
                ),
                ("position", models.BigIntegerField(db_default=0)),
            ],
            options={
                "abstract": False,
                "base_manager_name": "objects",
                "default_manager_name": "objects",
                "constraints": [models.UniqueConstraint(fields=("client", "digest"), name="auth_parameter_once")],
            },
        ),
        migrations.CreateModel(
            name="ApiDocument",
            fields=[
                ("id", models.CharField(max_length=64, primary_key=True, serialize=False)),
                ("name", models.CharField(max_length=255)),
                ("title", models.CharField(max_length=255)),
                ("version", models.CharField(max_length=255)),
                ("openapi", models.CharField(max_length=16)),
                ("servers", models.JSONField()),
                ("operations", models.JSONField()),
                ("created_at", models.BigIntegerField()),
                ("updated_at", models.BigIntegerField()),
                (
                    "client",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="accounts.client",
                    ),
                ),
                ("position", models.BigIntegerField(db_default=0)),
            ],
            options={
                "abstract": False,
                "base_manager_name": "objects",
                "default_manager_name": "objects",
                "constraints": [models.UniqueConstraint(fields=("client", "name"), name="api_document_once")],
            },
        ),
        migrations.CreateModel(
            name="TemplateRule",
            fields=[
                ("id", models.CharField(max_length=64, primary_key=True, serialize=False)),
                ("kind", models.CharField(max_length=8)),
                ("host", models.CharField(blank=True, max_length=300)),
                ("template", models.TextField()),
                ("digest", models.CharField(max_length=64)),
                ("created_at", models.BigIntegerField()),
                (
                    "client",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="accounts.client",
                    ),
                ),
                ("position", models.BigIntegerField(db_default=0)),
            ],
            options={
                "abstract": False,
                "base_manager_name": "objects",
                "default_manager_name": "objects",
                "constraints": [models.UniqueConstraint(fields=("client", "digest"), name="template_rule_once")],
            },
        ),
        migrations.CreateModel(
            name="Endpoint",
            fields=[
                ("number", models.BigAutoField(primary_key=True, serialize=False)),
                ("public_id", models.CharField(max_length=64, unique=True)),
                ("protocol", models.CharField(max_length=16)),
                ("method", models.CharField(max_length=64)),
                ("host", models.CharField(max_length=300)),
                ("path", models.TextField()),
                ("digest", models.CharField(max_length=64)),
                ("first_seen", models.BigIntegerField(null=True)),
                ("last_seen", models.BigIntegerField()),
                ("undetected_node", models.CharField(blank=True, max_length=64)),
                (
                    "client",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="accounts.client",
                    ),
                ),
                ("answered", models.BigIntegerField(db_default=0)),
                ("authenticated", models.BigIntegerField(db_default=0)),
                ("authenticated_refused", models.BigIntegerField(db_default=0)),
                ("changed_at", models.BigIntegerField(db_default=0)),
                ("document", models.SmallIntegerField(db_default=0)),
                ("operation", models.TextField(blank=True, db_default="")),
                ("public_until", models.BigIntegerField(db_default=0)),
                ("refused", models.BigIntegerField(db_default=0)),
                ("requests", models.BigIntegerField(db_default=0)),
                ("status", models.SmallIntegerField(db_default=-1)),
                ("status1", models.BigIntegerField(db_default=0)),
                ("status2", models.BigIntegerField(db_default=0)),
                ("status3", models.BigIntegerField(db_default=0)),
                ("status4", models.BigIntegerField(db_default=0)),
                ("status5", models.BigIntegerField(db_default=0)),
                ("types", models.BigIntegerField(db_default=0)),
                ("undetected", models.BigIntegerField(db_default=0)),
                ("undetected_version", models.CharField(blank=True, db_default="", max_length=255)),
            ],
            options={
                "abstract": False,
                "base_manager_name": "objects",
                "default_manager_name": "objects",
                "indexes": [
                    models.Index(fields=["client", "host", "method"], name="endpoint_listing"),
                    models.Index(
                        fields=["client", "status", "types", "public_until", "document", "changed_at"],
                        name="endpoint_states",
                    ),
                ],
                "constraints": [models.UniqueConstraint(fields=("client", "digest"), name="endpoint_once")],
            },
        ),
        migrations.CreateModel(
            name="EndpointAlias",
            fields=[
                ("public_id", models.CharField(max_length=64, primary_key=True, serialize=False)),
                ("digest", models.CharField(max_length=64, null=True)),
                ("method", models.CharField(max_length=64)),
                ("host", models.CharField(max_length=300)),
                ("path", models.TextField()),
                ("target", models.BigIntegerField()),
                ("decided", models.BooleanField(default=False)),
                ("created_at", models.BigIntegerField()),
                (
                    "client",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="accounts.client",
                    ),
                ),
            ],
            options={
                "abstract": False,
                "base_manager_name": "objects",
                "default_manager_name": "objects",
                "constraints": [models.UniqueConstraint(fields=("client", "digest"), name="endpoint_alias_once")],
                "indexes": [models.Index(fields=["client", "target"], name="endpoint_alias_target")],
            },
        ),
        migrations.CreateModel(
            name="StatusChange",
            fields=[
                ("number", models.BigAutoField(primary_key=True, serialize=False)),
                ("endpoint_number", models.BigIntegerField()),
                ("at", models.BigIntegerField()),
                ("before", models.SmallIntegerField()),
                ("after", models.SmallIntegerField()),
                (
                    "client",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="accounts.client",
                    ),
                ),
            ],
            options={
                "abstract": False,
                "base_manager_name": "objects",
                "default_manager_name": "objects",
                "indexes": [models.Index(fields=["client", "endpoint_number", "number"], name="status_change_listing")],
            },
        ),
        migrations.RunPython(create),
    ]
