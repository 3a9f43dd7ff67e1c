"""The database gets this version's shape, as often as asked."""

import pytest
from tests.cli.conftest import Installation


@pytest.mark.database
def test_migrating_twice_is_harmless(empty: Installation, empty_database_url: str) -> None:
    for _ in range(2):
        assert empty.run("db", "migrate", "--database-url", empty_database_url).returncode == 0
    assert empty.run("client", "list", "--database-url", empty_database_url).returncode == 0


def test_a_database_that_cannot_be_reached_is_3(empty: Installation) -> None:
    done = empty.run("db", "migrate", "--database-url", "postgresql://nobody@127.0.0.1:9/none")
    assert done.returncode == 3
    assert "Traceback" not in done.stderr
