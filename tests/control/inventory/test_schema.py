import pytest
from django.db import connection

from gatecrash.control import wall
from gatecrash.control.inventory import bulk, schema

pytestmark = [pytest.mark.database, pytest.mark.django_db]


def test_every_bulk_table_is_there_behind_the_wall_and_keyed_by_client() -> None:
    assert set(schema.TABLES) <= wall.tables()
    with connection.cursor() as cursor:
        for table in schema.TABLES:
            key = connection.introspection.get_primary_key_columns(cursor, table)
            assert key[0] == "client_id", table
            assert connection.introspection.get_relations(cursor, table) == {}, "no foreign keys: Citus distributes it"


def test_statements_and_tables_name_the_same_columns() -> None:
    for table, keys in bulk.KEYS.items():
        columns, key = schema.TABLES[table]
        assert ", ".join(keys) == key
        assert all(f"{name} bigint" in columns for name in (*keys, *bulk.VALUES[table]))


def test_each_table_that_names_an_endpoint_is_cleared_with_it() -> None:
    assert {table for table, (columns, _) in schema.TABLES.items() if "endpoint bigint" in columns} == set(
        bulk.OF_ENDPOINT
    )
