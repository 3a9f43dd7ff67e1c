"""Clients are made, listed and deleted on the installation's database."""

from tests.cli.conftest import Installation


def test_a_client_can_be_made_listed_and_deleted(installation: Installation) -> None:
    made = installation.json("client", "create", "Second")
    assert {"cl_first", made["id"]} <= {row["id"] for row in installation.json("client", "list")["objects"]}
    assert installation.run("client", "delete", made["id"], given="n\n").returncode == 1
    assert installation.run("client", "delete", made["id"], "--yes").returncode == 0
    assert [row["id"] for row in installation.json("client", "list")["objects"]] == ["cl_first"]


def test_a_client_is_renamed_and_limited(installation: Installation) -> None:
    made = installation.json("client", "create", "Limited")["id"]
    shown = installation.json("client", "change", made, "--rps-per-host", "50", "--name", "Other")
    assert shown == {"id": made, "name": "Other", "rps_per_host": 50}
    assert "50" in installation.run("client", "list").stdout
    assert installation.json("client", "change", made, "--no-rps-per-host")["rps_per_host"] is None
    assert installation.run("client", "change", made).returncode == 2
    assert installation.run("client", "change", "cl_unknown", "--name", "x").returncode == 2
    assert installation.run("client", "change", made, "--no-rps-per-host", "--rps-per-host", "5").returncode == 2
    assert installation.run("client", "delete", made, "--yes").returncode == 0


def test_a_client_cannot_be_made_twice_or_without_a_name(installation: Installation) -> None:
    assert installation.run("client", "create", "Again", "--id", "cl_first").returncode == 2
    assert installation.run("client", "create", " ").returncode == 2
    assert installation.run("client", "delete", "cl_unknown", "--yes").returncode == 2
