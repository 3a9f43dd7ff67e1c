"""Tokens are shown once and end when they are revoked."""

from tests.cli.conftest import Installation


def test_a_token_is_printed_once_and_can_be_revoked(installation: Installation) -> None:
    done = installation.run("token", "create", "pipeline", "--role", "ci", "--expires-in", "90")
    text = done.stdout.strip()
    assert len(text) > 40
    assert text not in done.stderr
    listed = installation.run("token", "list")
    assert text not in listed.stdout
    [row] = [row for row in installation.json("token", "list")["objects"] if row["name"] == "pipeline"]
    assert (row["role"], row["revoked_at"]) == ("ci", None)
    assert row["expires_at"] > row["created_at"] + 89 * 86400
    assert installation.run("token", "revoke", row["id"]).returncode == 0
    assert "revoked" in installation.run("token", "list").stdout
    assert installation.run("token", "revoke", "tok_unknown").returncode == 2
