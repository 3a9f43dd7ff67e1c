"""A full disk is told apart from a database that is away, for both kinds of database."""

import pytest
from django.db import OperationalError

from gatecrash.control import database_trouble


@pytest.mark.parametrize(
    "error",
    [
        OperationalError("database or disk is full"),
        OperationalError(
            'could not extend file "base/5/16384": No space left on device\nHINT:  Check free disk space.'
        ),
    ],
)
def test_no_room(error: Exception) -> None:
    assert database_trouble.is_full(error)


@pytest.mark.parametrize(
    "error", [OperationalError("database is locked"), OSError("No space left on device"), RuntimeError("full"), None]
)
def test_other_trouble(error: Exception | None) -> None:
    assert not database_trouble.is_full(error)


def test_what_is_told_of_which() -> None:
    assert database_trouble.said(OperationalError("database or disk is full")) == database_trouble.FULL
    assert database_trouble.said(OperationalError("connection refused")) == database_trouble.AWAY
    assert database_trouble.said(RuntimeError("connection refused")) is None
