"""An inventory filled under an earlier version is all there, and is told rightly, under this one.

A process of its own walks the migrations: to the first tables with counts, to the last ones without days, to the newest.
What it wrote at the two stops is what those versions would have written; what it prints is what this version says of it.
"""

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest
from tests.migrated import migrated_database

pytestmark = pytest.mark.database

WALK = """
import json
import django
django.setup()
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from gatecrash.control import wall

DAY = 86400
TODAY = 20_000 * DAY + 7 * 3600

def to(name, app="inventory"):
    executor = MigrationExecutor(connection)
    executor.loader = MigrationLoader(connection, replace_migrations=False)  # one by one, not those that were folded into one
    executor.migrate([(app, name)])
    return executor.loader.project_state([(app, name)]).apps.get_model

def run(statement, rows):
    with connection.cursor() as cursor:
        cursor.executemany(statement, rows)

def endpoint(model, client, number, path, seen, **columns):
    return model.objects.create(client_id=client, number=number, public_id=f"ep_{client}{number}", protocol="rest", method="GET",
        host="shop.example", path=path, digest=f"{client}{path}", first_seen=seen, last_seen=TODAY, undetected_node="", **columns)

with wall.system("an earlier version's rows"):
    model = to("0002_bulk_tables")
    for name in ("a", "b"):
        model("accounts", "Client").objects.create(id=name, name=name, created_at=TODAY)
    old, parameter = model("inventory", "Endpoint"), model("inventory", "EndpointParameter")
    endpoint(old, "a", 1, "/orders", TODAY - 9 * DAY)
    endpoint(old, "a", 2, "/open", TODAY - 3 * DAY)
    endpoint(old, "b", 3, "/orders", TODAY - 3 * DAY)
    bearer = ["header", "AUTHORIZATION"]
    for number, client, of in ((1, "a", 1), (2, "a", 2), (3, "b", 3)):
        parameter.objects.create(number=number, client_id=client, endpoint_number=of, type="bearer", point=bearer, digest="d")
    hour = TODAY // 3600
    run("INSERT INTO hourly_count (client_id, hour, endpoint, requests, authenticated, answered, refused, undetected,"
        " status1, status2, status3, status4, status5) VALUES (%s, %s, %s, %s, %s, %s, 1, 0, 0, %s, 0, 1, 0)",
        [("a", hour, 1, 100, 95, 100, 99), ("a", hour, 2, 10, 0, 10, 9), ("b", hour, 3, 50, 20, 50, 49)])
    run("INSERT INTO rollup_count (client_id, endpoint, requests, authenticated, answered, refused, undetected,"
        " status1, status2, status3, status4, status5) VALUES (%s, %s, %s, %s, %s, 1, 0, 0, %s, 0, 1, 0)",
        [("a", 1, 100, 95, 100, 99), ("a", 2, 10, 0, 10, 9), ("b", 3, 50, 20, 50, 49)])
    run("INSERT INTO hourly_parameter (client_id, hour, parameter, seen, valid) VALUES (%s, %s, %s, %s, %s)",
        [("a", hour, 1, 96, 95), ("a", hour, 2, 4, 0), ("b", hour, 3, 20, 20)])
    run("INSERT INTO rollup_parameter (client_id, parameter, seen, valid) VALUES (%s, %s, %s, %s)",
        [("a", 1, 96, 95), ("a", 2, 4, 0), ("b", 3, 20, 20)])

    model = to("0004_quick_order")
    known, change = model("inventory", "Endpoint"), model("inventory", "StatusChange")
    endpoint(known, "a", 4, "/late", TODAY - DAY, status=3)     # consistent from its first sight
    endpoint(known, "a", 5, "/quiet", TODAY - 8 * DAY, status=0)  # no traffic any more
    endpoint(known, "a", 6, "/told", None, status=-1)           # in a document only
    for at, of, before, after in ((TODAY - 5 * DAY, 1, 1, 2), (TODAY - 2 * DAY, 1, 2, 3), (TODAY - DAY, 5, 1, 0)):
        change.objects.create(client_id="a", at=at, endpoint_number=of, before=before, after=after)
    model("inventory", "AuthParameter").objects.create(
        id="ap_1", client_id="a", point=["header", "X-SHOP"], digest="s", created_at=TODAY)
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT setval(pg_get_serial_sequence('inventory_endpoint', 'number'), 100)")
    to("0001_initial", "testruns")

call_command("migrate", verbosity=0)

from gatecrash.control.inventory import queries, status_days
from gatecrash.control.inventory.filters import Filters

def endpoints():
    shown = {}
    for one in queries.list_endpoints(Filters(), limit=10, at=TODAY).objects:
        whole = queries.find_endpoint(one["id"])
        shown[one["path"]] = [one["status"], one["requests"], one["authenticated"], one["types"],
                              [[p["type"], p["coverage"], p["point"]] for p in whole["parameters"]]]
    return shown

def days():
    return [[(day["day"] - TODAY) // DAY + 1, day["missing"], day["partial"], day["consistent"]]
            for day in status_days.days(10, TODAY)]

told = {}
for client in ("a", "b"):
    with wall.client(client):
        told[client] = {"endpoints": endpoints(), "days": days(),
                        "custom": [one.point for one in queries.custom_parameters()]}
print(json.dumps(told))
"""

