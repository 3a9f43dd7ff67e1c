"""How the third migration moves the counts that are already there. A file of its own: the other one is long enough."""

import hashlib
from typing import Any

import msgspec

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
        if schema_editor.connection.vendor == "postgresql":
            # Rows changed twice wait for their foreign keys' check, and PostgreSQL makes no index on a table before it.
            run("SET CONSTRAINTS ALL IMMEDIATE")


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
