import pytest
from django.db import connection

from gatecrash.control.database import AWAY_SECONDS, BUSY_SECONDS, InvalidDatabaseAddress, parse_url
from gatecrash.control.web_threads import WEB_THREADS


def test_an_sqlite_address_is_a_path() -> None:
    assert parse_url("sqlite:////var/lib/g/x.sqlite3")["NAME"] == "/var/lib/g/x.sqlite3"
    assert parse_url("sqlite:///here.sqlite3")["NAME"] == "here.sqlite3"
    assert parse_url("sqlite:////a%20b.sqlite3")["NAME"] == "/a b.sqlite3"


def test_a_postgresql_address_has_its_parts_and_options() -> None:
    found = parse_url("postgresql://us%40er:p%2Fw@db.example:5433/name?sslmode=require", pool_size=7)
    assert (found["USER"], found["PASSWORD"], found["HOST"], found["PORT"], found["NAME"]) == (
        "us@er",
        "p/w",
        "db.example",
        "5433",
        "name",
    )
    assert found["OPTIONS"]["sslmode"] == "require"
    assert found["OPTIONS"]["pool"]["max_size"] == 7
    assert found["OPTIONS"]["pool"]["reconnect_timeout"] <= AWAY_SECONDS, "a server that is back is noticed as soon"
    waits = [
        parse_url("postgresql://db/name", pool_size=size)["OPTIONS"]["pool"]["timeout"]
        for size in (WEB_THREADS, WEB_THREADS + 1, 20)
    ]
    assert waits == [BUSY_SECONDS, AWAY_SECONDS, AWAY_SECONDS], (
        "others are waited for longer than a server that is away"
    )
    assert "pool" not in parse_url("postgresql://db.example/name", pool_size=0)["OPTIONS"]


@pytest.mark.parametrize("url", ["", "mysql://h/n", "sqlite://", "sqlite:x", "postgresql://h", "postgresql://h/"])
def test_another_address_is_refused_without_showing_it(url: str) -> None:
    with pytest.raises(InvalidDatabaseAddress) as caught:
        parse_url(url + "?password=hidden")
    assert "hidden" not in str(caught.value)


@pytest.mark.django_db
@pytest.mark.skipif("connection.vendor != 'sqlite'", reason="what SQLite is set to")
def test_sqlite_runs_as_the_design_wants() -> None:
    with connection.cursor() as cursor:
        found = {}
        for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout", "mmap_size"):
            cursor.execute(f"PRAGMA {name}")
            found[name] = cursor.fetchone()[0]
    # A mapped file would be in memory once for each connection that has read it.
    modes = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}
    assert found == modes | {"busy_timeout": 20_000, "mmap_size": 0}