OF_SQLITE = """
SELECT t.name, c.name, c.type, c."notnull", c.dflt_value, c.pk, NULL FROM sqlite_master t, pragma_table_xinfo(t.name) c
    WHERE t.type = 'table'
UNION ALL SELECT t.name, group_concat(c.name), NULL, i."unique", i.origin, i.partial, m.sql
    FROM sqlite_master t, pragma_index_list(t.name) i, pragma_index_xinfo(i.name) c, sqlite_master m
    WHERE t.type = 'table' AND m.name = i.name GROUP BY t.name, i.name
UNION ALL SELECT t.name, f."table", f."from", f."to", f.on_delete, NULL, NULL
    FROM sqlite_master t, pragma_foreign_key_list(t.name) f WHERE t.type = 'table'
"""
OF_POSTGRESQL = r"""
SELECT table_name, column_name, data_type, character_maximum_length::text, is_nullable, column_default, generation_expression
    FROM information_schema.columns WHERE table_schema = 'public'
UNION ALL SELECT tablename, regexp_replace(indexdef, 'INDEX \w+_pkey\d* ', 'INDEX '), '', '', '', '', '' FROM pg_indexes
    WHERE schemaname = 'public'
UNION ALL SELECT conrelid::regclass::text, pg_get_constraintdef(oid), contype::text, '', '', '', '' FROM pg_constraint
    WHERE connamespace = 'public'::regnamespace
UNION ALL SELECT relname, array_to_string(reloptions, ','), '', '', '', '', '' FROM pg_class
    WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
"""


def shape(database_url: str) -> list[str]:
    """Every column, index and constraint, in no order and without the names that a database gives by itself."""
    kind, _, place = database_url.partition(":///")
    if kind == "sqlite":
        with closing(sqlite3.connect(place)) as database:
            rows = database.execute(OF_SQLITE).fetchall()
    else:
        with psycopg.connect(database_url) as server:
            rows = server.execute(OF_POSTGRESQL).fetchall()
    assert len(rows) > 500, "it was read"
    return sorted(map(str, rows))


@pytest.fixture
def new_database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of a database that this version has made from nothing."""
    with migrated_database(tmp_path / "new", request.config.getoption("--database")) as url:
        yield url


@pytest.fixture
def told(empty_database_url: str) -> Any:
    """What this version says of the rows of two earlier ones, by client."""
    environment = os.environ | {
        "GATECRASH_DATABASE_URL": empty_database_url,
        "DJANGO_SETTINGS_MODULE": "gatecrash.control.settings",
    }
    done = subprocess.run(
        [sys.executable, "-c", WALK], env=environment, capture_output=True, text=True, timeout=110, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout.splitlines()[-1])


def test_what_earlier_versions_stored_is_told_by_this_one(
    told: Any, empty_database_url: str, new_database_url: str
) -> None:
    """One walk for all claims: the migrations take seconds. A new database is made by those that were folded into one."""
    assert shape(empty_database_url) == shape(new_database_url), "one by one or folded into one, they make the same"
    first, second = told["a"], told["b"]
    bearer = [["header", "AUTHORIZATION"]]
    assert first["endpoints"] == {
        "/orders": ["consistent", 100, 95, ["bearer"], [["bearer", 95.0, bearer]]],
        "/open": ["missing", 10, 0, [], [["bearer", 0.0, bearer]]],
        "/late": [None, 0, 0, [], []],
        "/quiet": [None, 0, 0, [], []],
        "/told": [None, 0, 0, [], []],
    }, "the sums stand on the endpoints, parameters are named once a client, one without counts has none made up"
    assert second["endpoints"] == {"/orders": ["partial", 50, 20, ["bearer"], [["bearer", 40.0, bearer]]]}
    assert first["custom"] == [["header", "X-SHOP"]]

    # Days from nine ago to today: endpoints that were missing, partial, consistent at each day's end.
    assert first["days"] == [
        [-9, 1, 0, 0],  # /orders comes, without a credential
        [-8, 2, 0, 0],  # /quiet comes
        [-7, 2, 0, 0],
        [-6, 2, 0, 0],
        [-5, 1, 1, 0],  # /orders becomes partial
        [-4, 1, 1, 0],
        [-3, 2, 1, 0],  # /open comes
        [-2, 2, 0, 1],  # /orders becomes consistent
        [-1, 1, 0, 2],  # /quiet falls silent; /late comes
        [0, 1, 0, 2],
    ]
    assert second["days"][-4:] == [[-3, 0, 1, 0], [-2, 0, 1, 0], [-1, 0, 1, 0], [0, 0, 1, 0]]
    assert second["days"][0] == [-9, 0, 0, 0], "no client sees another's"
