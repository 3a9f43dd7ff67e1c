import hashlib
from typing import Any

import django.db.models.deletion
import msgspec
from django.db import migrations, models

from gatecrash.control import wall
from gatecrash.control.inventory import schema

SUMS = [
    "requests",
    "authenticated",
    "answered",
    "refused",
    "undetected",
    "status1",
    "status2",
    "status3",
    "status4",
    "status5",
]
MADE = ("hourly_parameter", "rollup_parameter", "hourly_without", "endpoint_note")


def widen(apps: Any, schema_editor: Any) -> None:
    """Name parameters once a client instead of once an endpoint, and put the endpoints' sums on their own rows."""
    with wall.system("a migration moves every client's counts"):
        _name_credentials(apps)
        run = schema_editor.execute
        run("ALTER TABLE hourly_count ADD COLUMN authenticated_refused bigint NOT NULL DEFAULT 0")
        for table in ("hourly_parameter", "rollup_parameter"):
            run(f"ALTER TABLE {table} RENAME TO old_{table}")
        schema.create(schema_editor, MADE)
        for table, hour in (("hourly_parameter", "hour, "), ("rollup_parameter", "")):
            run(
                f"INSERT INTO {table} (client_id, {hour}endpoint, credential, seen, valid)"  # noqa: S608 - our names
                f" SELECT o.client_id, {hour}p.endpoint_number, k.number, o.seen, o.valid FROM old_{table} o"
                " JOIN inventory_endpointparameter p ON p.client_id = o.client_id AND p.number = o.parameter"
                " JOIN moved_credential m ON m.parameter = p.number"
                " JOIN inventory_credentialkind k ON k.client_id = p.client_id AND k.digest = m.digest"
            )
            run(f"DROP TABLE old_{table}")
        run("DROP TABLE moved_credential")
        for name in SUMS:
            run(
                f"UPDATE inventory_endpoint SET {name} = COALESCE((SELECT r.{name} FROM rollup_count r WHERE"  # noqa: S608 - our names
                " r.client_id = inventory_endpoint.client_id AND r.endpoint = inventory_endpoint.number), 0)"
            )
        run("DROP TABLE rollup_count")
        _settle(schema_editor)


def _name_credentials(apps: Any) -> None:
    from django.db import connection

    kinds: dict[tuple[str, str], Any] = {}
    moved = []
    for row in apps.get_model("inventory", "EndpointParameter").objects.all():
        digest = hashlib.sha256(msgspec.json.encode([row.type, list(row.point)])).hexdigest()
        kinds.setdefault((row.client_id, digest), row)
        moved.append((row.number, digest))
    kind = apps.get_model("inventory", "CredentialKind")
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE moved_credential (parameter bigint PRIMARY KEY, digest varchar(64) NOT NULL)")
        if moved:
            cursor.executemany("INSERT INTO moved_credential (parameter, digest) VALUES (%s, %s)", moved)
    kind.objects.bulk_create(
        kind(client_id=client_id, type=row.type, point=row.point, digest=digest)
        for (client_id, digest), row in kinds.items()
    )


def _settle(schema_editor: Any) -> None:
    """Status and types, which were worked out for each answer before."""
    schema_editor.execute(
        "UPDATE inventory_endpoint SET status = CASE WHEN requests <= 0 THEN 0 WHEN authenticated <= 0 THEN 1"
        " WHEN authenticated * 100 >= requests * 95 THEN 3 ELSE 2 END"
    )
    types = [
        "api_key",
        "aws_sigv4",
        "basic",
        "bearer",
        "cookie",
        "digest",
        "hawk",
        "hmac",
        "negotiate",
        "ntlm",
        "scram",
    ]
    for place, name in enumerate(types):
        schema_editor.execute(
            f"UPDATE inventory_endpoint SET types = types + {1 << place} WHERE EXISTS (SELECT 1 FROM rollup_parameter r"  # noqa: S608 - our names
            " JOIN inventory_credentialkind k ON k.client_id = r.client_id AND k.number = r.credential"
            " WHERE r.client_id = inventory_endpoint.client_id AND r.endpoint = inventory_endpoint.number"
            f" AND r.valid > 0 AND k.type = '{name}')"
        )


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
