"""Which tables may be distributed; that they are, with every row, is in tests/cli/test_db.py."""

import pytest
from django.db import connection

from gatecrash.control import distributing
from gatecrash.control.distributing import BY, CannotDistribute

pytestmark = [pytest.mark.database, pytest.mark.django_db]


def test_every_table_that_grows_with_traffic_is_unique_by_client_and_refers_to_nothing() -> None:
    tables = distributing.bulk_tables()
    assert {"hourly_count", "count_batch", "testruns_baseline", "testruns_check", "findings_evidence"} <= set(tables)
    with connection.cursor() as cursor:
        for table in tables:
            assert connection.introspection.get_relations(cursor, table) == {}, table
            assert BY in connection.introspection.get_primary_key_columns(cursor, table), table


def test_a_database_without_citus_is_refused() -> None:
    with pytest.raises(CannotDistribute, match="Citus"):
        distributing.look()
