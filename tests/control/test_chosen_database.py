"""A data directory whose service keeps its data on a server leads nobody to a file."""

from pathlib import Path

import pytest

from gatecrash.control import chosen_database, places
from gatecrash.control.chosen_database import ServerNotNamed, refuse_unnamed, remember

SERVER = "postgresql://anna:se%40cret@db.example:5433/gate?sslmode=require&password=hidden"


def test_who_does_not_name_the_server_is_told_where_it_is_and_no_secret(tmp_path: Path) -> None:
    remember(tmp_path, SERVER)
    with pytest.raises(ServerNotNamed) as told:
        refuse_unnamed(tmp_path)
    text = str(told.value)
    assert "PostgreSQL at db.example:5433/gate:" in text
    assert "--database-url" in text
    kept = (tmp_path / chosen_database.FILE).read_text()
    for secret in ("anna", "cret", "hidden"):
        assert secret not in text + kept


def test_a_directory_with_a_file_of_its_own_refuses_nothing(tmp_path: Path) -> None:
    remember(tmp_path, places.sqlite_url(tmp_path / "gatecrash.sqlite3"))
    refuse_unnamed(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_named_is_meant_from_then_on(tmp_path: Path) -> None:
    remember(tmp_path, SERVER)
    remember(tmp_path, "sqlite:////elsewhere/a.sqlite3")
    refuse_unnamed(tmp_path)


def test_another_server_takes_its_place(tmp_path: Path) -> None:
    remember(tmp_path, SERVER)
    remember(tmp_path, "postgresql://other.example/gate")
    with pytest.raises(ServerNotNamed, match=r"at other\.example/gate:"):
        refuse_unnamed(tmp_path)


def test_the_environment_names_it_for_every_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    remember(tmp_path, SERVER)
    monkeypatch.setenv("GATECRASH_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("GATECRASH_DATABASE_URL", SERVER)
    assert places.database_url() == SERVER
    monkeypatch.delenv("GATECRASH_DATABASE_URL")
    with pytest.raises(ServerNotNamed):
        places.database_url()
