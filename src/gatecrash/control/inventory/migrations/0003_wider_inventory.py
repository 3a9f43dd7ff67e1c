import django.db.models.deletion
from django.db import migrations, models

from gatecrash.control.inventory.migrations._moved_counts import widen


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0001_initial"),
        ("inventory", "0002_bulk_tables"),
    ]

    operations = [
        migrations.AddField(
            model_name="endpoint",
            name="answered",
            field=models.BigIntegerField(db_default=0),
        ),
        migrations.AddField(
            model_name="endpoint",
            name="authenticated",
            field=models.BigIntegerField(db_default=0),
        ),
        migrations.AddField(
            model_name="endpoint",
            name="authenticated_refused",
            field=models.BigIntegerField(db_default=0),
        ),
        migrations.AddField(
            model_name="endpoint",
            name="changed_at",
            field=models.BigIntegerField(db_default=0),
        ),
        migrations.AddField(
            model_name="endpoint",
            name="document",
            field=models.SmallIntegerField(db_default=0),
        ),
        migrations.AddField(
            model_name="endpoint",
            name="operation",
            field=models.TextField(blank=True, db_default=""),
        ),
        migrations.AddField(
            model_name="endpoint",
            name="public_until",
            field=models.BigIntegerField(db_default=0),
        ),
        migrations.AddField(
            model_name="endpoint",
            name="refused",
            field=models.BigIntegerField(db_default=0),
        ),
        migrations.AddField(
            model_name="endpoint",
            name="requests",
            field=models.BigIntegerField(db_default=0),
        ),
        migrations.AddField(
            model_name="endpoint",
            name="status",
            field=models.SmallIntegerField(db_default=-1),
        ),
        migrations.AddField(
            model_name="endpoint",
            name="status1",
            field=models.BigIntegerField(db_default=0),
        ),
        migrations.AddField(
            model_name="endpoint",
            name="status2",
            field=models.BigIntegerField(db_default=0),
        ),
        migrations.AddField(
            model_name="endpoint",
            name="status3",
            field=models.BigIntegerField(db_default=0),
        ),
        migrations.AddField(
            model_name="endpoint",
            name="status4",
            field=models.BigIntegerField(db_default=0),
        ),
        migrations.AddField(
            model_name="endpoint",
            name="status5",
            field=models.BigIntegerField(db_default=0),
        ),
        migrations.AddField(
            model_name="endpoint",
            name="types",
            field=models.BigIntegerField(db_default=0),
        ),
        migrations.AddField(
            model_name="endpoint",
            name="undetected",
            field=models.BigIntegerField(db_default=0),
        ),
        migrations.AddField(
            model_name="endpoint",
            name="undetected_version",
            field=models.CharField(blank=True, db_default="", max_length=255),
        ),
        migrations.AlterField(
            model_name="endpoint",
            name="first_seen",
            field=models.BigIntegerField(null=True),
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
            ],
            options={
                "abstract": False,
                "base_manager_name": "objects",
                "default_manager_name": "objects",
            },
        ),
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
            ],
            options={
                "abstract": False,
                "base_manager_name": "objects",
                "default_manager_name": "objects",
            },
        ),
        migrations.RunPython(widen),
        migrations.DeleteModel(
            name="EndpointParameter",
        ),
        migrations.AddIndex(
            model_name="endpoint",
            index=models.Index(
                fields=["client", "status", "types", "public_until", "document", "changed_at"], name="endpoint_states"
            ),
        ),
        migrations.AddConstraint(
            model_name="apidocument",
            constraint=models.UniqueConstraint(fields=("client", "name"), name="api_document_once"),
        ),
        migrations.AddConstraint(
            model_name="credentialkind",
            constraint=models.UniqueConstraint(fields=("client", "digest"), name="credential_kind_once"),
        ),
        migrations.AddIndex(
            model_name="endpointalias",
            index=models.Index(fields=["client", "target"], name="endpoint_alias_target"),
        ),
        migrations.AddConstraint(
            model_name="endpointalias",
            constraint=models.UniqueConstraint(fields=("client", "digest"), name="endpoint_alias_once"),
        ),
        migrations.AddConstraint(
            model_name="inventorysettings",
            constraint=models.UniqueConstraint(fields=("client",), name="inventory_settings_once"),
        ),
        migrations.AddConstraint(
            model_name="learnedsession",
            constraint=models.UniqueConstraint(fields=("client", "host", "name"), name="learned_session_once"),
        ),
        migrations.AddConstraint(
            model_name="publicmark",
            constraint=models.UniqueConstraint(fields=("client", "endpoint_number"), name="public_mark_once"),
        ),
        migrations.AddIndex(
            model_name="statuschange",
            index=models.Index(fields=["client", "endpoint_number", "number"], name="status_change_listing"),
        ),
        migrations.AddConstraint(
            model_name="templaterule",
            constraint=models.UniqueConstraint(fields=("client", "digest"), name="template_rule_once"),
        ),
    ]
