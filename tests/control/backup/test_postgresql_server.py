"""A server's programs and names; what it does with a database is in tests/e2e/test_backup.py."""

from pathlib import Path

import pytest

from gatecrash.control.backup.postgresql_server import ProgramMissing, Server
from gatecrash.control.database import parse_url

URL = "postgresql://someone:a-secret@127.0.0.1:9/gatecrash?sslmode=disable"


def server() -> Server:
    return Server(parse_url(URL))


def test_a_program_that_is_older_than_the_server_is_told_with_the_way_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "pg_dump"
    program.write_text("#!/bin/sh\necho 'pg_dump (PostgreSQL) 9.6.24'\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    with pytest.raises(ProgramMissing, match=r"of PostgreSQL 999 or later is needed; here is only .*9\.6\.24"):
        server()._program("pg_dump", 999)
    assert server()._program("pg_dump", 9) == str(program)
    monkeypatch.setenv("PATH", str(tmp_path / "none"))
    with pytest.raises(ProgramMissing, match="was not found"):
        server()._program("pg_no_such_program", 15)


def test_the_password_stands_in_no_programs_arguments() -> None:
    assert "a-secret" not in server()._address("gatecrash")
    assert "sslmode=disable" in server()._address("gatecrash")


def test_names_beside_the_database_are_as_long_as_the_server_takes() -> None:
    long = Server({**parse_url(URL), "NAME": "n" * 63})
    assert len(long.beside("restoring")) == 63
    assert long.beside("restoring").endswith("_restoring")
