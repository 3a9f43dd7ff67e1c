"""The database gets this version's shape, as often as asked."""

import psycopg
import pytest
from tests.cli import citus_stand_in
from tests.cli.conftest import Installation


@pytest.mark.database
def test_migrating_twice_is_harmless(empty: Installation, empty_database_url: str) -> None:
    for _ in range(2):
        assert empty.run("db", "migrate", "--database-url", empty_database_url).returncode == 0
    assert empty.run("client", "list", "--database-url", empty_database_url).returncode == 0


def test_a_database_that_cannot_be_reached_is_3(empty: Installation) -> None:
    done = empty.run("db", "migrate", "--database-url", "postgresql://nobody@127.0.0.1:9/none")
    assert done.returncode == 3
    assert "Traceback" not in done.stderr


@pytest.mark.database
def test_bulk_tables_are_distributed_by_client_with_every_row_or_not_at_all(
    empty: Installation, database_url: str
) -> None:
    """On a stand-in for Citus; without one, and on SQLite, the way out is told."""
    distribute = ("db", "distribute", "--database-url", database_url)
    refused = empty.run(*distribute)
    assert refused.returncode == 2
    if database_url.startswith("sqlite"):
        assert "PostgreSQL with Citus" in refused.stderr
        return
    assert "CREATE EXTENSION citus" in refused.stderr
    fill = "INSERT INTO hourly_count (client_id, hour, endpoint, requests) SELECT 'cl_' || n % 7, n, n, n FROM generate_series(1, 500) n"
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute(fill)
    citus_stand_in.install(database_url, faulty=True)
    lost = empty.run(*distribute)
    assert lost.returncode == 2, lost.stderr
    assert "everything was undone" in lost.stderr
    with psycopg.connect(database_url, autocommit=True) as connection:
        assert connection.execute("SELECT count(*) FROM hourly_count").fetchone() == (500,)
        connection.execute("DROP FUNCTION create_distributed_table; DROP TABLE pg_dist_partition")
        in_use = empty.run(*distribute)
        assert (in_use.returncode, in_use.stdout) == (2, "")
    citus_stand_in.install(database_url)
    done = empty.run(*distribute)
    assert done.returncode == 0, done.stderr
    assert "hourly_count: 500 rows, verified." in done.stderr
    with psycopg.connect(database_url, autocommit=True) as connection:
        spread = "SELECT count(DISTINCT tableoid), sum(requests) FROM hourly_count"
        shards, total = connection.execute(spread).fetchone() or (0, 0)
        assert shards > 1
        assert total == sum(range(501))
    listed = empty.json(*distribute, "--plan")["tables"]
    assert {one["name"] for one in listed if one["distributed"]} >= {
        "hourly_count",
        "testruns_baseline",
        "findings_evidence",
    }
    assert all(one["distributed"] for one in listed)
    assert "already" in empty.run(*distribute).stderr
