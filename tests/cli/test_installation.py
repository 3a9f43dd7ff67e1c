"""Which installation and which client is meant, and what is said where it cannot be opened."""

from tests.cli.conftest import Installation


def test_several_clients_need_a_choice(installation: Installation) -> None:
    other = installation.json("client", "create", "Other")["id"]
    try:
        refused = installation.run("token", "list")
        assert refused.returncode == 2
        assert "There are several clients; name one with --client" in refused.stderr
        assert installation.run("token", "list", GATECRASH_CLIENT=other).returncode == 0
        assert installation.run("token", "list", "--client", "cl_unknown").returncode == 2
    finally:
        installation.run("client", "delete", other, "--yes")


def test_a_database_that_was_not_migrated_is_explained(empty: Installation) -> None:
    done = empty.run("client", "list")
    assert done.returncode == 3
    assert "gatecrash db migrate" in done.stderr
    assert str(empty.folder / "data" / "gatecrash.sqlite3") in done.stderr
    assert "--data-dir" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_database_file_that_cannot_be_opened_is_named(empty: Installation) -> None:
    absent = empty.folder / "absent" / "x.sqlite3"
    done = empty.run("client", "list", GATECRASH_DATABASE_URL=f"sqlite:///{absent}")
    assert done.returncode == 3
    assert str(absent) in done.stderr
    assert "Traceback" not in done.stderr
