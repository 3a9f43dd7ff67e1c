"""What of Citus `db distribute` uses, on one machine: tables really are cut into shards by a column's hash.

PostgreSQL's own hash partitions have the rules that matter here: no unique key without the column, rows moved as a whole.
It cannot show what only several machines can: what the network costs, and which queries Citus does not plan.
"""

import psycopg

SHARDS = 4
SCRIPT = f"""
CREATE TABLE pg_dist_partition (logicalrelid regclass);
CREATE FUNCTION create_distributed_table(name regclass, by text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    written text := name::text;
BEGIN
    EXECUTE format('ALTER TABLE %I RENAME TO undistributed', written);
    EXECUTE format('CREATE TABLE %I (LIKE undistributed INCLUDING ALL) PARTITION BY HASH (%I)', written, by);
    FOR shard IN 0..{SHARDS - 1} LOOP
        EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES WITH (MODULUS {SHARDS}, REMAINDER %s)',
            written || '_' || shard, written, shard);
    END LOOP;
    EXECUTE format('INSERT INTO %I SELECT * FROM undistributed', written);
    DROP TABLE undistributed;
    INSERT INTO pg_dist_partition VALUES (written::regclass);
END $$;
"""


def install(url: str, *, faulty: bool = False) -> None:
    """Put it into a database. faulty: it loses rows."""
    script = SCRIPT.replace("SELECT * FROM undistributed", "SELECT * FROM undistributed OFFSET 1") if faulty else SCRIPT
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(script.encode())
