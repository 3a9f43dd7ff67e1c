"""Users get a role in a client and a password that is never shown again."""

from tests.cli.conftest import Installation


def test_a_user_gets_a_role_and_a_password(installation: Installation) -> None:
    made = installation.json("user", "create", "Ada@Example.com", "--role", "analyst")
    assert (made["email"], made["role"]) == ("ada@example.com", "analyst")
    assert len(made["password"]) >= 16
    assert installation.run("user", "create", "ada@example.com").returncode == 2
    assert "password" not in installation.json("user", "list")["objects"][0]
    changed = installation.run(
        "user", "password", "ada@example.com", "--password-file", "-", given="a long enough one\n"
    )
    assert (changed.returncode, "a long enough one" in changed.stdout + changed.stderr) == (0, False)
    assert (
        installation.run("user", "password", "ada@example.com", "--password-file", "-", given="short\n").returncode == 2
    )
    assert installation.run("user", "remove", "ada@example.com").returncode == 0
    assert installation.json("user", "list")["total"] == 0
    assert installation.run("user", "create", "no address").returncode == 2
