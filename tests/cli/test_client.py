"""Clients are made, listed and deleted on the installation's database."""

from tests.cli.conftest import Installation


def test_a_client_can_be_made_listed_and_deleted(installation: Installation) -> None:
    made = installation.json("client", "create", "Second")
    assert {"cl_first", made["id"]} <= {row["id"] for row in installation.json("client", "list")["objects"]}
    assert installation.run("client", "delete", made["id"], given="n\n").returncode == 1
    assert installation.run("client", "delete", made["id"], "--yes").returncode == 0
    assert [row["id"] for row in installation.json("client", "list")["objects"]] == ["cl_first"]


def test_a_client_cannot_be_made_twice_or_without_a_name(installation: Installation) -> None:
    assert installation.run("client", "create", "Again", "--id", "cl_first").returncode == 2
    assert installation.run("client", "create", " ").returncode == 2
    assert installation.run("client", "delete", "cl_unknown", "--yes").returncode == 2
