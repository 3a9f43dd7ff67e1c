"""A restored database gets this version's shape, or is refused where this version is too old for it."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from tests.migrated import migrated_file

from gatecrash.control.backup.staged import NewerSchema, bring_up_to_date
from gatecrash.control.places import sqlite_url

TOLD = {"made_at": "2030-01-01T00:00:00Z", "program": "1"}


def test_one_of_a_later_version_is_refused_untouched(tmp_path: Path) -> None:
    path = migrated_file(tmp_path / "db")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(
            "INSERT INTO django_migrations (app, name, applied) VALUES ('testruns', '9999_later', '2030-01-01')"
        )
        connection.commit()
    with pytest.raises(NewerSchema, match=r"testruns\.9999_later"):
        bring_up_to_date(sqlite_url(path), tmp_path, TOLD)


def test_one_of_an_earlier_version_is_migrated(tmp_path: Path) -> None:
    path = migrated_file(tmp_path / "db")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DELETE FROM django_migrations WHERE app = 'sessions'")
        connection.execute("DROP TABLE django_session")
        connection.execute("DELETE FROM django_migrations WHERE name LIKE '%squashed%'")
        connection.commit()
        assert bring_up_to_date(sqlite_url(path), tmp_path, TOLD) == 1
        assert connection.execute("SELECT count(*) FROM django_session").fetchone() == (0,)
        noted = connection.execute("SELECT app FROM django_migrations WHERE name LIKE '0001_squashed%' ORDER BY app")
        assert noted.fetchall() == [("inventory",), ("testruns",)], "what was applied one by one is noted as one, too"


def test_the_restore_is_told_in_the_log_of_each_client(tmp_path: Path) -> None:
    path = migrated_file(tmp_path / "db")
    with closing(sqlite3.connect(path)) as connection:
        for name in ("cl_a", "cl_b"):
            connection.execute(
                "INSERT INTO accounts_client (id, name, created_at, config_version, tests_stopped) VALUES (?, ?, 1, 0, 0)",
                (name, name),
            )
        connection.commit()
        bring_up_to_date(sqlite_url(path), tmp_path, TOLD)
        noted = connection.execute(
            "SELECT client_id, actor, action, target, detail FROM accounts_auditentry ORDER BY 1"
        )
        assert [(*row[:-1], json.loads(row[-1])) for row in noted] == [
            (name, "system", "backup.restore", name, TOLD) for name in ("cl_a", "cl_b")
        ]
